import { sql } from 'kysely'
import type { Database, Tx } from '../../../db/database.ts'

/** A stored count for a trial, with times by the rules' clock. */
export interface StoredForecast<Answer> {
  asked_at: Date
  /** When the last count began, and when it was done. */
  counted_at: Date | null
  done_at: Date | null
  failed_at: Date | null
  answer: Answer | null
  /** The trial was changed, or patients were invited to it, after the count. */
  outdated: boolean
}

/** How many patients a trial's invitations are counted from: all who are eligible at pharmacies that may invite. */
export async function eligibleOf(system: Database, trialId: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select coalesce(sum(x.total_eligible), 0)::int as n from trial_location x
      join location l on l.id = x.location_id and l.removed_at is null
      join company c on c.id = l.company_id and c.removed_at is null
    where x.trial_id = ${trialId}`.execute(system)
  return rows[0]!.n
}

/** The stored count for a trial; undefined before the first was asked for. */
export async function readForecast<Answer>(
  system: Database | Tx,
  trialId: number,
): Promise<StoredForecast<Answer> | undefined> {
  const { rows } = await sql<StoredForecast<Answer>>`
    select f.asked_at, f.counted_at, f.done_at, f.failed_at, f.answer,
      coalesce(t.updated_at > f.counted_at, false)
        or exists (select from message_run r where r.trial_id = t.id and r.context = 'trial' and r.created_at > f.counted_at) as outdated
    from trial_forecast f join trial t on t.id = f.trial_id where f.trial_id = ${trialId}`.execute(system)
  return rows[0]
}

/** Records that a count is asked for. @returns false if another request has asked since `before` */
export async function askForecast(tx: Tx, trialId: number, before: Date | null, now: Date): Promise<boolean> {
  const done = await sql`
    insert into trial_forecast as f (trial_id, asked_at) values (${trialId}, ${now})
    on conflict (trial_id) do update set asked_at = excluded.asked_at, failed_at = null
    where f.asked_at = ${before}::timestamptz`.execute(tx)
  return Number(done.numAffectedRows ?? 0) > 0
}

/** Stores a count that began `from` and was done `to`. */
export async function saveForecast(
  system: Database,
  trialId: number,
  answer: object,
  { from, to }: { from: Date; to: Date },
): Promise<void> {
  await sql`
    update trial_forecast set answer = ${JSON.stringify(answer)}::jsonb, counted_at = ${from}, done_at = ${to}, failed_at = null
    where trial_id = ${trialId}`.execute(system)
}

/** Records that a trial's patients could not be counted. */
export async function failForecast(system: Database, trialId: number, at: Date): Promise<void> {
  await sql`update trial_forecast set failed_at = ${at} where trial_id = ${trialId}`.execute(system)
}
