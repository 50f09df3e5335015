import { CHANNELS, type Channel } from '@pillar/domain/consent/consent'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../db/database.ts'

/** After so many days, a number or address that was said not to exist is tried once more. */
const GONE_DAYS = 180

/** The state of a channel in patient_fact, for a patient `p`: 0 nothing written, 1 unusable, 2 usable, 3 said not to exist. */
export function contactState(channel: Channel, written: RawBuilder<boolean>): RawBuilder<number> {
  return sql`case when ${to(channel)} is null then case when ${written} then 1 else 0 end
    when ${goneAt(channel)} is not null then 3 else 2 end`
}

/**
 * Records that the numbers and addresses of these messages do not exist: their patients get nothing there any more (decision 072). A patient
 * whom an upload is just writing is left for the next failed message.
 */
export async function noteGone(tx: Tx, locationId: number, messageIds: readonly number[], at: Date): Promise<void> {
  const rows = await writtenTo(tx, locationId, messageIds)
  for (const [channel, some] of rows)
    await mark(
      tx,
      locationId,
      channel,
      at,
      sql`not p.fake and ${goneAt(channel)} is null and ${isOneOf(channel, some)}`,
    )
}

/** Records that the numbers and addresses of these messages exist. */
export async function noteReached(tx: Tx, locationId: number, messageIds: readonly number[]): Promise<void> {
  if (messageIds.length === 0 || !(await anyGone(tx, locationId))) return
  const rows = await writtenTo(tx, locationId, messageIds)
  for (const [channel, some] of rows) await revive(tx, locationId, channel, isOneOf(channel, some))
}

/** Records that a number exists: somebody has texted from it. @param spellings all its stored forms */
export const noteHeard = (tx: Tx, locationId: number, spellings: readonly string[]): Promise<number> =>
  revive(tx, locationId, 'sms', sql`p.sms_to = any(${[...spellings]}::text[])`)

/** Lets what was said `GONE_DAYS` ago not to exist be tried once more. */
export async function forgetGone(tx: Tx, locationId: number, now: Date): Promise<void> {
  const before = new Date(now.getTime() - GONE_DAYS * 86_400_000)
  for (const channel of CHANNELS) await revive(tx, locationId, channel, sql`${goneAt(channel)} < ${before}`)
}

/** Lets everything be tried again that was said since this moment not to exist. @returns how many numbers and addresses */
export async function forgetGoneSince(tx: Tx, locationId: number, since: Date): Promise<number> {
  let forgotten = 0
  for (const channel of CHANNELS)
    forgotten += await revive(tx, locationId, channel, sql`${goneAt(channel)} >= ${since}`)
  return forgotten
}

const to = (channel: Channel) => sql.ref(`p.${channel}_to`)
const goneAt = (channel: Channel) => sql.ref(`p.${channel}_gone_at`)

interface WrittenTo {
  patient_id: number
  channel: Channel
  contact: string
}

async function writtenTo(tx: Tx, locationId: number, ids: readonly number[]): Promise<Map<Channel, WrittenTo[]>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<WrittenTo>`
    select patient_id, channel, contact from message
    where location_id = ${locationId} and id = any(${[...ids]}::bigint[]) and contact is not null`.execute(tx)
  return Map.groupBy(rows, (row) => row.channel)
}

const isOneOf = (channel: Channel, some: readonly WrittenTo[]) => sql`
  p.id = any(${some.map((one) => one.patient_id)}::bigint[]) and (p.id, ${to(channel)}) in (
    select * from unnest(${some.map((one) => one.patient_id)}::bigint[], ${some.map((one) => one.contact)}::text[]))`

/** As the index `patient_gone` has it. */
const SOME_GONE = sql`(p.sms_gone_at is not null or p.email_gone_at is not null)`

async function anyGone(tx: Tx, locationId: number): Promise<boolean> {
  const { rows } =
    await sql`select from patient p where p.location_id = ${locationId} and ${SOME_GONE} limit 1`.execute(tx)
  return rows.length > 0
}

const revive = (tx: Tx, locationId: number, channel: Channel, which: RawBuilder<unknown>) =>
  mark(tx, locationId, channel, null, sql`${SOME_GONE} and ${goneAt(channel)} is not null and ${which}`)

/** Sets since when the contacts of some patients `p` are gone, and what cohorts are counted from; not of those being written. @returns how many */
async function mark(
  tx: Tx,
  locationId: number,
  channel: Channel,
  at: Date | null,
  which: RawBuilder<unknown>,
): Promise<number> {
  const state = sql.ref(`${channel}_state`)
  const { rows } = await sql<{ count: number }>`
    with due as (select p.id from patient p where p.location_id = ${locationId} and ${which} order by p.id for no key update skip locked),
    marked as (
      update patient p set ${sql.ref(`${channel}_gone_at`)} = ${at}::timestamptz from due where p.location_id = ${locationId} and p.id = due.id
      returning p.id, ${contactState(channel, sql`true`)} as state),
    counted as (
      update patient_fact f set ${state} = marked.state from marked where f.location_id = ${locationId} and f.patient_id = marked.id)
    select count(*)::int as count from marked`.execute(tx)
  return rows[0]!.count
}
