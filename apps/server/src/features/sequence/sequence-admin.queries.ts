import { Refusal } from '@pillar/contract'
import type { SequenceEvent } from '@pillar/domain/campaign/sequence'
import { sql } from 'kysely'
import { v7 as uuidv7 } from '../../api/uuid.ts'
import type { Tx } from '../../db/database.ts'
import { type ListAsk, pageOf } from '../../db/list.ts'
import { refuseTaken } from '../../db/taken.ts'

export interface SequenceEventRow {
  event_id: string
  name: string
  value: SequenceEvent
  sequences: number
  recommended_sequences: number
  version: number
}

const COLUMNS = sql`e.uuid as event_id, e.name, e.value, u.sequences, u.recommended_sequences, e.version`
const EVENTS = sql`sequence_event e cross join lateral (select
  (select count(*) from sequence s where s.sequence_event_id = e.id and s.removed_at is null) as sequences,
  (select count(*) from sequence_recommendation r where r.sequence_event_id = e.id and r.removed_at is null) as recommended_sequences) u`

/** One page of the sequence events, found by part of their name. */
export function listSequenceEvents(tx: Tx, input: ListAsk<'name' | 'value' | 'sequences'>) {
  return pageOf<SequenceEventRow, 'name' | 'value' | 'sequences'>(
    tx,
    {
      select: COLUMNS,
      from: EVENTS,
      where: [sql`e.removed_at is null`],
      search: [sql`e.name`],
      sort: { name: sql`lower(e.name)`, value: sql`e.value`, sequences: sql`u.sequences` },
      key: sql`e.id`,
    },
    input,
  )
}

/** One sequence event. @throws Refusal not_found */
export async function findSequenceEvent(tx: Tx, uuid: string): Promise<SequenceEventRow> {
  const { rows } = await sql<SequenceEventRow>`
    select ${COLUMNS} from ${EVENTS} where e.uuid = ${uuid} and e.removed_at is null`.execute(tx)
  if (!rows[0]) throw new Refusal('not_found', 'That sequence event was not found.')
  return rows[0]
}

export interface SequenceEventText {
  name: string
  value: SequenceEvent
}

const taken = (name: string) => ({
  sequence_event_name: `There is already a sequence event called "${name}". Please enter another name.`,
})

/** Adds a sequence event. @returns its uuid @throws Refusal conflict if the name is taken, ignoring letter case */
export async function insertSequenceEvent(tx: Tx, text: SequenceEventText): Promise<string> {
  const uuid = uuidv7()
  await refuseTaken(taken(text.name), () =>
    tx
      .insertInto('sequence_event')
      .values({ ...text, uuid })
      .execute(),
  )
  return uuid
}

/** Locks a sequence event until the transaction ends. @throws Refusal not_found */
export async function lockSequenceEvent(tx: Tx, uuid: string) {
  const found = await tx
    .selectFrom('sequence_event')
    .select(['id', 'name', 'version'])
    .where('uuid', '=', uuid)
    .where('removed_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!found) throw new Refusal('not_found', 'That sequence event was not found.')
  return found
}

/** Updates a sequence event. @returns its new version @throws Refusal conflict if the name is taken */
export async function updateSequenceEvent(tx: Tx, id: number, text: SequenceEventText): Promise<number> {
  const row = await refuseTaken(taken(text.name), () =>
    tx
      .updateTable('sequence_event')
      .set((eb) => ({ ...text, version: eb('version', '+', 1) }))
      .where('id', '=', id)
      .returning('version')
      .executeTakeFirstOrThrow(),
  )
  return row.version
}
