import { recordAudit } from '../../api/audit.ts'
import type { Database, Tx } from '../../db/database.ts'
import { sealFile, unsealFile } from './sealed-file.ts'

const ownerOf = (locationId: number) => `report of ${locationId}`

export interface ReportFile {
  locationId: number
  companyId: number
  filename: string
  text: string
  now: Date
  expiresAt: Date
}

/** Keeps a pharmacy's newest report in the place of an older one, sealed; the row stays locked, so that the newest link and file belong together. */
export async function keepFile(tx: Tx, secret: Buffer, file: ReportFile): Promise<void> {
  const columns = {
    company_id: file.companyId,
    filename: file.filename,
    content: await sealFile(secret, file.text, ownerOf(file.locationId)),
    created_at: file.now,
    expires_at: file.expiresAt,
  }
  await tx
    .insertInto('report_file')
    .values({ location_id: file.locationId, ...columns })
    .onConflict((conflict) => conflict.column('location_id').doUpdateSet(columns))
    .execute()
}

/**
 * Gives a pharmacy's kept report and forgets it: call it in the transaction that uses its link up, so that either both happen or neither.
 * Null when there is none.
 */
export async function takeFile(
  tx: Tx,
  locationId: number,
  secret: Buffer,
): Promise<{ filename: string; text: string } | null> {
  const row = await tx
    .deleteFrom('report_file')
    .where('location_id', '=', locationId)
    .returning(['company_id', 'filename', 'content', 'created_at'])
    .executeTakeFirst()
  if (!row) return null
  const text = await unsealFile(secret, row.content, ownerOf(locationId))
  await recordAudit(tx, {
    caller: { companyId: row.company_id, loginId: null, sessionId: null },
    action: 'report.downloaded',
    object: String(locationId),
    detail: { filename: row.filename, made: row.created_at.toISOString() },
  })
  return { filename: row.filename, text }
}

/** Forgets reports whose links no longer work. @returns how many */
export async function dropOldFiles(db: Database | Tx, now: Date): Promise<number> {
  const gone = await db.deleteFrom('report_file').where('expires_at', '<=', now).executeTakeFirst()
  return Number(gone.numDeletedRows)
}
