import { z } from 'zod'
import { read, write } from '../wire/call.ts'
import { SendingRules } from './sending.ts'

const id = z.uuid()
const COMPANY = '01980000-0000-7000-8000-000000000002'
const PHARMACY = '01980000-0000-7000-8000-000000000003'
const { cap_messages, cap_hours, week, holidays_quiet } = SendingRules.shape

const sender = {
  /** A name or a number. Null uses the company's sender, or else the installation's. */
  sms_sender: z.string().max(20).nullable(),
  /** Whether the name is registered, so that phones show it. */
  sms_sender_registered: z.boolean(),
  sms_sender_registration: z.string().max(60).nullable(),
}
const version = z.number().int().nullish()

export const CompanySending = SendingRules.extend({
  ...sender,
  version: z.number(),
  holidays_to: z.iso.date().nullable(),
})
export type CompanySending = z.output<typeof CompanySending>

const own = {
  ...sender,
  /** The pharmacy's own hours, which replace the company's; null to use the company's. */
  week: week.nullable(),
  holidays_quiet: holidays_quiet.nullable(),
  /** The pharmacy's own limit. It applies beside the company's, and the stricter one wins. Null: only the company's applies. */
  cap_messages: cap_messages.nullable(),
  cap_hours: cap_hours.nullable(),
}
export const PharmacySending = z.object({ ...own, version: z.number(), company: CompanySending })
export type PharmacySending = z.output<typeof PharmacySending>

const ofCompany = read({
  path: '/api/company/{id}/sending',
  needs: 'sr_login',
  reach: { company: (input: { id: string }) => input.id },
  about: 'The sender and the sending rules of a company.',
  example: { id: COMPANY },
  input: z.object({ id }),
  output: CompanySending,
})

const ofPharmacy = read({
  path: '/api/location/{id}/sending',
  needs: 'sr_login',
  reach: { location: (input: { id: string }) => input.id },
  about: 'The sender and the sending rules of a pharmacy, with those of its company.',
  example: { id: PHARMACY },
  input: z.object({ id }),
  output: PharmacySending,
})

const open = { sms_sender: null, sms_sender_registered: false, sms_sender_registration: null }
const WEEK = [[540, 1020], [540, 1020], [540, 1020], [540, 1020], [540, 1020], null, null] as const

/** Senders, quiet hours and frequency limits of companies and pharmacies in the support console. */
export const sendingAdmin = {
  ofCompany,
  ofPharmacy,
  saveCompany: write({
    path: '/api/company/{id}/sending/save',
    needs: 'sr_login',
    reach: { company: (input: { id: string }) => input.id },
    stepUp: 'save',
    refreshes: () => [ofCompany, ofPharmacy],
    about: 'Changes the sender and the sending rules of a company, for messages not yet sent.',
    example: {
      ...{ id: COMPANY, ...open, cap_messages: 4, cap_hours: 168, holidays_quiet: true, holdout_percent: 10 },
      week: [...WEEK] as never,
      version: 0,
    },
    input: SendingRules.extend({ id, ...sender, version }),
    output: CompanySending,
  }),
  savePharmacy: write({
    path: '/api/location/{id}/sending/save',
    needs: 'sr_login',
    reach: { location: (input: { id: string }) => input.id },
    stepUp: 'save',
    refreshes: () => [ofPharmacy],
    about: 'Changes the sender and the sending rules of a pharmacy, for messages not yet sent.',
    example: { id: PHARMACY, ...open, week: null, holidays_quiet: null, cap_messages: 1, cap_hours: 168, version: 0 },
    input: z.object({ id, ...own, version }),
    output: PharmacySending,
  }),
}
