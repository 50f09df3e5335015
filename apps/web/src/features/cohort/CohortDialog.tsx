import { Button } from '@mantine/core'
import type { Filters } from '@pillar/contract/campaign/cohort'
import { filtersSet, moleculesToSave } from '@pillar/domain/cohort/cohort'
import { counted } from '@pillar/domain/text/sentence'
import { formatNumber } from '@pillar/domain/time/locale'
import { RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { WideDialog } from '../../kit/dialog/WideDialog.tsx'
import { Icon } from '../../kit/display/Icon.tsx'
import { useCountry } from '../../session/session.ts'
import styles from './Cohort.module.css'
import { CohortCount } from './CohortCount.tsx'
import { CohortFilters } from './CohortFilters.tsx'
import { CohortList } from './CohortList.tsx'
import { forCountry, NO_FILTERS } from './cohort-draft.ts'
import { withChosen } from './molecule-list.ts'
import { type CohortAsk, useCohort } from './useCohort.ts'
import { useCohortLists } from './useCohortLists.ts'

interface CohortDialogProps {
  /** The campaign's name, grey beside the title. */
  name: string
  /** The campaign as its form has it now: everything but the filters is counted as it is there. */
  campaign: CohortAsk
  onBack: () => void
  onSave: (filters: Filters) => void
}

/** Refine cohort: filters on the left; on the right, who would receive it, counted as they change. Back leaves the campaign unchanged. */
export function CohortDialog({ name, campaign, onBack, onSave }: CohortDialogProps) {
  const saved = campaign.filters
  const country = useCountry()
  const lists = useCohortLists()
  const [draft, setDraft] = useState(() => forCountry(saved, country))
  const [molecules, setMolecules] = useState<ReadonlySet<string>>(() => new Set(saved.molecules))
  const [listed, setListed] = useState(false)
  const offered = lists.molecules && withChosen(lists.molecules, saved.molecules, lists.nameOf)
  const all = offered?.map(({ atc_code }) => atc_code) ?? []
  const filters: Filters = { ...draft, molecules: moleculesToSave([...molecules], all, saved.molecules) }
  const ask: CohortAsk = { ...campaign, filters }
  const answer = useCohort(ask)
  const set = filtersSet(filters)
  const people = answer.ledger && !answer.counting ? ` of ${formatNumber(country, answer.ledger.will_receive)}` : ''
  return (
    <WideDialog
      opened
      onClose={onBack}
      size="cohort"
      title="Refine Cohort"
      sub={name}
      footLeft={
        <span className={styles.footLeft}>
          <Button
            variant="subtle"
            leftSection={<Icon of={RotateCcw} />}
            onClick={() => {
              setDraft(NO_FILTERS)
              setMolecules(new Set())
            }}
          >
            Reset
          </Button>
          <span className="muted">{counted(set, 'filter', 'filters')} set</span>
        </span>
      }
      foot={
        <>
          {set === 0 ? <span className="muted">Set at least one filter</span> : null}
          <Button onClick={onBack}>Back</Button>
          <Button variant="filled" disabled={set === 0} onClick={() => onSave(filters)}>
            Save cohort{people}
          </Button>
        </>
      }
    >
      <div className={styles.panes}>
        <div className={styles.fields}>
          <CohortFilters
            filters={draft}
            molecules={molecules}
            onChange={(change) => setDraft((old) => ({ ...old, ...change }))}
            onMolecules={setMolecules}
            lists={{ ...lists, molecules: offered }}
            country={country}
          />
        </div>
        <aside className={styles.side} aria-label="Who would receive it">
          <CohortCount
            answer={answer}
            country={country}
            pharmacies={campaign.pharmacies.length}
            withTemplates={campaign.templates.length > 0}
            onList={() => setListed(true)}
          />
        </aside>
      </div>
      {listed && answer.ledger ? (
        <CohortList ledger={answer.ledger} ask={ask} country={country} onClose={() => setListed(false)} />
      ) : null}
    </WideDialog>
  )
}
