import { z } from 'zod'
import type { Services } from '../../api/context.ts'
import { reasonOf } from '../../api/log.ts'
import { job } from '../../api/queue.ts'
import { queueMail } from '../mail/mail.jobs.ts'
import { type Anchor, addAnchor, readAnchors } from './anchor.ts'
import { addCheck, endCheck, failCheck } from './check.queries.ts'
import { lockAnchors, readHeads } from './verify.queries.ts'
import { faultSentence, type Verdict, verifyAudit } from './verify.ts'

/** Verifies every chain, also against the anchors of DATA_DIR, and records the result. */
export const verifyChains = job({
  name: 'verify-audit',
  payload: z.object({ check: z.uuid() }),
  concurrency: () => 1,
  retries: 2,
  async run({ check }, services) {
    await verifyInto(services, check)
  },
})

/** Once a day: anchors the heads outside the database, then verifies everything. */
export const anchorAudit = job({
  name: 'anchor-audit',
  payload: z.object({}),
  nightly: {},
  concurrency: () => 1,
  retries: 5,
  async run(_payload, services) {
    const { env, secret, pools, log, now } = services
    const heads = await readHeads(pools.system)
    const mac = await pools.system.transaction().execute(async (tx) => {
      await lockAnchors(tx)
      return addAnchor(env.DATA_DIR, secret, heads, now(), 'audit', (line) => log.error(line))
    })
    if (mac) log.info({ mac }, 'the audit was anchored')
    const verdict = await verifyInto(services, await addCheck(pools.system, null, now()))
    if (!env.AUDIT_MAIL) return
    // After a fault between writing the anchor and this line, the file already holds today's.
    const last = (await readAnchors(env.DATA_DIR, secret)).at(-1)?.mac ?? 'there is none.'
    const anchor = mac ? `Anchor of today: ${mac}` : `Nothing was written since the last anchor: ${last}`
    await mailAnchor(services, env.AUDIT_MAIL, anchor, verdict)
  },
})

async function verifyInto(services: Services, check: string): Promise<Verdict> {
  const { env, secret, pools, log, now } = services
  try {
    const anchors: Anchor[] = await readAnchors(env.DATA_DIR, secret)
    const verdict = await verifyAudit(pools.system, anchors)
    await endCheck(pools.system, check, verdict, now())
    for (const fault of verdict.faults) log.error({ fault: faultSentence(fault) }, 'the audit is not as it was written')
    return verdict
  } catch (error) {
    await failCheck(pools.system, check, reasonOf(error), now())
    throw error
  }
}

/** Emails the day's anchor to an outside address, so that nobody who controls this machine can take it back. */
function mailAnchor(services: Services, to: string, anchor: string, { rows, chains, faults }: Verdict): Promise<void> {
  const state = faults.length === 0 ? 'All chains are intact.' : faults.map(faultSentence).join('\n')
  const product = services.env.PRODUCT_NAME
  const text = [
    `The audit of ${product} has ${rows} rows in ${chains} chains. ${state}`,
    anchor,
    'Keep this letter: it shows later that the audit was not rewritten.',
  ].join('\n\n')
  const subject = faults.length === 0 ? `${product}: audit anchor` : `${product}: the audit is not as it was written`
  return services.pools.system.transaction().execute((tx) => queueMail(tx, services, { to, subject, text }))
}
