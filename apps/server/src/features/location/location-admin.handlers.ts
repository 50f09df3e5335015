import { type contract, Refusal } from '@pillar/contract'
import { pharmacyRemovalProblem } from '@pillar/domain/company/pharmacy'
import { isRestorable, RESTORE_DAYS } from '@pillar/domain/company/removal'
import { LIVE_RUN_STATES } from '@pillar/domain/message/run-state'
import { COUNTRY_NAMES } from '@pillar/domain/time/locale'
import { QUEUE_STATES } from '@pillar/domain/upload/upload-state'
import { noteChange, recordInLogs } from '../../api/audit.ts'
import { type Context, callerOf, type HandlersOf, staffTx } from '../../api/context.ts'
import { refuseStale } from '../../api/version.ts'
import { actingAs } from '../../db/scope.ts'
import { renewPeopleOf } from '../person/people.jobs.ts'
import { pharmaciesOf } from '../person/people.queries.ts'
import { dropKeys } from '../person/person-key.queries.ts'
import { findPlaces } from './gazetteer.ts'
import {
  findPharmacy,
  holdCompany,
  holdCompanyOf,
  insertPharmacy,
  linkOwner,
  listRemoved,
  lockPharmacy,
  type PharmacyRow,
  pharmacyOwns,
  setPharmacyRemoved,
  updatePharmacy,
} from './location-admin.queries.ts'
import { addKey } from './location-key.queries.ts'
import { setModules } from './module.queries.ts'
import { checkedPharmacy, chosenOwner, nothingYet } from './pharmacy-draft.ts'

export const locationAdminHandlers: HandlersOf<typeof contract.locationAdmin> = {
  info: async ({ id }, context) => pharmacyOf(await findPharmacy(staffTx(context), id)),

  places: async ({ country, search_term }) => ({ data: findPlaces(country, search_term) }),

  async removed({ id }, context) {
    const rows = await listRemoved(staffTx(context), id, context.services.now())
    return { data: rows.map((row) => ({ ...row, removed_at: row.removed_at.toISOString() })) }
  },

  async create({ company_id, city, owner, ...given }, context) {
    const tx = staffTx(context)
    const company = await holdCompany(tx, company_id)
    const draft = { ...given, town: given.town ?? city }
    const { columns, modules } = await checkedPharmacy(tx, draft, nothingYet(company.country), company.country)
    const ownerId = (await chosenOwner(tx, company.id, owner)) ?? null
    const made = await insertPharmacy(tx, company.id, { ...columns, owner_login_id: ownerId })
    await addKey(tx, made, context.services.secret, context.services.now())
    if (modules) await setModules(tx, { id: made.id, company_id: company.id }, modules)
    if (ownerId !== null) await linkOwner(tx, made.id, company.id, ownerId)
    await tell(context, 'locationAdmin.create', company.id, made.uuid)
    const location = pharmacyOf(await findPharmacy(tx, made.uuid))
    return { ...location, location }
  },

  async edit({ id: uuid, version, owner, ...given }, context) {
    const tx = staffTx(context)
    const found = await lockPharmacy(tx, uuid)
    refuseStale(found, version)
    const before = await findPharmacy(tx, uuid)
    const { columns, modules } = await checkedPharmacy(tx, given, before, before.company_country)
    const ownerId = await chosenOwner(tx, found.company_id, owner)
    await updatePharmacy(tx, found.id, { ...columns, ...(ownerId === undefined ? {} : { owner_login_id: ownerId }) })
    if (modules) await setModules(tx, found, modules)
    if (typeof ownerId === 'number') await linkOwner(tx, found.id, found.company_id, ownerId)
    await tell(context, 'locationAdmin.edit', found.company_id, uuid)
    const data = pharmacyOf(await findPharmacy(tx, uuid))
    noteChange(context, uuid, pharmacyOf(before), data)
    return { ...data, data }
  },

  async remove({ uuid }, context) {
    const tx = staffTx(context)
    const found = await lockPharmacy(tx, uuid)
    const owns = await pharmacyOwns(tx, found.id, LIVE_RUN_STATES, QUEUE_STATES)
    const problem = pharmacyRemovalProblem(found.name, owns)
    if (problem !== '') throw new Refusal('conflict', problem)
    await setPharmacyRemoved(tx, found, context.services.now())
    await renewDeaths(context, found)
    await tell(context, 'locationAdmin.remove', found.company_id, uuid)
    return { removed: true }
  },

  async restore({ uuid }, context) {
    const tx = staffTx(context)
    await holdCompanyOf(tx, uuid)
    const found = await lockPharmacy(tx, uuid, true)
    if (!found.removed_at || !isRestorable(new Date(found.removed_at), context.services.now())) {
      const message = `${found.name} was removed more than ${RESTORE_DAYS} days ago and cannot be restored.`
      throw new Refusal('conflict', message)
    }
    await setPharmacyRemoved(tx, found, null)
    const own = { companyId: found.company_id, locationIds: [found.id] }
    await actingAs(tx, 'pillar_app', own, () => dropKeys(tx, [found.id]))
    const job = { location_id: found.id, company_id: found.company_id }
    await context.services.queue.send(tx, renewPeopleOf, job, `restored-${found.id}`)
    await tell(context, 'locationAdmin.restore', found.company_id, uuid)
    return pharmacyOf(await findPharmacy(tx, uuid))
  },
}

/**
 * Deaths that only this pharmacy recorded hold back messages of the others only until something is supplied later. The job updates the whole
 * company, whichever of them it gets.
 */
async function renewDeaths(context: Context, { id, company_id }: { id: number; company_id: number }): Promise<void> {
  const { pools, queue } = context.services
  const other = (await pharmaciesOf(pools.system, company_id)).find((one) => one !== id)
  if (other !== undefined) await queue.send(staffTx(context), renewPeopleOf, { location_id: other, company_id })
}

const pharmacyOf = (row: PharmacyRow) => ({
  ...row,
  country_name: COUNTRY_NAMES[row.country],
  created_at: row.created_at.toISOString(),
})

/** Records an act in the log of the pharmacy's company. */
const tell = (context: Context, action: string, companyId: number, uuid: string) =>
  recordInLogs(staffTx(context), callerOf(context), action, [{ companyId, ids: [uuid] }])
