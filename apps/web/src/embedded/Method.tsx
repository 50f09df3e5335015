import type { BoardData } from '@pillar/contract/board'
import styles from './Board.module.css'

/** How every number of the board is calculated. */
export function Method({ data }: { data: BoardData }) {
  return (
    <details className={styles.method}>
      <summary>How this is calculated</summary>
      <dl>
        <dt>Which pharmacies</dt>
        <dd>
          Those whose data fill a calendar month. A month is published once, 8 days after its end, and never changes;
          pharmacies of at least four companies must be in it.
        </dd>
        <dt>Share of scripts</dt>
        <dd>
          Scripts of a product divided by all scripts of the drug type in the month. Reversed and deferred scripts are
          left out.
        </dd>
        <dt>New, and switched</dt>
        <dd>
          New: nothing of the drug type in the 365 days before. Switched: another product of it in the 180 days before,
          and never after. A medicine added beside another one is neither. Each pharmacy knows only its own patients.
          {data.dashboard_type === 'Supplier'
            ? ' Patients who switched from one of our products to another’s are in one row.'
            : ''}
        </dd>
        <dt>Still taking it</dt>
        <dd>
          Kaplan-Meier, from the first supply to running out before the first gap of more than 90 days. Followed no
          further than a switch, death, or 90 days after the year. Patients of the company that reads it are left out. A
          point is left out where fewer than 10 people stopped since the last one; shares are whole percents and numbers
          followed are rounded to 10.
        </dd>
        <dt>Seasons</dt>
        <dd>Scripts divided by days and pharmacies, averaged over the years shown; 100 is the mean of all months.</dd>
        <dt>Adherence</dt>
        <dd>
          The product average of the other companies’ pharmacies: scripts of patients with at least 80% of days covered.
        </dd>
        {data.reach ? (
          <>
            <dt>Reach</dt>
            <dd>
              Messages that left, and people they went to, of the company’s own pharmacies, as under Campaigns. Texts
              and emails are shown apart only where each went to enough people.
            </dd>
          </>
        ) : null}
        <dt>What is hidden</dt>
        <dd>
          Every figure, without the pharmacies of the company that reads it, rests on at least 10 patients and 5
          pharmacies of 3 companies, none with over half. What does not is added to the next smallest of its kind, so no
          difference of two figures is smaller either.
        </dd>
      </dl>
    </details>
  )
}
