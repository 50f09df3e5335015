import type { Database } from '../../db/database.ts'

/** Whether there is a company of the demo network. */
export async function hasDemo(gate: Database): Promise<boolean> {
  const found = await gate.selectFrom('company').select('id').where('demo', '=', true).limit(1).executeTakeFirst()
  return found !== undefined
}
