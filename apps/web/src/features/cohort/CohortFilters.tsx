import type { Filters } from '@pillar/contract/campaign/cohort'
import { COHORT_OPTIONS } from '@pillar/domain/cohort/cohort'
import { PATIENT_TYPES_OF } from '@pillar/domain/dispensing/patient-type'
import type { Country } from '@pillar/domain/time/locale'
import { Failed, Loading } from '../../kit/display/states.tsx'
import { MultiSelect } from '../../kit/form/MultiSelect.tsx'
import styles from './Cohort.module.css'
import { CohortChips } from './CohortChips.tsx'
import { CohortMolecules } from './CohortMolecules.tsx'
import { CohortRange } from './CohortRange.tsx'
import { LEVEL_OPTIONS, type Option, plainOptions } from './cohort-draft.ts'
import type { useCohortLists } from './useCohortLists.ts'

interface CohortFiltersProps {
  filters: Filters
  /** Ticked ATC codes; if all are ticked, none is saved. */
  molecules: ReadonlySet<string>
  onChange: (change: Partial<Filters>) => void
  onMolecules: (chosen: ReadonlySet<string>) => void
  /** Drug types and dispensed molecules; without `molecules` that filter is not offered. */
  lists: Pick<Lists, 'drugTypes'> & Partial<Lists>
  country: Country
}
type Lists = ReturnType<typeof useCohortLists>

const DOUBLE: readonly Option<'yes' | 'no'>[] = [
  { value: 'yes', label: 'Could move' },
  { value: 'no', label: 'Could not' },
]

/** All filters of a cohort. Each one narrows it; within one, any selected option is enough. */
export function CohortFilters({ filters, molecules, onChange, onMolecules, lists, country }: CohortFiltersProps) {
  const { double_dispensing: double } = filters
  return (
    <>
      <CohortChips
        label="Adherence"
        options={LEVEL_OPTIONS}
        chosen={filters.adherence}
        onChange={(adherence) => onChange({ adherence })}
      />
      <CohortChips
        label="Loyalty"
        options={LEVEL_OPTIONS}
        chosen={filters.loyalty}
        onChange={(loyalty) => onChange({ loyalty })}
      />
      <div className={styles.pair}>
        <CohortChips
          label="Patient type"
          options={plainOptions(PATIENT_TYPES_OF[country])}
          chosen={filters.patient_type}
          onChange={(patient_type) => onChange({ patient_type })}
        />
        <CohortChips
          label="Patient sex"
          options={plainOptions(COHORT_OPTIONS.sexes)}
          chosen={filters.patient_sex}
          onChange={(patient_sex) => onChange({ patient_sex })}
        />
        <Ranges filters={filters} onChange={onChange} country={country} />
        {country === 'AU' ? (
          <CohortChips
            label="60 Day Dispensing"
            options={DOUBLE}
            chosen={double === null ? [] : [double ? 'yes' : 'no']}
            onChange={([one]) => onChange({ double_dispensing: one === undefined ? null : one === 'yes' })}
            single
          />
        ) : null}
      </div>
      <div className={styles.filter}>
        <MultiSelect
          label="Drug type"
          placeholder="All drug types"
          options={lists.drugTypes.map((value) => ({ value, label: value }))}
          value={filters.drug_type}
          onChange={(drug_type) => onChange({ drug_type })}
        />
      </div>
      {lists.molecules === undefined ? null : (
        <Molecules molecules={molecules} onMolecules={onMolecules} lists={lists as Lists} />
      )}
    </>
  )
}

function Ranges({ filters, onChange, country }: Pick<CohortFiltersProps, 'filters' | 'onChange' | 'country'>) {
  return (
    <>
      <CohortRange
        label="Age"
        filter="age"
        chosen={filters.age}
        onChange={(age) => onChange({ age })}
        country={country}
      />
      <CohortRange
        label="Polypharmacy (medicines taken)"
        filter="polypharmacy"
        chosen={filters.polypharmacy}
        onChange={(polypharmacy) => onChange({ polypharmacy })}
        country={country}
      />
      <CohortRange
        label="Distance from store"
        filter="distance_from_store"
        chosen={filters.distance_from_store}
        onChange={(distance_from_store) => onChange({ distance_from_store })}
        country={country}
      />
    </>
  )
}

type MoleculesProps = Pick<CohortFiltersProps, 'molecules' | 'onMolecules'> & { lists: Lists }

function Molecules({ molecules, onMolecules, lists }: MoleculesProps) {
  return (
    <div className={styles.filter}>
      <div className={styles.label}>
        Molecules <i>{moleculeCount(molecules.size, lists.molecules?.length ?? 0)}</i>
      </div>
      {lists.molecules ? (
        <CohortMolecules all={lists.molecules} chosen={molecules} onChange={onMolecules} />
      ) : lists.error ? (
        <Failed title="Could not load the molecules" error={lists.error} onRetry={lists.retry} />
      ) : (
        <Loading rows={3} />
      )}
    </div>
  )
}

function moleculeCount(chosen: number, all: number): string {
  if (all === 0) return ''
  if (chosen === 0) return `none selected, so any of ${all.toLocaleString('en-AU')}`
  const number = (value: number) => value.toLocaleString('en-AU')
  if (chosen === all) return all === 1 ? 'the only one selected' : `all ${number(all)} selected`
  return `${number(chosen)} of ${number(all)} selected`
}
