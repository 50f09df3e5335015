import type { Tx } from '../../../db/database.ts'

/** What the company of the scope is called. */
export async function companyName(tx: Tx): Promise<string> {
  return (await tx.selectFrom('own_company').select('name').executeTakeFirst())?.name ?? ''
}
