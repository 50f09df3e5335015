import { smsCents } from '@pillar/domain/message/sms-text'
import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'

/** What an approved run may still cost beyond its texts as written, in cents, locked; null for a run that needed no approval. */
async function lockSpareCents(tx: Tx, runId: number): Promise<number | null> {
  const { rows } = await sql<{ spare: number }>`
    select spare_cents as spare from campaign_approval where run_id = ${runId} and state = 'used' for update`.execute(
    tx,
  )
  return rows[0]?.spare ?? null
}

/** Sets what an approved run may still cost beyond its texts as written, in cents. */
export async function setSpareCents(tx: Tx, runId: number, cents: number): Promise<void> {
  await tx
    .updateTable('campaign_approval')
    .set({ spare_cents: cents })
    .where('run_id', '=', runId)
    .where('state', '=', 'used')
    .execute()
}

/** The number of parts a text had when written, and would have if sent now. */
interface PartsNow {
  readonly written: number
  readonly now: number
}

/**
 * Which texts would take a run past its ceiling: a sender that has changed since they were written needs a different opt-out line,
 * which can make them dearer. Texts kept back pay for others. All false for a run that needed no approval.
 */
export async function pastCeiling(tx: Tx, runId: number, texts: readonly PartsNow[]): Promise<boolean[]> {
  const none = texts.map(() => false)
  if (texts.every(({ written, now }) => written === now)) return none
  let spare = await lockSpareCents(tx, runId)
  if (spare === null) return none
  const past = texts.map(({ written, now }) => {
    const dearer = smsCents(now) - smsCents(written)
    const isPast = dearer > 0 && dearer > spare!
    spare! += isPast ? smsCents(written) : -dearer
    return isPast
  })
  await setSpareCents(tx, runId, spare)
  return past
}
