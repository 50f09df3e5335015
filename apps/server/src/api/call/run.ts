import { type Call, Refusal, subjectOf } from '@pillar/contract'
import { sql } from 'kysely'
import { READ_ONLY } from '../../db/away.ts'
import type { Database, Tx } from '../../db/database.ts'
import { bindScope } from '../../db/scope.ts'
import { type FoundScope, findCompanyScope, findLocationScope } from '../../features/company/company-scope.queries.ts'
import { spendStepUp } from '../../features/session/step-up.queries.ts'
import { type AuditEntry, detailOf, holdCopies, objectName, recordAudit } from '../audit.ts'
import { type Caller, type Context, callerOf } from '../context.ts'
import { flagsOf } from './admit.ts'
import type { Asked } from './asked.ts'
import { entering } from './enter.ts'
import { checkKey, findRepeated, keepAnswer } from './request-key.ts'

/**
 * Runs a call in the transaction its contract asks for: none, its tenant's, one over all companies, or one in a single company or pharmacy.
 * @returns the handler's result, or `Repeated` if the request was carried out before
 */
export async function run(asked: Asked, context: Context): Promise<unknown> {
  const { call, handler, input } = asked
  checkKey(asked, context)
  if (flagsOf(call).length === 0 || call.waits) {
    await spendStepUpOf(asked, context, context.services.pools.system)
    return handler(input, context)
  }
  const caller = callerOf(context)
  if (!call.reach || !caller.flags.has('sr_login')) return inTenant(asked, context, caller)
  if (call.reach === 'platform' || call.reach === 'companies') return onPlatform(asked, context, caller)
  const { staff } = context.services.pools
  const reason = call.reach.reason?.(input) ?? null
  if ('location' in call.reach) {
    const found = await findLocationScope(staff, call.reach.location(input))
    return inCompany(asked, context, foundOr(found, 'That pharmacy was not found.'), reason)
  }
  const found = await findCompanyScope(staff, call.reach.company(input))
  return inCompany(asked, context, foundOr(found, 'That company was not found.'), reason)
}

function foundOr(found: FoundScope | null, message: string): FoundScope {
  if (!found) throw new Refusal('not_found', message)
  return found
}

/**
 * In the caller's own company. A read cannot write, and a read of figures may go to a replica. A write leaves its audit row in the same
 * transaction.
 */
function inTenant(asked: Asked, context: Context, caller: Caller): Promise<unknown> {
  const { pools, replica } = context.services
  const work = async (tx: Tx) => {
    await readOnly(asked.call, tx)
    await bindScope(tx, caller.scope)
    return carryOut(asked, { ...context, tx }, tx, caller)
  }
  return asked.call.replica && replica ? replica.read(caller.companyId, work) : pools.app.transaction().execute(work)
}

/** Over all companies, as the role that sees no patient. The caller's own company grants nothing here. */
function onPlatform(asked: Asked, context: Context, caller: Caller): Promise<unknown> {
  const staff = { ...caller, scope: { companyId: 0, locationIds: [] } }
  return context.services.pools.staff.transaction().execute(async (tx) => {
    await readOnly(asked.call, tx)
    const enter = asked.call.reach === 'companies' ? entering(asked, context, tx) : null
    return carryOut(asked, { ...context, caller: staff, staff: tx, enter }, tx, { ...caller, companyId: null })
  })
}

/** In one company, or one of its pharmacies, as its own people see it. Reads leave a row in the company's log too. */
async function inCompany(asked: Asked, context: Context, found: FoundScope, reason: string | null) {
  const { pools } = context.services
  const inside: Caller = { ...callerOf(context), ...found }
  return pools.app.transaction().execute(async (tx) => {
    await bindScope(tx, inside.scope)
    const within = { ...context, caller: inside, tx }
    const act = asked.call.kind === 'read' ? look : carryOut
    return act(asked, within, tx, inside, reason)
  })
}

type Act = (
  asked: Asked,
  context: Context,
  tx: Tx,
  log: AuditEntry['caller'],
  reason?: string | null,
) => Promise<unknown>

/** A read in a company: it cannot write. What it showed is recorded in the same transaction once it has ended. */
const look: Act = async (asked, context, tx, log, reason = null) => {
  await sql`savepoint look`.execute(tx)
  await readOnly(asked.call, tx)
  const result = await reading(asked, context)
  // Releasing the savepoint ends the read-only part; the scope stays bound.
  await sql`release savepoint look`.execute(tx)
  await record(asked, context, tx, { log, result, reason })
  return result
}

async function readOnly(call: Call, tx: Tx): Promise<void> {
  if (call.kind === 'read' && !call.scratch) await sql`set transaction read only`.execute(tx)
}

/**
 * Runs a read. If it tries to write, that is our own fault and says nothing about the database, which reports the same error when it is
 * read-only.
 */
async function reading({ name, call, handler, input }: Asked, context: Context): Promise<unknown> {
  try {
    return await handler(input, context)
  } catch (error) {
    if (call.scratch || (error as { code?: string }).code !== READ_ONLY) throw error
    throw new Error(`${name} is a read and tried to write`, { cause: error })
  }
}

/** Uses the step-up, does the work, writes the audit row and stores the answer under the request's key, all in one transaction. */
const carryOut: Act = async (asked, context, tx, log, reason = null) => {
  // Checked before the step-up, which the first request has used. This does nothing and reveals no secret.
  const repeated = await findRepeated(asked, context, tx)
  if (repeated) return repeated
  await spendStepUpOf(asked, context, tx)
  if (asked.call.kind === 'read') return reading(asked, context)
  const copies = holdCopies(tx)
  const result = await asked.handler(asked.input, context)
  const name = await record(asked, context, tx, { log, result, reason })
  await copies.write(name, context.changes)
  await keepAnswer(asked, context, tx, result)
  return result
}

/** Writes a call's audit row: what it concerned or created, and the reason if one was given. @returns the name of the object */
async function record(
  { name: action, call, input }: Asked,
  context: Context,
  tx: Tx,
  { log, result, reason }: { log: AuditEntry['caller']; result: unknown; reason: string | null },
): Promise<string | null> {
  const { changes, counts } = context
  const detail = {
    ...detailOf(call, input),
    ...(reason === null ? {} : { reason }),
    ...counts,
    ...(changes.length === 0 ? {} : { changes }),
  }
  const name = call.kind === 'write' ? objectName(context, result, input) : null
  await recordAudit(tx, { caller: log, action, object: subjectOf(call, input) ?? madeId(result), name, detail })
  return name
}

/** The id of a new object, from the answer: some calls put it in `data`. */
function madeId(result: unknown): string | null {
  const { id, uuid, data } = (result ?? {}) as { id?: unknown; uuid?: unknown; data?: { uuid?: unknown } }
  const made = id ?? uuid ?? data?.uuid
  return typeof made === 'string' ? made : null
}

async function spendStepUpOf({ call, input }: Asked, context: Context, db: Database | Tx): Promise<void> {
  if (!call.stepUp) return
  const action = typeof call.stepUp === 'function' ? call.stepUp(input) : call.stepUp
  await spendStepUp(db, callerOf(context), context.grant, action, subjectOf(call, input), context.services.now())
}
