import { KEY_OVERLAP_DAYS } from '@pillar/domain/upload/upload-key'
import { z } from 'zod'
import { read, write } from '../wire/call.ts'
import { instantInput } from '../wire/dates.ts'

/** A pharmacy's upload key, without the secret. */
export const LocationKey = z.object({
  key_id: z.uuid(),
  /** Its first letters; null if only the hash was kept. */
  prefix: z.string().nullable(),
  created_at: z.iso.datetime(),
  /** Rounded to the minute. */
  last_used_at: z.iso.datetime().nullable(),
  /** Null: valid until replaced. */
  ends_at: z.iso.datetime().nullable(),
})
export type LocationKey = z.output<typeof LocationKey>

const id = z.uuid()
const key_id = z.uuid()
const PHARMACY = '01980000-0000-7000-8000-000000000003'
const KEY = '01980000-0000-7000-8000-000000000005'

const list = read({
  path: '/api/location/{id}/keys',
  needs: 'sr_login',
  reach: 'platform',
  about: 'A pharmacy’s working upload keys, newest first, and those that ended in the last 30 days.',
  example: { id: PHARMACY },
  input: z.object({ id }),
  output: z.object({ data: z.array(LocationKey) }),
})

/** Upload keys of pharmacies in the support console. */
export const locationKey = {
  list,
  show: write({
    path: '/api/location/{id}/key/{key_id}/show',
    again: true,
    needs: 'sr_login',
    reach: 'platform',
    stepUp: 'save',
    about: 'Shows an upload key. The company’s log records each time.',
    example: { id: PHARMACY, key_id: KEY },
    input: z.object({ id, key_id }),
    output: z.object({ key: z.string() }),
  }),
  replace: write({
    path: '/api/location/{id}/key/replace',
    tellsOnce: true,
    needs: 'sr_login',
    reach: 'platform',
    stepUp: 'save',
    refreshes: () => [list],
    about:
      'Gives a pharmacy a new upload key. The old one keeps working for some days, so that the pharmacy can switch.',
    example: { id: PHARMACY, overlap_days: 7 },
    input: z.object({
      id,
      overlap_days: z.number().int().min(0).max(KEY_OVERLAP_DAYS.most).default(KEY_OVERLAP_DAYS.standard),
    }),
    output: z.object({ key_id: z.uuid(), key: z.string() }),
  }),
  end: write({
    path: '/api/location/{id}/key/{key_id}/end',
    needs: 'sr_login',
    reach: 'platform',
    stepUp: 'delete',
    refreshes: () => [list],
    about: 'Ends a replaced key at once, or earlier than planned.',
    example: { id: PHARMACY, key_id: KEY },
    input: z.object({
      id,
      key_id,
      /** Left out: now. */
      ends_at: instantInput.nullish(),
    }),
    output: LocationKey,
  }),
}
