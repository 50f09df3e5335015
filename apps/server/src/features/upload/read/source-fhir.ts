import { DELETED_FILE, type FhirFile } from '@pillar/domain/upload/upload-file'
import type { UploadSet } from '@pillar/domain/upload/upload-format'
import { deletedScripts } from './fhir/deleted.ts'
import { DISPENSE_PATHS, scriptOf } from './fhir/dispense.ts'
import { drugOfMedication, drugOfUse, MEDICATION_PATHS } from './fhir/medication.ts'
import { PATIENT_PATHS, patientOf } from './fhir/patient.ts'
import { PRACTITIONER_PATHS, prescriberOf } from './fhir/practitioner.ts'
import { prescriptionOf, REQUEST_PATHS } from './fhir/request.ts'
import type { Feed, MapResource, SourceFile, SourceProfile } from './source-profile.ts'

const feed = (set: UploadSet, paths: Readonly<Record<string, string>>, map: MapResource): Feed => ({
  set,
  columns: Object.fromEntries(Object.entries(paths).map(([column, path]) => [column, [path]])),
  map,
})

/** Products that dispenses and requests describe themselves. */
const USED_DRUGS: Feed = { ...feed('drugs', MEDICATION_PATHS, drugOfUse), implied: true }

const DELETED = { script_id: ['entry.request.url'] }

const file = (name: FhirFile, ...feeds: Feed[]): SourceFile => ({ name, feeds, ignored: [] })

/** FHIR R4 resources as NDJSON, one file per resource type. */
export const FHIR: SourceProfile = {
  name: 'fhir',
  title: 'FHIR R4',
  checked: true,
  status:
    'Checked against published examples: HL7 Australia’s AU Core test data (dispenses, medicines, requests, people), HL7’s own examples, ' +
    'and a bulk export of Synthea. FHIR dispenses hold no prices, so revenue is 0.',
  shiftsDates: false,
  versions: true,
  files: [
    file('Patient', feed('patients', PATIENT_PATHS, patientOf)),
    file('Practitioner', feed('prescribers', PRACTITIONER_PATHS, prescriberOf)),
    file('Medication', feed('drugs', MEDICATION_PATHS, drugOfMedication)),
    file('MedicationRequest', USED_DRUGS, feed('prescriptions', REQUEST_PATHS, prescriptionOf)),
    file('MedicationDispense', USED_DRUGS, feed('scripts', DISPENSE_PATHS, scriptOf)),
    file(DELETED_FILE, { set: 'scripts', columns: DELETED, removes: deletedScripts }),
  ],
}
