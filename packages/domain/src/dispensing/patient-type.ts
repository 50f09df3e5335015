import type { Country } from '../time/locale.ts'

/**
 * Who pays for a supply, for all countries. A supply stores the position in this list, counted from 1 (0 unknown): add names at the
 * end, never move or remove one.
 */
export const PATIENT_TYPES = [
  'General',
  'Concession',
  'Safety Net',
  'DVA',
  'CTG',
  'Private',
  'NHS paying',
  'NHS exempt',
  'NHS prepaid',
  'Commercial',
  'Medicare',
  'Medicaid',
  'Military and VA',
  'Cash',
] as const
export type PatientType = (typeof PATIENT_TYPES)[number]

/**
 * The types used in each country: Australia by the PBS price paid; the United Kingdom by the NHS charge
 * (paid, exempt, by prepayment certificate) or a private script; the United States by the payer.
 */
export const PATIENT_TYPES_OF: Readonly<Record<Country, readonly PatientType[]>> = {
  AU: ['General', 'Concession', 'Safety Net', 'DVA', 'CTG', 'Private'],
  GB: ['NHS paying', 'NHS exempt', 'NHS prepaid', 'Private'],
  US: ['Commercial', 'Medicare', 'Medicaid', 'Military and VA', 'Cash'],
}

/** Other spellings found in files, in lower case. */
const ALSO: Readonly<Record<Country, Readonly<Record<string, PatientType>>>> = {
  AU: {},
  GB: {
    nhs: 'NHS paying',
    paying: 'NHS paying',
    exempt: 'NHS exempt',
    ppc: 'NHS prepaid',
    prepaid: 'NHS prepaid',
    'prepayment certificate': 'NHS prepaid',
  },
  US: {
    insurance: 'Commercial',
    'medicare part d': 'Medicare',
    tricare: 'Military and VA',
    va: 'Military and VA',
    'self pay': 'Cash',
    'self-pay': 'Cash',
  },
}

/** A country's type as spelled in a file, in any letter case; null when unknown. */
export function patientTypeOf(country: Country, text: string): PatientType | null {
  const wanted = text.trim().toLowerCase()
  return PATIENT_TYPES_OF[country].find((type) => type.toLowerCase() === wanted) ?? ALSO[country][wanted] ?? null
}
