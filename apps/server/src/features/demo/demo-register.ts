import type { DemoNetwork } from '@pillar/demo/network'
import { keepsRegister, SILENT, TAMPERED } from '@pillar/demo/s8/register'
import type { Services } from '../../api/context.ts'
import { inScope } from '../../db/scope.ts'
import { anchorRegisters, verifyRegisters } from '../s8/verify/register-check.jobs.ts'
import { listScopes } from '../s8/verify/register-scope.queries.ts'
import { dateRegisters, tamperEntry } from './demo-register.queries.ts'

const EVENING_MS = 34 * 3_600_000
const DAY_MS = 86_400_000
/** A fortnight with a weekend at either end has few business days; twelve days are silence anywhere. */
const SILENT_DAYS = 12

/**
 * What the registers of the demo network hold beyond their uploads: they are anchored; two pharmacies have been silent; and one register
 * has an entry altered after it was anchored, which the check then finds, unless this server does not have the database owner's login.
 */
export async function addDemoRegisters(
  services: Services,
  network: DemoNetwork,
  ownerUrl: string,
  say: (line: string) => void,
): Promise<void> {
  const kept = network.pharmacies.filter(keepsRegister)
  await anchorRegisters(services, [])
  const late = kept.filter(({ behaviour }) => behaviour === 'late')
  const silent = kept.filter(({ index }) => index === SILENT)
  const uploads = [
    ...late.map(({ name, last_day }) => ({ name, at: new Date(Date.parse(last_day) + EVENING_MS) })),
    ...silent.map(({ name }) => ({ name, at: new Date(services.now().getTime() - SILENT_DAYS * DAY_MS) })),
  ]
  for (const scope of await listScopes(services.pools.system)) {
    await inScope(services.pools.app, scope, (tx) => dateRegisters(tx, uploads))
  }
  const tampered = kept.find(({ index }) => index === TAMPERED) ?? kept.at(-1)
  if (tampered && !(await tamperEntry(ownerUrl, tampered.name)))
    say(
      'No entry of a register was altered for the checks to find: only the owner of the database can (DATABASE_OWNER_URL)',
    )
  await verifyRegisters({ pools: services.pools, env: services.env, secret: services.secret, now: services.now })
}
