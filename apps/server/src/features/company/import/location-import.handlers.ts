import { type contract, Refusal } from '@pillar/contract'
import { importProblem } from '@pillar/domain/company/pharmacy-import'
import { noteChange, recordInLogs } from '../../../api/audit.ts'
import { type Context, callerOf, type HandlersOf, staffTx } from '../../../api/context.ts'
import type { Tx } from '../../../db/database.ts'
import { actingAs } from '../../../db/scope.ts'
import { queueStatRecount } from '../../attribution/message-stat.queries.ts'
import { renewPeopleOf } from '../../person/people.jobs.ts'
import { dropPeople, pharmaciesOf } from '../../person/people.queries.ts'
import { queueRecount } from '../../run/recount-queue.queries.ts'
import { holdWriting } from '../../run/run-write.queries.ts'
import { endSessionsOf } from '../../session/session.queries.ts'
import { afterUpload } from '../../upload/after-upload.jobs.ts'
import { lockPharmacy } from '../../upload/claim.queries.ts'
import {
  campaignsOf,
  countsOf,
  findImport,
  type ImportedLogin,
  type ImportedPlace,
  listPharmacies,
  loginsOf,
} from './location-import.queries.ts'
import {
  addRecentContacts,
  cancelQueued,
  dropOwn,
  dropReports,
  endSequences,
  holdRuns,
  movePharmacy,
  moveRuns,
  readRuns,
  recentContacts,
  splitRuns,
} from './move.queries.ts'

export const locationImportHandlers: HandlersOf<typeof contract.locationImport> = {
  async pharmacies({ not_company, ...input }, context) {
    const { rows, ...page } = await listPharmacies(staffTx(context), input, not_company ?? null)
    return { results: rows, ...page }
  },

  async preview(input, context) {
    const tx = staffTx(context)
    const place = await findImport(tx, input, false)
    const logins = await loginsOf(tx, place)
    const campaigns = await campaignsOf(tx, place)
    const counts = await asBefore(tx, place, () => countsOf(tx, place.id))
    return {
      pharmacy: { uuid: place.uuid, name: place.name },
      from: place.from,
      to: { uuid: place.to.uuid, name: place.to.name },
      logins_moving: logins.filter(({ moves }) => moves).map(loginOf),
      logins_staying: logins.filter(({ moves }) => !moves).map(loginOf),
      patients: counts.patients,
      uploads: counts.uploads,
      messages: counts.messages,
      queued_messages: counts.queued,
      campaigns: campaigns.map(({ uuid, name, running }) => ({ uuid, name, running })),
      sequences: counts.sequences,
    }
  },

  async run(input, context) {
    const tx = staffTx(context)
    // A running load ends first: it changes the pharmacy too, and this move must not hold what the load waits for.
    await lockPharmacy(tx, (await findImport(tx, input, false)).id)
    const place = await findImport(tx, input, true)
    const stopped = (await campaignsOf(tx, place)).filter(({ running }) => running)
    const logins = (await loginsOf(tx, place)).filter(({ moves }) => moves)
    const cancelled = await move(context, place, logins)
    const logs = [place.fromId, place.toId].map((companyId) => ({ companyId, ids: [place.uuid], alone: place.name }))
    await recordInLogs(tx, callerOf(context), 'locationImport.run', logs)
    noteChange(context, place.uuid, { company: place.from.name }, { company: place.to.name })
    return {
      uuid: place.uuid,
      name: place.name,
      moved_logins: logins.length,
      stopped_campaigns: stopped.map(({ name }) => name),
      cancelled_messages: cancelled,
    }
  },
}

/** Stops, moves and hands over, all in the transaction of the call. @returns how many queued messages were cancelled */
async function move(context: Context, place: ImportedPlace, logins: readonly ImportedLogin[]): Promise<number> {
  const tx = staffTx(context)
  const { services } = context
  const now = services.now()
  const ids = logins.map(({ id }) => id)
  // Follow-ups, invitations and campaigns: anything written meanwhile would belong to the previous company, and wait for ever.
  if (!(await holdWriting(tx, place.id)))
    throw new Refusal(
      'conflict',
      `${place.name} was not imported: messages of it are being written. Please try again in a few minutes.`,
    )
  const runs = await holdRuns(tx, place.id)
  await refuseBusy(tx, place)
  const before = await asBefore(tx, place, async () => {
    // Before the batches, in the same order as a concurrent message count.
    await queueStatRecount(tx, place.id)
    return {
      cancelled: await cancelQueued(tx, place.id, now),
      recent: await recentContacts(tx, place.id, now),
      dropped: await dropOwn(tx, ids),
    }
  })
  const siblings = await pharmaciesOf(services.pools.system, place.fromId)
  const old = { companyId: place.fromId, locationIds: siblings }
  const parted = await actingAs(tx, 'pillar_app', old, () => dropPeople(tx, place.id))
  const shared = await readRuns(tx, runs)
  await endSequences(tx, place.id, now)
  await moveRuns(tx, runs, place.toId, now)
  await movePharmacy(tx, place, ids)
  // They sign in again, and are then in the new company.
  for (const id of ids) await endSessionsOf(tx, id, now)
  await actingAs(tx, 'pillar_app', { companyId: place.toId, locationIds: [place.id] }, async () => {
    await splitRuns(tx, shared, place, now)
    await addRecentContacts(tx, services.keys, place.toId, before.recent)
    await queueRecount(tx, [place.id])
    await queueStatRecount(tx, place.id)
  })
  await actingAs(tx, 'pillar_system', null, () => dropReports(tx, place.id, now))
  const job = { location_id: place.id, company_id: place.toId }
  await services.queue.send(tx, afterUpload, job, `imported-${place.id}-${place.toId}`)
  await services.queue.send(tx, renewPeopleOf, job)
  // At least one of those that stay: the job also forgets deaths that only the pharmacy that leaves recorded.
  const others = siblings.filter((id) => id !== place.id).slice(0, 1)
  for (const id of new Set([...parted, ...others]))
    await services.queue.send(tx, renewPeopleOf, { location_id: id, company_id: place.fromId })
  return before.cancelled
}

/** As people of the previous company see it. */
const asBefore = <T>(tx: Tx, place: ImportedPlace, work: () => Promise<T>) =>
  actingAs(tx, 'pillar_app', { companyId: place.fromId, locationIds: [place.id] }, work)

/** @throws Refusal conflict while work at the pharmacy is in progress that the move would break */
async function refuseBusy(tx: Tx, place: ImportedPlace): Promise<void> {
  const { loading, inFlight } = await asBefore(tx, place, () => countsOf(tx, place.id))
  const writing = (await campaignsOf(tx, place)).filter(({ state }) => state === 'preparing').map(({ name }) => name)
  const problem = importProblem({ name: place.name, loading, inFlight, writing })
  if (problem !== '') throw new Refusal('conflict', problem)
}

const loginOf = ({ uuid, name, email, pharmacies }: ImportedLogin) => ({ uuid, name, email, pharmacies })
