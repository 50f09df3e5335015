import { Button, Checkbox } from '@mantine/core'
import { filtersSet } from '@pillar/domain/cohort/cohort'
import { type Country, formatNumber } from '@pillar/domain/time/locale'
import { SlidersHorizontal } from 'lucide-react'
import { useState } from 'react'
import { Icon } from '../../../kit/display/Icon.tsx'
import { useCountry } from '../../../session/session.ts'
import { CohortDialog } from '../../cohort/CohortDialog.tsx'
import { filterWords } from '../../cohort/cohort-draft.ts'
import { editedWords, moneyOfCents } from '../../cohort/forecast-words.ts'
import type { CohortAnswer, CohortAsk } from '../../cohort/useCohort.ts'
import { useCohortLists } from '../../cohort/useCohortLists.ts'
import { NO_HOLDOUT } from '../campaign-words.ts'
import styles from './CampaignForm.module.css'
import type { CampaignDraft } from './campaign-draft.ts'

interface CampaignFormCohortProps {
  draft: CampaignDraft
  change: (part: Partial<CampaignDraft>) => void
  problem: string | undefined
  /** The draft as the question for its cohort count. */
  ask: CohortAsk
  /** The campaign is being sent, or was, so changes apply to the next activation. */
  active: boolean
  answer: CohortAnswer
}

/** Who it is for: the filters in words, the number of patients, and a way to refine the filters. */
export function CampaignFormCohort({ draft, change, problem, ask, active, answer }: CampaignFormCohortProps) {
  const country = useCountry()
  const [refining, setRefining] = useState(false)
  const { nameOf } = useCohortLists()
  const words = filterWords(draft.filters, country, nameOf)
  return (
    <section className={styles.cohort} aria-label="Patient cohort" data-field="filters">
      <div className={styles.cohortHead}>
        <h3>Patient cohort</h3>
        <Button leftSection={<Icon of={SlidersHorizontal} />} onClick={() => setRefining(true)}>
          Refine Cohort
        </Button>
      </div>
      {problem ? <div className="mantine-InputWrapper-error">{problem}</div> : null}
      {words.length > 0 ? (
        <dl className={styles.filters}>
          {words.map(({ label, value }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      ) : (
        <p className={styles.hint}>No filter is set yet.</p>
      )}
      <p className={styles.count} aria-live="polite">
        {filtersSet(draft.filters) > 0 ? countWords(answer, draft, active, country) : null}
      </p>
      <Checkbox
        mt={12}
        {...NO_HOLDOUT}
        checked={draft.no_holdout}
        onChange={(event) => change({ no_holdout: event.currentTarget.checked })}
      />
      {refining ? (
        <CohortDialog
          name={draft.name}
          campaign={ask}
          onBack={() => setRefining(false)}
          onSave={(filters) => {
            change({ filters })
            setRefining(false)
          }}
        />
      ) : null}
    </section>
  )
}

function countWords(
  { ledger, counting, error }: CohortAnswer,
  draft: CampaignDraft,
  active: boolean,
  country: Country,
) {
  const number = (value: number) => formatNumber(country, value)
  if (draft.locations.length === 0) return 'Select pharmacies to see how many patients this is.'
  if (error && !counting) return `Could not count the cohort. ${error.message}`
  // Without templates the count is of those who match, with them of those who receive: one must not be shown as the other.
  const withTemplates = draft.templates.length > 0
  if (!ledger || (counting && ledger.channels.length > 0 !== withTemplates)) return 'Counting…'
  const one = ledger.will_receive === 1
  const end = counting ? ' (counting…)' : ''
  if (!withTemplates) {
    return `${number(ledger.will_receive)} ${one ? 'patient matches' : 'patients match'}. Select templates to see who can receive them and what it costs.${end}`
  }
  if (active) return `${editedWords(ledger, country)}${end}`
  const held = `${number(ledger.held_back)} held back`
  return `${number(ledger.will_receive)} ${one ? 'patient' : 'patients'} will receive this, ${held}, ${moneyOfCents(ledger.cents, country)}${end}`
}
