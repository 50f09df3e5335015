import type { Country } from '../time/locale.ts'

/**
 * Who pays for a supply, over all countries. A supply keeps the place in this list, counted from 1 (0 unknown): names are added at the
 * end, none is moved or removed.
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
 * The types a country's pharmacies tell apart: Australia by the PBS price paid (domain.md section 13); the United Kingdom by the NHS charge
 * (paid, exempt, by prepayment certificate) or a private script; the United States by the payer.
 */
export const PATIENT_TYPES_OF: Readonly<Record<Country, readonly PatientType[]>> = {
  AU: ['General', 'Concession', 'Safety Net', 'DVA', 'CTG', 'Private'],
  GB: ['NHS paying', 'NHS exempt', 'NHS prepaid', 'Private'],
  US: ['Commercial', 'Medicare', 'Medicaid', 'Military and VA', 'Cash'],
}

/** Other spellings that files have, in lower case. */
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

/** A country's type as a file spells it, in any case; null when it is none of them. */
export function patientTypeOf(country: Country, text: string): PatientType | null {
  const wanted = text.trim().toLowerCase()
  return PATIENT_TYPES_OF[country].find((type) => type.toLowerCase() === wanted) ?? ALSO[country][wanted] ?? null
}
