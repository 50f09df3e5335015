import type { Tx } from '../../../db/database.ts'

/** The name of the scope's company. */
export async function companyName(tx: Tx): Promise<string> {
  return (await tx.selectFrom('own_company').select('name').executeTakeFirst())?.name ?? ''
}

/** The name of a person of the scope's company. */
export async function readerName(tx: Tx, loginId: number): Promise<string | null> {
  return (
    (await tx.selectFrom('login_name').select('name').where('login_id', '=', loginId).executeTakeFirst())?.name ?? null
  )
}
