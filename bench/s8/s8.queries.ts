import { openPools } from '../../apps/server/src/db/database.ts'
import { createLocation, ensureCompany } from '../../apps/server/src/features/location/location.queries.ts'
import { verifyScope } from '../../apps/server/src/features/s8/verify/verify-register.ts'
import { createLogin } from '../../apps/server/src/features/session/login.queries.ts'
import { PASSWORD } from '../company.ts'

/** A company with one pharmacy and a person who watches over its registers. */
export async function foundRegister(databaseUrl: string) {
  const pools = openPools(databaseUrl, () => {}, 2)
  try {
    const { id: companyId } = await ensureCompany(pools.system, { name: 'Register Bench', country: 'AU' })
    const name = { username: 'controlled', email: 'controlled@bench.example', first_name: 'Connor', last_name: 'Walsh' }
    await createLogin(pools.system, { companyId, ...name, flags: ['ecdr'], password: PASSWORD })
    const place = { companyId, name: 'Register Pharmacy', country: 'AU', time_zone: 'Australia/Sydney' } as const
    return { companyId, ...(await createLocation(pools.system, place)) }
  } finally {
    await pools.close()
  }
}

/** Seconds that the check of a pharmacy's register takes, as the nightly job does it, and how many entries it had. */
export async function timeVerify(databaseUrl: string, pharmacy: { companyId: number; id: number }) {
  const pools = openPools(databaseUrl, () => {}, 4)
  try {
    const began = performance.now()
    const scope = { companyId: pharmacy.companyId, locationIds: [pharmacy.id] }
    const [verdict] = await verifyScope(pools.app, scope, new Map(), new Date())
    if (!verdict || verdict.fault) throw new Error(`The register is not intact: ${JSON.stringify(verdict?.fault)}`)
    return { entries: verdict.entries, seconds: (performance.now() - began) / 1000 }
  } finally {
    await pools.close()
  }
}
