import { type contract, Refusal } from '@pillar/contract'
import { externalIdProblems } from '@pillar/domain/company/pharmacy'
import { oneLine } from '@pillar/domain/text/plain-text'
import { problemSentence } from '@pillar/domain/text/sentence'
import { isUuid } from '@pillar/domain/text/uuid'
import { noteChange, recordInLogs } from '../../api/audit.ts'
import { type Context, callerOf, type HandlersOf, staffTx } from '../../api/context.ts'
import type { Tx } from '../../db/database.ts'
import { findPharmacy, lockPharmacy, type PharmacyRow } from './location-admin.queries.ts'
import { findUuidByKey } from './location-key.queries.ts'
import { listModules, type ModuleRow, putModule, takeModule } from './module.queries.ts'

export const moduleAdminHandlers: HandlersOf<typeof contract.moduleAdmin> = {
  list: async (_input, context) => ({ data: (await listModules(staffTx(context))).map(shown) }),

  async available({ key }, context) {
    const tx = staffTx(context)
    const { modules } = await findPharmacy(tx, await pharmacyOf(context, key))
    const on = new Set(modules.map(({ uuid }) => uuid))
    return { data: (await listModules(tx)).filter(({ uuid }) => !on.has(uuid)).map(shown) }
  },

  async add({ key, moduleId, external_id }, context) {
    const tx = staffTx(context)
    const module = await findModule(tx, moduleId)
    const external = oneLine(external_id ?? '')
    const problem = problemSentence(externalIdProblems(module, external))
    if (problem !== '') throw new Refusal('invalid', problem)
    return changed(context, key, 'moduleAdmin.add', (location) =>
      putModule(tx, location, { id: module.id, external_id: external || null }),
    )
  },

  async remove({ key, moduleId }, context) {
    const tx = staffTx(context)
    const module = await findModule(tx, moduleId)
    return changed(context, key, 'moduleAdmin.remove', (location) => takeModule(tx, location.id, module.id))
  },
}

/** Changes the modules of one pharmacy, with a row in its company's log, and before and after for the audit. */
async function changed(
  context: Context,
  key: string,
  action: string,
  work: (location: { id: number; company_id: number }) => Promise<unknown>,
) {
  const tx = staffTx(context)
  const uuid = await pharmacyOf(context, key)
  const location = await lockPharmacy(tx, uuid)
  const before = await findPharmacy(tx, uuid)
  await work(location)
  const after = await findPharmacy(tx, uuid)
  noteChange(context, uuid, { modules: wordsOf(before) }, { modules: wordsOf(after) })
  await recordInLogs(tx, callerOf(context), action, [{ companyId: location.company_id, ids: [uuid] }])
  return { data: after.modules }
}

const wordsOf = ({ modules }: PharmacyRow) =>
  modules.map(({ display_name, external_id }) => (external_id ? `${display_name} ${external_id}` : display_name))

/** The uuid of the pharmacy named in a path by its key or uuid. @throws Refusal not_found */
async function pharmacyOf({ services }: Context, key: string): Promise<string> {
  const uuid = isUuid(key) ? key.trim() : await findUuidByKey(services.pools.system, key, services.now())
  if (uuid === null) throw new Refusal('not_found', 'That pharmacy was not found.')
  return uuid
}

async function findModule(tx: Tx, uuid: string) {
  const found = (await listModules(tx)).find((module) => module.uuid === uuid.toLowerCase())
  if (!found) throw new Refusal('not_found', 'That module was not found.')
  return found
}

const shown = ({ uuid, name, display_name, display_colour, location_type, needs_external_id }: ModuleRow) => ({
  ...{ uuid, name, display_name, display_colour, location_type, needs_external_id },
})
