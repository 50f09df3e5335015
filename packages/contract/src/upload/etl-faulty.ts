import { FAULTY_STATES, SILENCE } from '@pillar/domain/upload/faulty-upload'
import { UPLOAD_NOTE_LIMIT } from '@pillar/domain/upload/upload-request'
import { z } from 'zod'
import { read, write } from '../wire/call.ts'
import { instantInput } from '../wire/dates.ts'
import { listInput, listOf } from '../wire/list.ts'
import { searchField } from '../wire/paging.ts'

/** Rows per page of the list of faulty uploads; the specification sets them. */
export const FAULTY_PER_PAGE = [10, 5, 20, 50] as const

const time = z.iso.datetime().nullable()
const Person = z.object({ uuid: z.uuid(), name: z.string() })
const PHARMACY = '01980000-0000-7000-8000-00000000000b'

/** A pharmacy whose uploads need attention. */
export const FaultyPharmacy = z.object({
  id: z.uuid(),
  name: z.string(),
  company: Person,
  time_zone: z.string(),
  data_source: z.string().nullable(),
  status: z.enum(FAULTY_STATES),
  /** The newest upload after the last completed one; null if there is none. */
  upload: z.uuid().nullable(),
  upload_time: time,
  notes: z.string(),
  /** The number of its rows that were not loaded. */
  faults: z.number(),
  requested_at: time,
  requested_by: z.string().nullable(),
  last_successful_upload_on: time,
  /** Full business days since then, in the pharmacy's time zone. */
  silent_days: z.number().nullable(),
  added_at: z.iso.datetime(),
  next_step: z.string(),
  assigned_to: Person.nullable(),
  note: z.string(),
  snoozed_until: time,
  /** Snoozed until its state changes. */
  snoozed_until_change: z.boolean(),
  version: z.number(),
})
export type FaultyPharmacy = z.output<typeof FaultyPharmacy>

const silence = {
  hours: z.number().int().min(1).max(SILENCE.mostHours).nullish(),
  business_days: z.number().int().min(1).max(SILENCE.mostBusinessDays).nullish(),
}
const count = z.number()

/** The filters of the list; the same for 'Select All Matching'. */
const filterFields = {
  module: z.literal('strong_pro').default('strong_pro'),
  filters: z.object({ show_no_uploads: z.boolean().default(true), ...silence }).default({ show_no_uploads: true }),
  status: z.enum(FAULTY_STATES, 'Please choose one of the states of the list.').nullish(),
  assigned: z.enum(['me', 'nobody']).nullish(),
  /** Show snoozed pharmacies instead of the others. */
  snoozed: z.boolean().default(false),
}
export const FaultyFilter = z.object({ ...filterFields, search_term: searchField })
const asked = listInput(['status', 'name', 'company', 'upload_time', 'last_successful_upload_on'], {
  ...filterFields,
  per_page: z.union(FAULTY_PER_PAGE.map((size) => z.literal(size))).default(10),
}).extend({ sort_order: z.enum(['asc', 'desc']).default('desc') })

export const faulty = read({
  path: '/api/support/get-faulty-etl-pharmacies',
  needs: 'sr_login',
  reach: 'platform',
  about: 'Pharmacies whose newest upload failed or never came; with `show_no_uploads`, also those silent for too long.',
  example: { module: 'strong_pro', filters: { show_no_uploads: true, business_days: 4 } },
  input: asked,
  output: listOf(FaultyPharmacy, 'etl_items').extend({
    etl_stats: z.object({
      TOTAL: count,
      noUploadPharmacies: count,
      'NEVER UPLOADED': count,
      COMPLETED: count,
    }),
    /** Counts by state and by dispensing system, over all pages, ignoring the search and snoozed pharmacies. */
    breakdown: z.object({
      states: z.array(z.object({ state: z.enum(FAULTY_STATES), count })),
      sources: z.array(z.object({ data_source: z.string().nullable(), count })),
    }),
    snoozed: count,
    /** When the pharmacy that has waited longest for its first upload was added, and when anything was last loaded. */
    oldest_added_at: time,
    last_completed_at: time,
    checked_at: z.iso.datetime(),
  }),
})

export const faultyCsv = read({
  path: '/api/support/faulty-etl-pharmacies-csv',
  needs: 'sr_login',
  reach: 'platform',
  answer: 'csv',
  scratch: true,
  about: 'All pharmacies that the list finds, as a file. The export is in the audit.',
  example: { module: 'strong_pro', filters: { show_no_uploads: true, business_days: 4 } },
  input: asked,
  output: z.object({ filename: z.string(), text: z.string() }),
})

export const people = read({
  path: '/api/support/people',
  needs: 'sr_login',
  reach: 'platform',
  about: 'The support people to whom work can be assigned.',
  example: {},
  input: z.object({}),
  output: z.object({
    data: z.array(
      Person.extend({
        /** Whether this is the caller. */
        me: z.boolean(),
      }),
    ),
  }),
})

export const work = write({
  path: '/api/support/faulty-etl-pharmacy/{id}/edit',
  needs: 'sr_login',
  reach: 'platform',
  refreshes: () => [faulty],
  about:
    'Assigns a pharmacy on the list to a person, saves a note about it, or snoozes it. Fields left out stay unchanged.',
  example: { id: PHARMACY, note: 'They change their system on Friday.', version: 0 },
  input: z.object({
    id: z.uuid(),
    /** A support person; null for nobody. */
    assigned_to: z.uuid().nullable().optional(),
    note: z.string().max(UPLOAD_NOTE_LIMIT).optional(),
    /** Null: not snoozed. */
    snoozed_until: instantInput.nullable().optional(),
    /** Snoozed until its state changes. */
    snoozed_until_change: z.boolean().optional(),
    /** 0 before the first edit. */
    version: z.number().int().nullish(),
  }),
  output: z.object({ version: z.number() }),
})
