import { UPLOAD_NOTE_LIMIT } from '@pillar/domain/upload/upload-request'
import { UPLOAD_STATES } from '@pillar/domain/upload/upload-state'
import { z } from 'zod'
import { company } from '../company/company-admin.ts'
import { read, write } from '../wire/call.ts'
import { instantInput } from '../wire/dates.ts'
import { listInput, listOf } from '../wire/list.ts'
import { FaultyFilter, faulty, faultyCsv, people, work } from './etl-faulty.ts'

const id = z.uuid()
const time = z.iso.datetime().nullable()
const instant = instantInput.nullish()
/** The most pharmacies one call can ask for uploads. */
export const REQUESTS_AT_ONCE = 1000
const reason = z.string().max(UPLOAD_NOTE_LIMIT).default('')
const PHARMACY = '01980000-0000-7000-8000-00000000000b'
const UPLOAD = '01980000-0000-7000-8000-00000000000a'

/** An upload of a pharmacy, or a request for one. */
export const QueueItem = z.object({
  uuid: z.uuid(),
  etl_state: z.enum(UPLOAD_STATES),
  etl_completed: z.boolean(),
  etl_start_time: time,
  etl_stop_time: time,
  /** When all files had arrived. */
  location_upload_time: time,
  last_updated: z.iso.datetime(),
  /** When the server recorded it: with its files, or as a request. */
  server_timestamp: z.iso.datetime(),
  /** When it began: with support's request, otherwise when the files arrived. */
  timestamp: z.iso.datetime(),
  initial_upload: z.boolean(),
  support_initiated: z.boolean(),
  data_source: z.string(),
  notes: z.string(),
  /** For a request: who asked, and for what time. */
  requested_by: z.string().nullable(),
  requested_from: time,
  requested_to: time,
  /** The number of rows that were not loaded. */
  faults: z.number(),
  files: z.array(z.object({ id: z.uuid(), file_type: z.string(), file_path: z.string(), bytes: z.number() })),
})
export type QueueItem = z.output<typeof QueueItem>

const queue = read({
  path: '/api/support/view-etl-queue-items',
  needs: 'sr_login',
  reach: 'platform',
  about:
    'The uploads of pharmacies, newest first, with their files; unknown pharmacies are left out. `before` continues where the last answer ended.',
  example: { id: [PHARMACY] },
  input: z.object({
    id: z.array(id).min(1).max(100),
    /** The last upload of the previous page. */
    before: id.nullish(),
    limit: z.number().int().min(1).max(1000).default(50),
  }),
  output: z.array(
    z.object({
      pharmacy: z.uuid(),
      name: z.string(),
      time_zone: z.string(),
      data_source: z.string().nullable(),
      queue: z.array(QueueItem),
      /** Whether there are older ones. */
      more: z.boolean(),
    }),
  ),
})

const UploadFault = z.object({
  file_type: z.string(),
  line: z.number(),
  column: z.string(),
  value: z.string(),
  reason: z.string(),
})
export type UploadFault = z.output<typeof UploadFault>

const Loaded = z.object({
  uuid: z.uuid(),
  etl_state: z.enum(UPLOAD_STATES),
  data_source: z.string(),
  initial_upload: z.boolean(),
  timestamp: z.iso.datetime(),
  /** People in its scripts; null if it has not been read that far. */
  patients: z.number().nullable(),
  /** First and last day of its scripts, and the number of days between them. */
  first_day: z.iso.date().nullable(),
  last_day: z.iso.date().nullable(),
  days: z.number().nullable(),
})

const comparison = read({
  path: '/api/support/compare-etl-queue-item',
  needs: 'sr_login',
  reach: 'platform',
  about: 'An upload compared with the last one completed before it: rows of each file, patients and days. Counts only.',
  example: { id: PHARMACY, uuid: UPLOAD },
  input: z.object({ id, uuid: z.uuid() }),
  output: z.object({
    upload: Loaded,
    previous: Loaded.nullable(),
    files: z.array(
      z.object({ file_type: z.string(), rows: z.number().nullable(), previous_rows: z.number().nullable() }),
    ),
  }),
})

