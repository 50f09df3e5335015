import { Button } from '@mantine/core'
import type { Filters } from '@pillar/contract/campaign/cohort'
import { filtersSet } from '@pillar/domain/cohort/cohort'
import { subcategoriesOf, UNCLASSIFIED } from '@pillar/domain/dispensing/category'
import { counted } from '@pillar/domain/text/sentence'
import type { Country } from '@pillar/domain/time/locale'
import { SlidersHorizontal } from 'lucide-react'
import { useState } from 'react'
import type { Bound } from '../../../kit/dialog/useFormDialog.ts'
import { WideDialog } from '../../../kit/dialog/WideDialog.tsx'
import { Icon } from '../../../kit/display/Icon.tsx'
import { CohortFilters } from '../../cohort/CohortFilters.tsx'
import { filterWords, forCountry, NO_FILTERS } from '../../cohort/cohort-draft.ts'
import styles from './CampaignAdmin.module.css'

/** Support has the same filters as a head office, except molecules, because the list of dispensed ones belongs to the company. */
const LISTS = { drugTypes: subcategoriesOf('Drug Type').filter((name) => name !== UNCLASSIFIED) }

/** Who is messaged, in words, with a button to change it. */
export function CohortField({ name, label, value, onChange, error, country }: Bound & { country: Country }) {
  const [draft, setDraft] = useState<Filters | null>(null)
  const words = filterWords(value, country)
  return (
    <section className={styles.cohort} aria-label={label} data-field={name}>
      <div className={styles.cohortHead}>
        <span className={styles.label}>{label}</span>
        <Button leftSection={<Icon of={SlidersHorizontal} />} onClick={() => setDraft(forCountry(value, country))}>
          Refine Cohort
        </Button>
      </div>
      {error ? <div className="mantine-InputWrapper-error">{error}</div> : null}
      {words.length > 0 ? (
        <dl className={styles.filters}>
          {words.map((one) => (
            <div key={one.label}>
              <dt>{one.label}</dt>
              <dd>{one.value}</dd>
            </div>
          ))}
        </dl>
      ) : (
        <p className="muted">No filter is set yet. You can save it like this, but not activate it.</p>
      )}
      {draft ? (
        <WideDialog
          opened
          onClose={() => setDraft(null)}
          size="cohort"
          title="Refine Cohort"
          footLeft={
            <>
              <Button variant="subtle" onClick={() => setDraft(NO_FILTERS)}>
                Reset
              </Button>
              <span className="muted">{counted(filtersSet(draft), 'filter', 'filters')} set</span>
            </>
          }
          foot={
            <>
              <Button onClick={() => setDraft(null)}>Back</Button>
              <Button
                variant="filled"
                onClick={() => {
                  onChange(draft)
                  setDraft(null)
                }}
              >
                Save cohort
              </Button>
            </>
          }
        >
          <div className={styles.pane}>
            <CohortFilters
              filters={draft}
              molecules={new Set(draft.molecules)}
              onChange={(change) => setDraft({ ...draft, ...change })}
              onMolecules={() => {}}
              lists={LISTS}
              country={country}
            />
          </div>
        </WideDialog>
      ) : null}
    </section>
  )
}
