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

/** Seconds for each check of a pharmacy's register, done as in the nightly job, and the number of its entries. */
export async function timeVerify(databaseUrl: string, pharmacy: { companyId: number; id: number }, times: number) {
  const pools = openPools(databaseUrl, () => {}, 4)
  try {
    const scope = { companyId: pharmacy.companyId, locationIds: [pharmacy.id] }
    const seconds: number[] = []
    let entries = 0
    for (let at = 0; at < times; at++) {
      const began = performance.now()
      const [verdict] = await verifyScope(pools.app, scope, new Map(), new Date())
      if (!verdict || verdict.fault) throw new Error(`The register is not intact: ${JSON.stringify(verdict?.fault)}`)
      seconds.push((performance.now() - began) / 1000)
      entries = verdict.entries
    }
    return { entries, seconds }
  } finally {
    await pools.close()
  }
}