const faults = read({
  path: '/api/support/etl-row-faults',
  needs: 'sr_login',
  reach: { location: (input: { id: string }) => input.id },
  subject: ({ uuid }) => uuid,
  about: 'The rows of an upload that were not loaded: file, line, column, value and reason. The first 1,000 are kept.',
  example: { id: PHARMACY, uuid: UPLOAD },
  input: listInput(['line'], { id, uuid: z.uuid() }),
  output: listOf(UploadFault, 'faults').extend({
    /** Faulty rows, including those that are not kept. */
    counted: z.number(),
  }),
})

/** Includes lists of companies and pharmacies, because their rows show the state of uploads. */
const stale = () => [queue, faulty, company.locations, company.search, company.getCompanies]

/** Uploads in the support console. */
export const etl = {
  queue,
  faulty,
  faultyCsv,
  work,
  people,
  comparison,
  faults,
  faultsCsv: read({
    path: '/api/support/etl-row-faults-csv',
    needs: 'sr_login',
    reach: { location: (input: { id: string }) => input.id },
    subject: ({ uuid }) => uuid,
    answer: 'csv',
    about: 'The same rows as a file for the pharmacy.',
    example: { id: PHARMACY, uuid: UPLOAD },
    input: z.object({ id, uuid: z.uuid() }),
    output: z.object({ filename: z.string(), text: z.string() }),
  }),
  request: write({
    path: '/api/support/request-pharmacy-upload',
    needs: 'sr_login',
    reach: 'platform',
    subject: ({ id, filter }) => id ?? `matching ${JSON.stringify(filter)}`,
    refreshes: stale,
    about:
      'Requests an upload from one or more pharmacies, or from all that match a filter of the list of faulty uploads. Their upload command then sends it. Returns the outcome for each.',
    example: { id: PHARMACY, data_source: 'fred', from: null, to: null, initial_upload: false },
    input: z
      .object({
        id: z.union([id, z.array(id).min(1).max(REQUESTS_AT_ONCE)]).nullish(),
        /** Instead of ids: every pharmacy on the list that it matches, at most 1,000. */
        filter: FaultyFilter.nullish(),
        /** With a filter: the number the screen showed; a 409 if it now matches a different number. */
        expected_count: z.number().int().min(0).nullish(),
        /** Left out: each pharmacy's own source. */
        data_source: z.string().max(40).nullish(),
        from: instant,
        to: instant,
        initial_upload: z.boolean().default(false),
      })
      .refine(({ id, filter }) => (id == null) !== (filter == null), 'Please select at least one pharmacy.'),
    output: z.object({
      requested: z.array(z.object({ pharmacy: z.uuid(), name: z.string(), uuid: z.uuid() })),
      not_requested: z.array(z.object({ pharmacy: z.uuid(), name: z.string(), reason: z.string() })),
    }),
  }),
  remove: write({
    path: '/api/support/delete-etl-queue-items',
    needs: 'sr_login',
    reach: { location: (input: { id: string }) => input.id },
    subject: ({ uuid }) => uuid,
    stepUp: 'delete',
    refreshes: stale,
    about: 'Removes uploads that wait to be loaded, or single files of them. Returns what was removed.',
    example: { id: PHARMACY, uuid: [UPLOAD] },
    input: z.object({ id, uuid: z.array(z.uuid()).min(1).max(100) }),
    output: z.array(z.uuid()),
  }),
  override: write({
    path: '/api/support/override-etl-queue-item',
    needs: 'sr_login',
    reach: {
      location: (input: { id: string; reason: string }) => input.id,
      reason: (input: { reason: string }) => input.reason,
    },
    subject: ({ uuid }) => uuid,
    stepUp: 'save',
    refreshes: stale,
    about:
      'Loads a waiting or failed upload without the checks that compare it with what is stored. The company’s log keeps the reason.',
    example: { id: PHARMACY, uuid: UPLOAD, reason: 'Ticket 81: the pharmacy has closed its second counter.' },
    input: z.object({ id, uuid: z.uuid(), reason }),
    output: z.object({
      /** Uploads loaded since then; rows they changed are reset to this upload's values. */
      later: z.number(),
    }),
  }),
}
