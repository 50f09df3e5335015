import { UPLOAD_STATES } from '@pillar/domain/upload/upload-state'
import { z } from 'zod'
import { read, write } from '../wire/call.ts'
import { dayInput, instantInput } from '../wire/dates.ts'

export const upload = {
  send: write({
    path: '/api/etl/upload',
    needs: 'location-key',
    body: 'multipart',
    about:
      'Receives a pharmacy’s files (multipart: fields first, then one file per set; gzip allowed) and queues them.',
    example: { data_source: 'fred', initial_upload: 'false' },
    input: z.object({
      data_source: z.string().max(40),
      initial_upload: z.stringbool().default(false),
      from: instantInput.or(dayInput).nullish(),
      to: instantInput.or(dayInput).nullish(),
      /** Set by the sender so that an interrupted upload can resume under the same id. */
      uuid: z.uuid().optional(),
      /** Days to shift every date by; only for sources with dates shifted for privacy (omop). */
      date_shift_days: z.coerce.number().int().min(-40_000).max(40_000).optional(),
      /** JSON: the bytes of each set already on the server, from etl/status; the files contain the rest. */
      offsets: z.string().max(1000).optional(),
    }),
    output: z.object({ uuid: z.uuid(), etl_state: z.enum(UPLOAD_STATES), repeated: z.boolean() }),
  }),
  status: read({
    path: '/api/etl/status',
    needs: 'location-key',
    about: 'State, counts and faulty rows of one upload; for an unfinished one, the bytes already received.',
    example: { uuid: '01980000-0000-7000-8000-00000000000a' },
    input: z.object({ uuid: z.uuid() }),
    output: z.object({
      uuid: z.uuid(),
      etl_state: z.enum(UPLOAD_STATES).nullable(),
      data_source: z.string().nullable(),
      initial_upload: z.boolean(),
      notes: z.string(),
      received_at: z.iso.datetime().nullable(),
      started_at: z.iso.datetime().nullable(),
      stopped_at: z.iso.datetime().nullable(),
      /** Earliest time of the next attempt after a server fault. */
      retry_at: z.iso.datetime().nullable(),
      files: z.array(
        z.object({
          file_type: z.string(),
          received_bytes: z.number(),
          rows: z.number().nullable(),
          loaded: z.number().nullable(),
          faulty: z.number().nullable(),
        }),
      ),
      faults: z.array(
        z.object({
          file_type: z.string(),
          line: z.number(),
          column: z.string(),
          value: z.string(),
          reason: z.string(),
        }),
      ),
      fault_count: z.number(),
    }),
  }),
  requests: read({
    path: '/api/etl/requests',
    needs: 'location-key',
    about: 'Uploads that support has requested of the pharmacy and that have not arrived, oldest first.',
    example: {},
    input: z.object({}),
    output: z.object({
      requests: z.array(
        z.object({
          /** Send it as the uuid of the upload, which then fulfils the request, once. */
          uuid: z.uuid(),
          data_source: z.string(),
          initial_upload: z.boolean(),
          from: z.iso.datetime().nullable(),
          to: z.iso.datetime().nullable(),
          requested_at: z.iso.datetime(),
        }),
      ),
    }),
  }),
}
