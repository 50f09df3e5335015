import type { Database } from '../../db/database.ts'

/** Whether a demo company exists. */
export async function hasDemo(system: Database): Promise<boolean> {
  const found = await system.selectFrom('company').select('id').where('demo', '=', true).limit(1).executeTakeFirst()
  return found !== undefined
}
