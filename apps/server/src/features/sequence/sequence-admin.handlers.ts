import { type contract, Refusal } from '@pillar/contract'
import { eventInUseProblem, type SequenceEvent, sequenceEventProblem } from '@pillar/domain/campaign/sequence'
import { oneLine } from '@pillar/domain/text/plain-text'
import { noteChange } from '../../api/audit.ts'
import { type HandlersOf, staffTx } from '../../api/context.ts'
import { refuseStale } from '../../api/version.ts'
import {
  findSequenceEvent,
  insertSequenceEvent,
  listSequenceEvents,
  lockSequenceEvent,
  type SequenceEventRow,
  type SequenceEventText,
  updateSequenceEvent,
} from './sequence-admin.queries.ts'

export const sequenceEventHandlers: HandlersOf<typeof contract.sequenceEvent> = {
  async list(input, context) {
    const { rows, ...page } = await listSequenceEvents(staffTx(context), input)
    return { sequence_events: rows, ...page }
  },

  info: ({ event_id }, context) => findSequenceEvent(staffTx(context), event_id),

  async create(draft, context) {
    return { id: await insertSequenceEvent(staffTx(context), checked(draft)) }
  },

  async edit({ event_id, version, ...draft }, context) {
    const tx = staffTx(context)
    const found = await lockSequenceEvent(tx, event_id)
    refuseStale(found, version)
    const before = await findSequenceEvent(tx, event_id)
    const text = checked(draft)
    if (text.value !== before.value) refuseInUse(before)
    const saved = await updateSequenceEvent(tx, found.id, text)
    noteChange(context, event_id, before, { name: text.name, value: text.value })
    return { id: event_id, version: saved }
  },
}

/** @throws Refusal conflict while sequences use the event: in every company, patients would start them for another reason */
function refuseInUse({ name, sequences, recommended_sequences }: SequenceEventRow): void {
  const problem = eventInUseProblem(name, sequences, recommended_sequences)
  if (problem !== '') throw new Refusal('conflict', problem, { errors: { value: [problem] } })
}

/** @throws Refusal invalid with one sentence that names what is missing */
function checked(draft: { name: string; value?: SequenceEvent | null | undefined }): SequenceEventText {
  const text = { name: oneLine(draft.name), value: draft.value ?? null }
  const problem = sequenceEventProblem(text)
  if (problem !== '' || text.value === null) throw new Refusal('invalid', problem)
  return { name: text.name, value: text.value }
}
