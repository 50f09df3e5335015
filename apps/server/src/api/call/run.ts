import { type Call, Refusal, subjectOf } from '@pillar/contract'
import { sql } from 'kysely'
import type { Database, Tx } from '../../db/database.ts'
import { bindScope } from '../../db/scope.ts'
import { findCompanyScope } from '../../features/company/company-scope.queries.ts'
import { spendStepUp } from '../../features/session/step-up.queries.ts'
import { type AuditEntry, detailOf, recordAudit } from '../audit.ts'
import { type Caller, type Context, callerOf } from '../context.ts'
import { flagsOf } from './admit.ts'

export type AnyHandler = (input: unknown, context: Context) => Promise<unknown>

/** A call on its way, admitted and parsed. */
export interface Asked {
  /** Its name in the contract, such as 'campaign.list'. */
  name: string
  call: Call
  handler: AnyHandler
  input: unknown
}

/** Runs a call where its contract says: in no transaction, in its tenant's, over all companies, or in one company's. */
export async function run(asked: Asked, context: Context): Promise<unknown> {
  const { call, handler, input } = asked
  if (flagsOf(call).length === 0 || call.waits) {
    await spendStepUpOf(asked, context, context.services.pools.system)
    return handler(input, context)
  }
  const caller = callerOf(context)
  if (!call.reach || !caller.flags.has('sr_login')) return inTenant(asked, context, caller)
  if (call.reach === 'platform') return onPlatform(asked, context, caller)
  return inCompany(asked, context, caller, call.reach.company(input), call.reach.reason?.(input) ?? null)
}

/** In the caller's own company. A read cannot write; a write leaves its audit row in the same transaction. */
function inTenant(asked: Asked, context: Context, caller: Caller): Promise<unknown> {
  return context.services.pools.app.transaction().execute(async (tx) => {
    await readOnly(asked.call, tx)
    await bindScope(tx, caller.scope)
    return carryOut(asked, { ...context, tx }, tx, caller)
  })
}

/** Over all companies, as the role that sees no patient. The caller's own company opens nothing here. */
function onPlatform(asked: Asked, context: Context, caller: Caller): Promise<unknown> {
  const staff = { ...caller, scope: { companyId: 0, locationIds: [] } }
  return context.services.pools.staff.transaction().execute(async (tx) => {
    await readOnly(asked.call, tx)
    return carryOut(asked, { ...context, caller: staff, staff: tx }, tx, { ...caller, companyId: null })
  })
}

/** In the one company named, as its own people see it, with a row in its own log: reads too. */
async function inCompany(asked: Asked, context: Context, caller: Caller, uuid: string, reason: string | null) {
  const { pools } = context.services
  const company = await findCompanyScope(pools.staff, uuid)
  if (!company) throw new Refusal('not_found', 'That company was not found.')
  const inside: Caller = { ...caller, ...company }
  return pools.app.transaction().execute(async (tx) => {
    if (asked.call.kind === 'read') await record(asked, tx, inside, null, reason)
    await readOnly(asked.call, tx)
    await bindScope(tx, inside.scope)
    return carryOut(asked, { ...context, caller: inside, tx }, tx, inside, reason)
  })
}

async function readOnly(call: Call, tx: Tx): Promise<void> {
  if (call.kind === 'read' && !call.scratch) await sql`set transaction read only`.execute(tx)
}

/** Uses the step-up, does the work and writes the audit row, all in one transaction. */
async function carryOut(
  asked: Asked,
  context: Context,
  tx: Tx,
  log: AuditEntry['caller'],
  reason: string | null = null,
): Promise<unknown> {
  await spendStepUpOf(asked, context, tx)
  const result = await asked.handler(asked.input, context)
  if (asked.call.kind === 'write') await record(asked, tx, log, madeId(result), reason)
  return result
}

/** The audit row of a call: what it is about, or what it made, and why where it says so. */
function record(
  { name, call, input }: Asked,
  tx: Tx,
  caller: AuditEntry['caller'],
  made: string | null,
  reason: string | null,
): Promise<void> {
  const detail = { ...detailOf(call, input), ...(reason === null ? {} : { reason }) }
  return recordAudit(tx, { caller, action: name, object: subjectOf(call, input) ?? made, detail })
}

/** The id of something new, as the answer tells it. */
function madeId(result: unknown): string | null {
  const { id, uuid } = (result ?? {}) as { id?: unknown; uuid?: unknown }
  const made = id ?? uuid
  return typeof made === 'string' ? made : null
}

async function spendStepUpOf({ call, input }: Asked, context: Context, db: Database | Tx): Promise<void> {
  if (!call.stepUp) return
  const action = typeof call.stepUp === 'function' ? call.stepUp(input) : call.stepUp
  await spendStepUp(db, callerOf(context), context.grant, action, subjectOf(call, input), context.services.now())
}
