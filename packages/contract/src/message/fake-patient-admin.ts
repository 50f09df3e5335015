import {
  CONTACT_CODE,
  FAKE_ID,
  FAKE_LEVEL_DEFAULT,
  FAKE_SEXES,
  NO_CONTACT_REASONS,
} from '@pillar/domain/message/fake-patient'
import { z } from 'zod'
import { read, write } from '../wire/call.ts'
import { needed } from '../wire/needed.ts'

const PHARMACY = '01980000-0000-7000-8000-00000000000b'
const CAMPAIGN = '01980000-0000-7000-8000-000000000003'
const fakeId = z.number().int().min(FAKE_ID.least).max(FAKE_ID.most)
const level = z.number().int().min(1).max(5)
const scripts = z.number().int().min(0).max(9999)
const text = (most: number) => z.string().max(most)
const reasonOf = <T extends string>(reasons: readonly T[]) =>
  z.enum(reasons, 'Please choose a no-contact reason from the list.').nullish()

const fields = {
  id: fakeId,
  first_name: text(100),
  last_name: text(100),
  age: z.number().int().min(0).max(120).nullish(),
  sex: z.enum(FAKE_SEXES).nullish(),
  /** A number or address the support person has confirmed as their own; empty for none. */
  mobile: text(40),
  email: text(254),
  address: text(200),
  medicare: text(20),
  dva: text(20),
  adherence_level: level,
  loyalty_level: level,
  leaked_scripts: scripts,
  total_scripts: scripts,
  /** The reason for which a test holds their texts or emails back. */
  sms_nocontact_reason: reasonOf(NO_CONTACT_REASONS),
  email_nocontact_reason: reasonOf(NO_CONTACT_REASONS),
}

/** A field with a default, which applies when it is left out or null. */
const or = <T extends z.ZodType>(schema: T, none: z.output<T>) => schema.nullish().transform((value) => value ?? none)
const reason = reasonOf([...NO_CONTACT_REASONS, '']).transform((value) => value || null)
const Given = z.object({
  ...fields,
  first_name: or(fields.first_name, ''),
  last_name: or(fields.last_name, ''),
  mobile: or(fields.mobile, ''),
  email: or(fields.email, ''),
  address: or(fields.address, ''),
  medicare: or(fields.medicare, ''),
  dva: or(fields.dva, ''),
  adherence_level: or(level, FAKE_LEVEL_DEFAULT),
  loyalty_level: or(level, FAKE_LEVEL_DEFAULT),
  leaked_scripts: or(scripts, 0),
  total_scripts: or(scripts, 0),
  /** Empty text means none. */
  sms_nocontact_reason: reason,
  email_nocontact_reason: reason,
})
export const FakePatient = z.object({
  ...fields,
  /** Whether tests reach them there now; a confirmation lasts 30 days. */
  sms_reachable: z.boolean(),
  email_reachable: z.boolean(),
  added_by: z.string().nullable(),
  added_at: z.iso.datetime(),
})
export type FakePatient = z.output<typeof FakePatient>

const at = { location: ({ id }: { id: string }) => id }
const id = z.uuid()

const list = read({
  path: '/api/support/get-fake-patients',
  needs: 'sr_login',
  reach: at,
  about: 'Fake patients of a pharmacy, by id, or all if no ids are given. Figures and real campaigns leave them out.',
  example: { id: PHARMACY },
  input: z.object({ id, patient_ids: z.array(fakeId).max(1000).nullish() }),
  output: z.object({ fake_patient_list: z.array(FakePatient) }),
})

const campaigns = read({
  path: '/api/support/fake-patient-campaigns',
  needs: 'sr_login',
  reach: at,
  about: 'Campaigns of a pharmacy whose messages can be tested on its fake patients.',
  example: { id: PHARMACY },
  input: z.object({ id }),
  output: z.object({ campaigns: z.array(z.object({ campaign_id: z.uuid(), name: z.string() })) }),
})

const contacts = read({
  path: '/api/support/own-contacts',
  needs: 'sr_login',
  reach: 'platform',
  about: 'Numbers and addresses that the support person has confirmed as their own, or is about to.',
  example: {},
  input: z.object({}),
  output: z.object({
    contacts: z.array(
      z.object({
        contact_id: z.uuid(),
        channel: z.enum(['sms', 'email']),
        contact: z.string(),
        confirmed: z.boolean(),
        expires_at: z.iso.datetime().nullable(),
      }),
    ),
  }),
})

/** Fake patients, and the numbers support may send tests to. */
export const fakePatient = {
  list,
  campaigns,
  contacts,
  add: write({
    path: '/api/support/add-fake-patients',
    needs: 'sr_login',
    reach: at,
    stepUp: 'save',
    refreshes: () => [list],
    about:
      'Adds a fake patient to a pharmacy. Texts and emails reach only what the support person has confirmed as their own.',
    example: { id: PHARMACY, patient: { id: -48213, first_name: 'Testa', last_name: 'Person' } },
    input: z.object({ id, patient: Given }),
    output: FakePatient,
  }),
  remove: write({
    path: '/api/support/delete-fake-patients',
    needs: 'sr_login',
    reach: at,
    stepUp: 'delete',
    refreshes: () => [list],
    about: 'Removes fake patients of a pharmacy.',
    example: { id: PHARMACY, patient_ids: [-48213] },
    input: z.object({ id, patient_ids: z.array(fakeId, needed('Please select a fake patient.')).min(1).max(1000) }),
    output: z.object({ removed: z.number() }),
  }),
  test: write({
    path: '/api/support/test-fake-patients',
    needs: 'sr_login',
    reach: at,
    stepUp: 'activate',
    about:
      'Sends the messages of a campaign to the fake patients of a pharmacy, at once, through the ledger that real messages go through. The campaign and its results do not change.',
    example: { id: PHARMACY, campaign_id: CAMPAIGN },
    input: z.object({ id, campaign_id: z.uuid() }),
    output: z.object({ queued: z.number(), held_back: z.number(), simulated: z.boolean() }),
  }),
  askCode: write({
    path: '/api/support/own-contacts/ask-code',
    needs: 'sr_login',
    reach: 'platform',
    refreshes: () => [contacts],
    about: 'Sends a one-time code to a number or address that the support person wants to confirm as their own.',
    example: { channel: 'sms', contact: '0412 000 111' },
    input: z.object({ channel: z.enum(['sms', 'email']), contact: z.string().max(254) }),
    output: z.object({ contact_id: z.uuid(), contact: z.string(), simulated: z.boolean() }),
  }),
  confirmCode: write({
    path: '/api/support/own-contacts/{contact_id}/confirm',
    needs: 'sr_login',
    reach: 'platform',
    refreshes: () => [contacts, list],
    about: `Confirms a number or address with the code that was sent there. It lasts ${CONTACT_CODE.days} days.`,
    example: { contact_id: '01980000-0000-7000-8000-000000000004', code: '123456' },
    input: z.object({ contact_id: z.uuid(), code: z.string().max(20) }),
    output: z.object({ confirmed: z.boolean(), contact: z.string(), expires_at: z.iso.datetime().nullable() }),
  }),
}
