import { SEQUENCE_EVENT_NAME_LIMIT, SEQUENCE_EVENT_VALUES } from '@pillar/domain/campaign/sequence'
import { z } from 'zod'
import { read, write } from '../wire/call.ts'
import { listInput, listOf } from '../wire/list.ts'

export const SequenceEvent = z.object({
  event_id: z.uuid(),
  name: z.string(),
  /** An event that starts a sequence for a patient. */
  value: z.enum(SEQUENCE_EVENT_VALUES),
  /** Pharmacy sequences and recommended sequences that start with this event. */
  sequences: z.number(),
  recommended_sequences: z.number(),
  version: z.number(),
})
export type SequenceEvent = z.output<typeof SequenceEvent>

const fields = {
  name: z.string().max(SEQUENCE_EVENT_NAME_LIMIT).default(''),
  /** When null or left out, one sentence names this field and the missing name. */
  value: z.enum(SEQUENCE_EVENT_VALUES).nullish(),
}
const event_id = z.uuid()
const EVENT = '01980000-0000-7000-8000-000000000001'

const list = read({
  path: '/api/sequence-event/admin/list',
  needs: 'sr_login',
  reach: 'platform',
  about: 'The events a sequence can start with.',
  example: { page: 1 },
  input: listInput(['name', 'value', 'sequences']),
  output: listOf(SequenceEvent, 'sequence_events'),
})

const info = read({
  path: '/api/sequence-event/admin/{event_id}/info',
  needs: 'sr_login',
  reach: 'platform',
  about: 'One sequence event.',
  example: { event_id: EVENT },
  input: z.object({ event_id }),
  output: SequenceEvent,
})

/** Sequence events in the support console. */
export const sequenceEvent = {
  list,
  info,
  create: write({
    path: '/api/sequence-event/admin/create',
    needs: 'sr_login',
    reach: 'platform',
    refreshes: () => [list],
    about: 'Adds a sequence event.',
    example: { name: 'Repeat is due', value: 'refill_due' },
    input: z.object(fields),
    output: z.object({ id: z.uuid() }),
  }),
  edit: write({
    path: '/api/sequence-event/admin/{event_id}/edit',
    needs: 'sr_login',
    reach: 'platform',
    refreshes: () => [list, info],
    about: 'Changes a sequence event. What starts its sequences can be changed only while there are none.',
    example: { event_id: EVENT, name: 'Repeat is due soon', value: 'refill_due', version: 1 },
    input: z.object({ event_id, ...fields, version: z.number().int().nullish() }),
    output: z.object({ id: z.uuid(), version: z.number() }),
  }),
}
