import { openContacts, storedContacts } from '../../src/db/field/contact.ts'
import { openWritten, type StoredWritten, storedWritten, writtenSealer } from '../../src/db/field/written.ts'
import { asOwner } from '../people.ts'
import type { TestServer } from '../server.ts'

type Sealing = Pick<TestServer, 'services'>

/** How the server stores contacts: a function from a contact to its stored form. */
export async function storing({ services }: Sealing, contacts: Iterable<string | null | undefined>) {
  const all = [...contacts].map((one) => one ?? null)
  const stored = await services.pools.app.transaction().execute((tx) => storedContacts(tx, services.keys, all))
  return <T extends string | null | undefined>(contact: T): T => (contact ? (stored.get(contact) as T) : contact)
}

/** How the server stores one contact. */
export const storedAs = async <T extends string | null>(server: Sealing, contact: T): Promise<T> =>
  (await storing(server, [contact]))(contact)

/** Rows with these columns opened. */
export async function opening<T extends object>(
  { services }: Sealing,
  columns: readonly (keyof T)[],
  rows: readonly T[],
): Promise<T[]> {
  const stored = rows.flatMap((row) => columns.map((column) => row[column] as string | null))
  const opened = await openContacts(services.pools.app, services.keys, stored)
  const open = (row: T, column: keyof T) => opened.get(row[column] as string) ?? null
  return rows.map((row) => ({ ...row, ...Object.fromEntries(columns.map((column) => [column, open(row, column)])) }))
}

interface WrittenRow {
  location_id: number
  source_id: string
  mobile: string | null
  email: string | null
}

/** Rows of canonical patients with the pharmacy's written contacts in an upload's stored form; sealed values as text of a bytea. */
export async function writing<T extends WrittenRow>({ services }: Sealing, rows: readonly T[]) {
  const hex = (sealed: Buffer | null) => sealed && `\\x${sealed.toString('hex')}`
  const sealers = new Map(
    await Promise.all(
      [...new Set(rows.map((row) => row.location_id))].map(
        async (id) => [id, await writtenSealer(services.keys, id, 'canonical')] as const,
      ),
    ),
  )
  return rows.map((row) => {
    const stored = storedWritten(sealers.get(row.location_id)!, row.source_id, row)
    return { ...row, ...stored, mobile_sealed: hex(stored.mobile_sealed), email_sealed: hex(stored.email_sealed) }
  })
}

/** What the pharmacy wrote about each of its patients, opened; by their number there. Plain values are marked. */
export async function writtenAt(server: Sealing & Pick<TestServer, 'ownerPool'>, locationId: number) {
  const rows = await asOwner<StoredWritten & { source_id: string }>(
    server,
    `select source_id, mobile, email, mobile_sealed, email_sealed, concat_ws('/', location_id, source, source_id) as sealed_as
     from patient where location_id = $1 order by id`,
    [locationId],
  )
  const opened = rows.map(async (row) => {
    const { source_id, mobile, email } = await openWritten(server.services.keys, row)
    const mark = (text: string | null, stored: string | null) => (stored === null ? text : `PLAIN ${text}`)
    return [source_id, { mobile: mark(mobile, row.mobile), email: mark(email, row.email) }] as const
  })
  return Object.fromEntries(await Promise.all(opened))
}
