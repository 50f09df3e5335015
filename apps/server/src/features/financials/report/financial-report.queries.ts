import type { Tx } from '../../../db/database.ts'

/** What the company of the scope is called. */
export async function companyName(tx: Tx): Promise<string> {
  return (await tx.selectFrom('own_company').select('name').executeTakeFirst())?.name ?? ''
}

/** What somebody of the company of the scope is called. */
export async function readerName(tx: Tx, loginId: number): Promise<string | null> {
  return (
    (await tx.selectFrom('login_name').select('name').where('login_id', '=', loginId).executeTakeFirst())?.name ?? null
  )
}
