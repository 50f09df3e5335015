/** The files of a FHIR R4 upload, as a bulk export writes them: one resource type each, and one of what was deleted. */
export const FHIR_FILES = [
  'Patient',
  'Practitioner',
  'Medication',
  'MedicationRequest',
  'MedicationDispense',
  'deleted',
] as const
export type FhirFile = (typeof FHIR_FILES)[number]

/** The file of a FHIR upload that lists what was deleted at the source. It may well be empty, so its row count is no sign of a faulty export. */
export const DELETED_FILE = 'deleted' satisfies FhirFile

/** The name of an uploaded file as its pharmacy knows it: 'scripts.csv', 'MedicationDispense.ndjson'. */
export function fileNameOf(file: string): string {
  return FHIR_FILES.some((one) => one === file) ? `${file}.ndjson` : `${file}.csv`
}
