import type { Made, SourceProfile } from './source-profile.ts'

const made = (from: readonly string[], make: Made['make']): Made => ({ from, make })

/** A whole number, also one that a program wrote with a decimal (`0.0`), as it does with a column in which some are empty. */
const whole = (number: string) => number.replace(/\.0+$/, '')

const two = (part: string) => part.padStart(2, '0')
const FEMALE = '8532'
const MALE = '8507'

/** Concept 0 means an unknown product: then its own code identifies it. */
const isKnown = (concept: string) => concept !== '' && whole(concept) !== '0'
const drugId = made(['drug_concept_id', 'drug_source_value'], (concept = '', code = '') =>
  isKnown(concept) ? whole(concept) : code === '' ? '' : `code ${code}`,
)
const drugName = made(['drug_name', 'drug_concept_id', 'drug_source_value'], (name = '', concept = '', code = '') =>
  name !== ''
    ? // RxNorm names of many ingredients are longer than any label; the ingredients come first.
      name.slice(0, 200)
    : isKnown(concept)
      ? `Unnamed drug (concept ${whole(concept)})`
      : `Unnamed drug (${code})`,
)

/** OMOP common data model 5.x: people and their dispensed drugs, in any column order. */
export const OMOP: SourceProfile = {
  name: 'omop',
  title: 'OMOP common data model 5',
  checked: true,
  status:
    'Checked against a published sample: 50 people and 2,140 fills of CMS DE-SynPUF, synthetic records in the real layout. ' +
    'OMOP holds no prices, so revenue is 0.',
  shiftsDates: true,
  files: [
    {
      name: 'person',
      feeds: [
        {
          set: 'patients',
          columns: {
            patient_id: ['person_id'],
            sex: made(['gender_concept_id'], (concept = '') =>
              whole(concept) === FEMALE ? 'F' : whole(concept) === MALE ? 'M' : '',
            ),
            date_of_birth: made(
              ['year_of_birth', 'month_of_birth', 'day_of_birth'],
              (year = '', month = '', day = '') =>
                year === '' ? '' : `${whole(year)}-${two(whole(month) || '7')}-${two(whole(day) || '1')}`,
            ),
          },
        },
      ],
      ignored: [
        'birth_datetime',
        'death_datetime',
        'race_concept_id',
        'ethnicity_concept_id',
        'location_id',
        'provider_id',
        'care_site_id',
        'person_source_value',
        'gender_source_value',
        'gender_source_concept_id',
        'race_source_value',
        'race_source_concept_id',
        'ethnicity_source_value',
        'ethnicity_source_concept_id',
      ],
    },
    {
      name: 'drug_exposure',
      feeds: [
        { set: 'drugs', implied: true, columns: { drug_id: drugId, name: drugName } },
        {
          set: 'scripts',
          columns: {
            script_id: ['drug_exposure_id'],
            dispensed_on: ['drug_exposure_start_date'],
            patient_id: ['person_id'],
            drug_id: drugId,
            units: ['quantity'],
            repeats_authorised: ['refills'],
            days_supply: ['days_supply'],
            directions: ['sig'],
          },
        },
      ],
      ignored: [
        'drug_exposure_start_datetime',
        'drug_exposure_end_date',
        'drug_exposure_end_datetime',
        'verbatim_end_date',
        'drug_type_concept_id',
        'stop_reason',
        'route_concept_id',
        'lot_number',
        'provider_id',
        'visit_occurrence_id',
        'visit_detail_id',
        'drug_source_concept_id',
        'route_source_value',
        'dose_unit_source_value',
      ],
    },
  ],
}
