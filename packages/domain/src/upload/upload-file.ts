/** The files of a FHIR R4 upload: one resource type each, as a bulk export writes them. */
export const FHIR_FILES = ['Patient', 'Practitioner', 'Medication', 'MedicationRequest', 'MedicationDispense'] as const
export type FhirFile = (typeof FHIR_FILES)[number]

/** The name of an uploaded file as its pharmacy knows it: 'scripts.csv', 'MedicationDispense.ndjson'. */
export function fileNameOf(file: string): string {
  return FHIR_FILES.some((one) => one === file) ? `${file}.ndjson` : `${file}.csv`
}
