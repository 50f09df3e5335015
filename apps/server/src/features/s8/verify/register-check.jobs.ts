import { z } from 'zod'
import type { Services } from '../../../api/context.ts'
import { reasonOf } from '../../../api/log.ts'
import { job } from '../../../api/queue.ts'
import { DatabaseAway } from '../../../db/away.ts'
import { inScope } from '../../../db/scope.ts'
import { addAnchor } from '../../audit/anchor.ts'
import { lockAnchors } from '../../audit/verify.queries.ts'
import { registerAnchors } from './register-anchor.ts'
import { listScopes } from './register-scope.queries.ts'
import { readRegisterHeads, registersOfBefore } from './verify-register.queries.ts'
import { type RegisterVerdict, registerFaultSentence, verifyScope } from './verify-register.ts'

/** Once a day: checks every pharmacy's register against its anchor, and anchors the intact ones anew outside the database. */
export const checkRegisters = job({
  name: 's8-check',
  payload: z.object({}),
  nightly: {},
  concurrency: () => 1,
  retries: 3,
  async run(_payload, services) {
    const { verdicts, unchecked, failed } = await checkEach(services)
    await anchorRegisters(services, verdicts, unchecked)
    if (failed.length > 0) throw failed[0]
  },
})

type Checking = Pick<Services, 'pools' | 'env' | 'secret' | 'now'> & { log?: Services['log'] }

/**
 * Checks the registers of all companies and writes down what was found. A fault is logged, with its pharmacy and entry.
 * @throws the error of the first register that could not be checked, once all others are
 */
export async function verifyRegisters(services: Checking): Promise<RegisterVerdict[]> {
  const { verdicts, failed } = await checkEach(services)
  if (failed.length > 0) throw failed[0]
  return verdicts
}

/** Checks every register even if some cannot be checked. @returns the verdicts, the pharmacies left unchecked, and the errors */
async function checkEach(services: Checking) {
  const anchors = await registerAnchors(services)
  const verdicts: RegisterVerdict[] = []
  const unchecked = new Set<number>()
  const failed: unknown[] = []
  const fail = (location: number, error: unknown) => {
    if (error instanceof DatabaseAway) throw error
    services.log?.error({ location, reason: reasonOf(error) }, 'a register could not be checked')
    unchecked.add(location)
    failed.push(error)
  }
  for (const scope of await listScopes(services.pools.system))
    verdicts.push(...(await verifyScope(services.pools.app, scope, anchors, services.now(), fail)))
  for (const verdict of verdicts.filter(({ fault }) => fault !== null))
    services.log?.error({ fault: registerFaultSentence(verdict) }, 'a register is not as it was written')
  return { verdicts, unchecked, failed }
}

/** Those of these registers that are intact but have no anchor, although a nightly job must have made one. */
export async function unanchoredRegisters(
  services: Pick<Services, 'pools' | 'secret'> & { env: Pick<Services['env'], 'DATA_DIR'> },
  verdicts: readonly RegisterVerdict[],
): Promise<RegisterVerdict[]> {
  const { app, system } = services.pools
  const anchors = await registerAnchors(services)
  const old = new Set<number>()
  for (const scope of await listScopes(system))
    for (const id of await inScope(app, scope, registersOfBefore)) old.add(id)
  return verdicts.filter(({ locationId, fault }) => fault === null && old.has(locationId) && !anchors.has(locationId))
}

/** Anchors the heads of all registers outside the database; one that is not as it was written, or was not checked, keeps its last good anchor. */
export async function anchorRegisters(
  { pools, env, secret, log, now }: Services,
  verdicts: readonly RegisterVerdict[],
  unchecked: ReadonlySet<number> = new Set(),
) {
  const broken = new Set([...unchecked, ...verdicts.flatMap(({ locationId, fault }) => (fault ? [locationId] : []))])
  const heads = []
  for (const scope of await listScopes(pools.system)) {
    const found = await inScope(pools.app, scope, readRegisterHeads)
    heads.push(...found.filter(({ locationId }) => !broken.has(locationId)))
  }
  const entries = heads.map(({ locationId, seq, hash }) => ({ chain: locationId, seq, hash }))
  const evidence = heads.map((head) => ({ chain: head.locationId, seq: head.evidenceSeq, hash: head.evidenceHash }))
  await pools.system.transaction().execute(async (tx) => {
    await lockAnchors(tx)
    for (const [of, chains] of [['s8', entries] as const, ['s8-evidence', evidence] as const]) {
      const begun = chains.filter(({ seq }) => seq > 0)
      const mac = await addAnchor(env.DATA_DIR, secret, begun, now(), of, (line) => log.error(line))
      if (mac) log.info({ mac, of }, 'the registers were anchored')
    }
  })
}
