import { COHORT_OPTIONS } from '@pillar/domain/cohort/cohort'
import { subcategoriesOf, UNCLASSIFIED } from '@pillar/domain/dispensing/category'
import { PATIENT_TYPES_OF } from '@pillar/domain/dispensing/patient-type'
import { LOCALES } from '@pillar/domain/time/locale'
import type { Bind } from '../../kit/dialog/useFormDialog.ts'
import { MultiSelectField, TextField } from '../../kit/form/fields.tsx'
import { useCountry } from '../../session/session.ts'
import styles from './Trial.module.css'
import type { TrialValues } from './trial-values.ts'

const plain = (values: readonly (string | number)[], words = (value: string) => value) =>
  values.map((value) => ({ value: String(value), label: words(String(value)) }))
const level = (value: string) => `Level ${value}`
const DRUG_TYPES = [...subcategoriesOf('Drug Type'), UNCLASSIFIED]

/** The criteria that can be counted. Each one narrows; within one, any selected option is enough. */
export function TrialCriteria({ f }: { f: Bind<TrialValues> }) {
  const country = useCountry()
  return (
    <>
      <p className="muted">
        Patients who match are counted at every pharmacy, at night and after each change. Deceased and facility patients
        are never counted.
      </p>
      <div className={styles.pair}>
        <MultiSelectField {...f('age', 'Age')} options={plain(COHORT_OPTIONS.ages)} placeholder="Any" />
        <MultiSelectField
          {...f('patient_sex', 'Patient sex')}
          options={plain(COHORT_OPTIONS.sexes)}
          placeholder="Any"
        />
        <MultiSelectField
          {...f('patient_type', 'Patient type')}
          options={plain(PATIENT_TYPES_OF[country])}
          placeholder="Any"
        />
        <MultiSelectField
          {...f('polypharmacy', 'Medicines taken')}
          options={plain(COHORT_OPTIONS.polypharmacy)}
          placeholder="Any"
        />
        <MultiSelectField
          {...f('adherence', 'Adherence')}
          options={plain(COHORT_OPTIONS.levels, level)}
          placeholder="Any"
        />
        <MultiSelectField
          {...f('loyalty', 'Loyalty')}
          options={plain(COHORT_OPTIONS.levels, level)}
          placeholder="Any"
        />
        <MultiSelectField
          {...f('distance_from_store', `Distance from the pharmacy, ${LOCALES[country].distanceUnit}`)}
          options={plain(COHORT_OPTIONS.distances)}
          placeholder="Any"
        />
        <MultiSelectField {...f('drug_type', 'Drug type')} options={plain(DRUG_TYPES)} placeholder="Any" />
      </div>
      <TextField
        {...f('molecules', 'Molecules')}
        description="ATC codes separated by commas, such as C03CA01, C09AA05. A patient needs only one of them."
        maxLength={2000}
      />
    </>
  )
}
