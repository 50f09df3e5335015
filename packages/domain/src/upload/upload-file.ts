/** The files of a FHIR R4 upload, as written by a bulk export: one per resource type, and one of deletions. */
export const FHIR_FILES = [
  'Patient',
  'Practitioner',
  'Medication',
  'MedicationRequest',
  'MedicationDispense',
  'deleted',
] as const
export type FhirFile = (typeof FHIR_FILES)[number]

/**
 * The file of a FHIR upload that lists deletions at the source. It may well be empty, so its row count does not show whether the export is faulty.
 */
export const DELETED_FILE = 'deleted' satisfies FhirFile

/** The name of an uploaded file as its pharmacy knows it: 'scripts.csv', 'MedicationDispense.ndjson'. */
export function fileNameOf(file: string): string {
  return FHIR_FILES.some((one) => one === file) ? `${file}.ndjson` : `${file}.csv`
}
