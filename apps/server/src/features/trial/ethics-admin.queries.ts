import { Refusal } from '@pillar/contract'
import { sql } from 'kysely'
import { v7 as uuidv7 } from '../../api/uuid.ts'
import type { Tx } from '../../db/database.ts'

export interface NewApproval {
  number: string
  approving_body: string
  approved_on: string
  expires_on: string | null
  filename: string
  bytes: number
}

/** Adds an approval, with its document sealed for the new uuid. Earlier ones stay. */
export async function insertApproval(
  tx: Tx,
  trialId: number,
  approval: NewApproval,
  seal: (uuid: string) => Buffer,
  by: { loginId: number; now: Date },
): Promise<void> {
  const uuid = uuidv7()
  const times = { created_by: by.loginId, created_at: by.now }
  await tx
    .insertInto('trial_ethics_approval')
    .values({ ...approval, ...times, uuid, trial_id: trialId, document: seal(uuid) })
    .execute()
}

/** The sealed document of a trial's newest approval. @throws Refusal not_found */
export async function newestDocument(
  tx: Tx,
  trialId: number,
): Promise<{ uuid: string; filename: string; document: Buffer }> {
  const { rows } = await sql<{ uuid: string; filename: string; document: Buffer }>`
    select uuid, filename, document from trial_ethics_approval where trial_id = ${trialId} order by id desc limit 1`.execute(
    tx,
  )
  if (!rows[0]) throw new Refusal('not_found', 'No ethics approval is recorded for this clinical trial.')
  return rows[0]
}
