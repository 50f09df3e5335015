import type { Pharmacy } from '@pillar/contract/financials'
import { parseDay } from '@pillar/domain/time/day'
import { type Country, formatWeekday } from '@pillar/domain/time/locale'
import { MailLink } from '../../../frame/MailLink.tsx'
import styles from '../explain/Explain.module.css'
import { NONE, statusText } from '../figures.ts'

/** The pharmacy behind a figure: place, contact, age of its data. */
export function PharmacyFacts({ pharmacy, country }: { pharmacy: Pharmacy; country: Country }) {
  const data = pharmacy.data_to === null ? null : parseDay(pharmacy.data_to)
  const start = pharmacy.data_from === null ? null : parseDay(pharmacy.data_from)
  const place = [pharmacy.state, pharmacy.postcode].filter((part) => part !== null).join(' ')
  return (
    <dl className={styles.facts}>
      <dt>Location</dt>
      <dd>{place || NONE}</dd>
      <dt>Contact</dt>
      <dd>
        {pharmacy.owner ? (
          <>
            {pharmacy.owner.name}, <MailLink email={pharmacy.owner.email} />
          </>
        ) : (
          'No Contact Set'
        )}
      </dd>
      <dt>Data from</dt>
      <dd>{start === null ? NONE : formatWeekday(country, start)}</dd>
      <dt>Data to</dt>
      <dd className={pharmacy.late ? styles.late : undefined}>
        {data === null ? 'no data yet' : formatWeekday(country, data)}
        {pharmacy.late ? ' (late)' : ''}
      </dd>
      <dt>Uploads</dt>
      <dd>{statusText(pharmacy.upload_status)}</dd>
    </dl>
  )
}
