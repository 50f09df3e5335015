import type { Pharmacy } from '@pillar/contract/financials'
import { type Target, target } from '@pillar/contract/target'
import { TARGET_FIGURES, TARGET_RULES, targetLabel, targetText } from '@pillar/domain/target/target'
import type { Country } from '@pillar/domain/time/locale'
import { type PeriodChoice, periodLabel, periodOf, stepChoice } from '@pillar/domain/time/period'
import { useRef } from 'react'
import { send } from '../../api/client.ts'
import { FormDialog } from '../../kit/dialog/FormDialog.tsx'
import { MoneyField, SelectField } from '../../kit/form/fields.tsx'
import { draftProblems, savedDraft, sentTarget, type TargetDraft } from './target-draft.ts'
import { useTargetLine } from './useTargets.ts'

interface TargetFormProps {
  choice: PeriodChoice
  pharmacies: readonly Pharmacy[]
  country: Country
  /** The period's existing targets; one for the same figure is replaced. */
  targets: readonly Target[]
  edited: Target | 'new'
  close: () => void
}

const FIGURES = TARGET_FIGURES.map((value) => ({ value, label: TARGET_RULES[value].title }))

/** Sets or changes one target of the period. */
export function TargetForm({ choice, pharmacies, country, targets, edited, close }: TargetFormProps) {
  const fresh = edited === 'new'
  const initial: TargetDraft = fresh
    ? { pharmacy: '', figure: 'revenue', target: '', version: null }
    : savedDraft([edited], { pharmacy: edited.pharmacy_id ?? '', figure: edited.figure })
  const known = useRef(targets)
  const places = pharmacies.map(({ pharmacy_id, pharmacy_name }) => ({ value: pharmacy_id, label: pharmacy_name }))
  return (
    <FormDialog
      words={{
        title: fresh ? 'Set a target' : 'Change the target',
        button: fresh ? 'Set target' : 'Update',
        busy: 'Saving...',
        done: 'Target saved',
        what: 'this target',
      }}
      call={target.set}
      initial={initial}
      input={(draft: TargetDraft) => ({ ...choice, ...sentTarget(known.current, draft) })}
      check={draftProblems}
      latest={async (mine) => {
        known.current = (await send(target.list, { ...choice, all: true })).targets
        return savedDraft(known.current, mine)
      }}
      onClose={close}
    >
      {(f, draft) => (
        <>
          <p className="muted">
            For {periodLabel(country, choice)}. Choose other dates on the page behind to set another period’s.
          </p>
          <SelectField
            {...f('pharmacy', 'For')}
            disabled={!fresh}
            options={[{ value: '', label: 'Whole company' }, ...places]}
          />
          <SelectField {...f('figure', 'Figure')} disabled={!fresh} options={FIGURES} />
          <MoneyField
            {...f('target', targetLabel(country, draft.figure))}
            symbol=""
            description={<Before {...{ choice, country, draft }} />}
          />
        </>
      )}
    </FormDialog>
  )
}

/** The target of the previous month, if the period is a month, because most targets follow from the last one. */
function Before({ choice, country, draft }: Pick<TargetFormProps, 'choice' | 'country'> & { draft: TargetDraft }) {
  const before = stepChoice(choice, -1)
  const months = choice.month == null ? [] : [periodOf(country, before).key]
  const { line, failed } = useTargetLine(draft.figure, draft.pharmacy === '' ? null : draft.pharmacy, months)
  if (failed && choice.month != null) return `Could not load the target of ${periodLabel(country, before)}.`
  const [last = null] = line
  return last === null ? null : `${periodLabel(country, before)}: ${targetText(country, draft.figure, last.target)}`
}
