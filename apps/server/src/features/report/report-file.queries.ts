import { recordAudit } from '../../api/audit.ts'
import type { Database, Tx } from '../../db/database.ts'
import { sealFile, unsealFile } from './sealed-file.ts'

/** A pharmacy's message history, or its 60 Day Dispensing Report. */
export type ReportKind = 'history' | 'sixty_day'

const ownerOf = (locationId: number, kind: string) =>
  kind === 'history' ? `report of ${locationId}` : `${kind} report of ${locationId}`

export interface ReportFile {
  locationId: number
  kind: ReportKind
  companyId: number
  /** The login to which its link is mailed. */
  readerId: number
  filename: string
  /** Compressed. */
  content: Buffer
  now: Date
  expiresAt: Date
}

/**
 * Stores a pharmacy's newest report of a kind, sealed, in place of an older one; the row stays locked, so that the newest link and file
 * belong together. @returns the file's id, for its link
 */
export async function keepFile(tx: Tx, secret: Buffer, file: ReportFile): Promise<number> {
  const columns = {
    company_id: file.companyId,
    reader_id: file.readerId,
    filename: file.filename,
    content: sealFile(secret, file.content, ownerOf(file.locationId, file.kind)),
    created_at: file.now,
    expires_at: file.expiresAt,
  }
  const { id } = await tx
    .insertInto('report_file')
    .values({ location_id: file.locationId, kind: file.kind, ...columns })
    .onConflict((conflict) => conflict.columns(['location_id', 'kind']).doUpdateSet(columns))
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/**
 * Returns a stored report and deletes it. Call it in the transaction that uses up its link, so that both happen or neither. Null if there
 * is none, or the recipient of its link is no longer an enabled login of the company.
 */
export async function takeFile(tx: Tx, id: number, secret: Buffer): Promise<{ filename: string; text: string } | null> {
  const row = await tx
    .deleteFrom('report_file')
    .where('id', '=', id)
    .where((eb) =>
      eb.or([
        eb('reader_id', 'is', null),
        eb.exists(
          eb
            .selectFrom('login')
            .select('login.id')
            .whereRef('login.id', '=', 'report_file.reader_id')
            .whereRef('login.company_id', '=', 'report_file.company_id')
            .where('login.disabled_at', 'is', null),
        ),
      ]),
    )
    .returning(['location_id', 'kind', 'company_id', 'filename', 'content', 'created_at'])
    .executeTakeFirst()
  if (!row) return null
  const text = await unsealFile(secret, row.content, ownerOf(row.location_id, row.kind))
  await recordAudit(tx, {
    caller: { companyId: row.company_id, loginId: null, sessionId: null },
    action: 'report.downloaded',
    object: String(row.location_id),
    detail: { filename: row.filename, made: row.created_at.toISOString() },
  })
  return { filename: row.filename, text }
}

/** Deletes reports whose links no longer work. @returns how many */
export async function dropOldFiles(db: Database | Tx, now: Date): Promise<number> {
  const gone = await db.deleteFrom('report_file').where('expires_at', '<=', now).executeTakeFirst()
  return Number(gone.numDeletedRows)
}
