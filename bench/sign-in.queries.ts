import { openPools } from '../apps/server/src/db/database.ts'
import { ensureCompany } from '../apps/server/src/features/location/location.queries.ts'
import { createLogin } from '../apps/server/src/features/session/login.queries.ts'

const CHEAP = { memoryCost: 64, timeCost: 1 }

/** Logins with one password hash at the real cost, copied: every hash costs the same to compare. */
export async function makeLogins(databaseUrl: string, count: number): Promise<void> {
  const pools = openPools(databaseUrl, () => {}, 2)
  try {
    const { id: companyId } = await ensureCompany(pools.system, { name: 'Bench', country: 'AU' })
    const login = {
      companyId,
      first_name: 'Robin',
      last_name: 'Vale',
      flags: [],
      password: 'three herons over Ballarat',
    }
    const named = (username: string) => ({ ...login, username, email: `${username}@bench.example` })
    const { id } = await createLogin(pools.system, named('pattern'))
    const { password_hash } = await pools.system
      .selectFrom('login')
      .select('password_hash')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    for (let at = 0; at < count; at++) await createLogin(pools.system, named(`person-${at}`), CHEAP)
    await pools.system.updateTable('login').set({ password_hash }).execute()
  } finally {
    await pools.close()
  }
}
