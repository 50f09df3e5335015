import { ACTION_KINDS } from '@pillar/domain/audit/action-words'
import { DaysChip } from '../../kit/list/chip/DaysChip.tsx'
import { FilterChip } from '../../kit/list/chip/FilterChip.tsx'

const LABELS = {
  change: 'Changes',
  look: 'Looked at',
  'sign-in': 'Sign-in',
  patient: 'Patients',
  platform: 'Automatic',
} as const
const KINDS = ACTION_KINDS.map((value) => ({ value, label: LABELS[value] }))

/** Filters by kind of act and by days. */
export function ActFilters() {
  return (
    <>
      <FilterChip field="act" label="Kind" options={KINDS} />
      <DaysChip />
    </>
  )
}
