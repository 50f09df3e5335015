import { ACTION_KINDS } from '@pillar/domain/audit/action-words'
import { z } from 'zod'
import { read, write } from '../wire/call.ts'
import { dayInput } from '../wire/dates.ts'
import { listInput, listOf } from '../wire/list.ts'
import { longFile } from '../wire/long-file.ts'

const Changed = z.object({
  /** The uuid of the record, if the act covered several. */
  object: z.string().nullable(),
  fields: z.array(z.object({ label: z.string(), before: z.string(), after: z.string() })),
})

const act = {
  /** The number of the row. */
  id: z.string(),
  at: z.iso.datetime(),
  /** The call or event, such as 'company.edit', and its wording: 'edited a company'. */
  action: z.string(),
  words: z.string(),
  kind: z.enum(ACTION_KINDS),
  /** What it was about, and its name at the time. */
  object: z.string().nullable(),
  object_name: z.string().nullable(),
  /** The reason support gave, where one was required. */
  reason: z.string().nullable(),
}

export const AuditRow = z.object({
  ...act,
  /** The company whose log holds it; null for the platform's. */
  company: z.object({ uuid: z.uuid(), name: z.string() }).nullable(),
  /** Null for a patient's act or the platform's own. */
  person: z.object({ uuid: z.uuid(), name: z.string(), username: z.string() }).nullable(),
  session: z.uuid().nullable(),
  /** Where it came from, coarsely: the network and the browser family. */
  network: z.string().nullable(),
  agent: z.string().nullable(),
  changes: z.array(Changed),
  /** Further details of the row, as label and value. */
  facts: z.array(z.object({ label: z.string(), value: z.string() })),
})
export type AuditRow = z.output<typeof AuditRow>

/** A row of the log, as head office reads it. */
export const Activity = z.object({
  ...act,
  /** A person of the company, 'Pillar support', 'A patient', or the product itself. */
  who: z.string(),
  support: z.boolean(),
  changes: z.array(Changed),
})
export type Activity = z.output<typeof Activity>

const when = {
  /** Days, both included, in the country's own time. */
  from: dayInput.nullish(),
  to: dayInput.nullish(),
  sort_order: z.enum(['asc', 'desc']).default('desc'),
}
const sorts = ['at'] as const

/** The most rows one file holds. */
export const AUDIT_FILE_ROWS = 50_000
/** A list stops counting here. */
export const AUDIT_COUNTED = 10_000

const asked = listInput(sorts, {
  /** The uuid of a company, for its own log. Without it, an act over several companies appears once. */
  company: z.uuid().nullish(),
  kind: z.enum(ACTION_KINDS).nullish(),
  action: z.string().max(100).nullish(),
  ...when,
})

const Fault = z.string()

const status = read({
  path: '/api/audit/admin/status',
  needs: 'sr_login',
  reach: 'platform',
  about: 'When the audit chains were last verified, and the result.',
  example: {},
  input: z.object({}),
  output: z.object({
    /** The last verification that finished. */
    last: z
      .object({
        ended_at: z.iso.datetime(),
        chains: z.number(),
        rows: z.number(),
        anchors: z.number(),
        /** A sentence for each broken chain. */
        faults: z.array(Fault),
        /** Why the verification could not be done. */
        failure: z.string().nullable(),
      })
      .nullable(),
    /** When the verification that is running or waiting began. */
    running_since: z.iso.datetime().nullable(),
  }),
})

export const audit = {
  search: read({
    path: '/api/audit/admin/search',
    needs: 'sr_login',
    reach: 'platform',
    about:
      'Who did what, on which object, before and after, when and from where; newest first. `search_term` is part of a person’s name, the beginning of an object’s name, a uuid of an object, person or session, or the number of a row. ' +
      'Counts no further than 10,000.',
    example: { page: 1, search_term: 'marsh', kind: 'change', from: '2026-11-01' },
    input: asked,
    output: listOf(AuditRow),
  }),
  csv: read({
    path: '/api/audit/admin/csv',
    needs: 'sr_login',
    reach: 'platform',
    answer: 'csv',
    long: true,
    scratch: true,
    about: 'The rows that `search` finds, up to 50,000, as a file. The export is itself in the audit.',
    example: { kind: 'change' },
    input: asked,
    output: longFile,
  }),
  status,
  verify: write({
    path: '/api/audit/admin/verify',
    needs: 'sr_login',
    reach: 'platform',
    refreshes: () => [status],
    about: 'Verifies all chains in the background; `status` has the result.',
    example: {},
    input: z.object({}),
    output: z.object({ uuid: z.uuid() }),
  }),
  activity: read({
    path: '/api/activity/enterprise',
    needs: 'data_analytics',
    about:
      'Who did what in the company, and what support looked at or changed; newest first. Counts no further than 10,000.',
    example: { page: 1, by: 'support' },
    input: listInput(sorts, {
      by: z.enum(['support', 'company']).nullish(),
      kind: z.enum(ACTION_KINDS).nullish(),
      ...when,
    }),
    output: listOf(Activity),
  }),
}
