import { openContacts, storedContacts } from '../../src/db/field/contact.ts'
import type { TestServer } from '../server.ts'

type Sealing = Pick<TestServer, 'services'>

/** How the server stores contacts: a function from one to what stands for it. */
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
