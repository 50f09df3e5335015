import { LEAST_LETTERS, saysWhy } from '@pillar/domain/text/reason'
import { z } from 'zod'
import { write } from '../wire/call.ts'

const COMPANY = '01980000-0000-7000-8000-000000000002'
const PHARMACY = '01980000-0000-7000-8000-000000000003'

/** Erasing people for good, in the support console. */
export const erasure = {
  erasePatient: write({
    path: '/api/company/{id}/erase-patient',
    needs: 'sr_login',
    reach: {
      company: (input: { id: string; reason: string }) => input.id,
      reason: (input: { reason: string }) => input.reason,
    },
    stepUp: 'delete',
    about:
      'Erases a patient for good: name, contacts, birth date, free text and messages, at every pharmacy of the company with a record of that person. Dispensed scripts stay in the figures anonymously; Schedule 8 register entries stay, marked as erased.',
    example: {
      id: COMPANY,
      location_id: PHARMACY,
      number: '104417',
      last_name: 'Moran',
      reason: 'Asked in writing on 12 November, identity checked by the pharmacy',
    },
    input: z.object({
      id: z.uuid(),
      location_id: z.uuid(),
      /** The patient's number in the dispensing system of that pharmacy. */
      number: z.string().trim().min(1, 'Please enter the number of the patient.').max(200),
      last_name: z.string().trim().min(1, 'Please enter the last name.').max(200),
      reason: z
        .string('Please enter a reason.')
        .trim()
        .min(LEAST_LETTERS, 'Please enter a reason.')
        .refine(saysWhy, 'Please enter a reason.')
        .max(300, 'Please enter a reason of at most 300 characters.'),
    }),
    output: z.object({
      /** The person's records across the company's pharmacies. */
      records: z.number(),
      /** Schedule 8 register entries, which the law requires to be kept. */
      held: z.number(),
      /** Finished uploads whose files were removed. */
      files: z.number(),
    }),
  }),
}
