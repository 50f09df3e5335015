import { recordAudit } from '../../../api/audit.ts'
import type { Services } from '../../../api/context.ts'
import { OLDER_QUEUE, WORKER } from '../../../api/queue.ts'
import type { Database, Tx } from '../../../db/database.ts'
import { storedContacts } from '../../../db/field/contact.ts'
import { inScope } from '../../../db/scope.ts'
import { queueRecount } from '../../run/recount-queue.queries.ts'
import { keysOf } from '../claim.ts'
import { addHistory, lockHistory } from '../history.queries.ts'
import {
  connectionsNamed,
  type DuePlace,
  databaseNow,
  endGap,
  failRun,
  noteGap,
  openGap,
  placesDueBy,
  plannedAfter,
  type RestoreGap,
  runNames,
  type SetAside,
  setAsideAt,
  unwrittenRuns,
} from './set-aside.queries.ts'

type Needs = Pick<Services, 'pools' | 'keys'> & Record<'sms' | 'bulkEmail', { name: string }>

/** The messages set aside of one run at one pharmacy. */
export interface SetAsideOf {
  messages: number
  /** Such as: the campaign "Repeats". */
  run: string
  pharmacy: string
  company: string
}

/** The result of `setAside`. */
export interface AfterRestore {
  gap: RestoreGap
  messages: SetAsideOf[]
  /** Campaigns (null: of a trial) that were ended because their messages were not written. */
  runs: (string | null)[]
  /** Messages that stay as they are because they are planned for later. */
  later: number
}

export const REASON = 'It may have been sent before Pillar was restored from a backup'
const NOTE =
  'Pillar was restored from a backup of before this began, so its messages may have been sent already. Ask the gateway before you activate it again.'

/**
 * After the database was restored to its state at `since`: sets aside as `unknown` whatever a running Pillar may have handed over from then
 * until now, so that nothing is sent twice; ends runs whose messages are missing but may have been written; and stops follow-ups of
 * sequences due by now from being sent. Repeating it changes nothing; interrupted, it has to be repeated before a worker starts.
 * @param hoursChanged sending hours, or the rule about public holidays, may have been changed since, which sends messages earlier than planned
 * @throws Error while workers run, or if the moment is impossible
 */
export async function setAside(services: Needs, since: Date, hoursChanged = false): Promise<AfterRestore> {
  const { app, system } = services.pools
  if (since >= (await databaseNow(system)))
    throw new Error('--since is not in the past. Give the moment the restored database stands at.')
  await refuseWorkers(system)
  const gap = await noteGap(system, since)
  const messages: SetAsideOf[] = []
  for (const place of await placesDueBy(system, gap.until, hoursChanged)) {
    const scope = { companyId: place.companyId, locationIds: [place.locationId] }
    messages.push(...(await inScope(app, scope, (tx) => setAsidePlace(tx, services, place, { ...gap, hoursChanged }))))
  }
  const runs: (string | null)[] = []
  for (const { id, companyId } of await unwrittenRuns(system, gap.until)) {
    const ended = await inScope(app, { companyId, locationIds: [] }, (tx) => endRun(tx, id, companyId, gap))
    if (ended) runs.push(ended.name)
  }
  if (!gap.known || messages.length > 0 || runs.length > 0) {
    const detail = { ...span(gap), messages: messages.reduce((sum, one) => sum + one.messages, 0), runs: runs.length }
    await recordAudit(system, { caller: null, action: 'restore.setAside', object: null, detail })
  }
  await endGap(system, gap)
  return { gap, messages, runs, later: await plannedAfter(system, gap.until) }
}

/**
 * Before a process sends anything.
 * @throws Error with what to do if `setAside` was interrupted: what it had not set aside yet may have been sent before the restore
 */
export async function refuseHalfSetAside(system: Database): Promise<void> {
  const since = await openGap(system)
  if (since === null) return
  throw new Error(
    `What was sent before this database was restored is set aside only in part, so it could be sent twice. Run again: npm run after-restore -- --since "${since.toISOString()}" (and --hours-changed, if you gave that). Processes with ROLE=web start.`,
  )
}

const span = ({ since, until }: RestoreGap) => ({ since: since.toISOString(), until: until.toISOString() })

/** @throws Error with what to do while a connected process sends, or may send as far as its connection shows */
async function refuseWorkers(system: Database): Promise<void> {
  const workers = await connectionsNamed(system, [WORKER])
  if (!workers.named)
    throw new Error(
      'DATABASE_URL gives connections a name of its own (application_name), so that workers cannot be told apart. Leave it out, restart what runs, then run this again.',
    )
  if (workers.open > 0)
    throw new Error(
      'Workers of Pillar run and may be sending. Stop each process but those with ROLE=web, then run this again.',
    )
  if ((await connectionsNamed(system, [OLDER_QUEUE])).open > 0)
    throw new Error(
      'Processes of an older version of Pillar run, of which it cannot be told whether they send. Stop them, then run this again.',
    )
}

async function setAsidePlace(
  tx: Tx,
  services: Needs,
  place: DuePlace,
  gap: RestoreGap & { hoursChanged: boolean },
): Promise<SetAsideOf[]> {
  const gateways = { sms: services.sms.name, email: services.bulkEmail.name }
  const aside = await setAsideAt(tx, place, gap, gateways, REASON)
  if (aside.length === 0) return []
  await count(tx, services, place.companyId, aside)
  await queueRecount(tx, [place.locationId])
  const runs = Map.groupBy(aside, ({ run_id }) => run_id)
  const names = await runNames(tx, [...runs.keys()])
  const caller = { companyId: place.companyId, loginId: null, sessionId: null }
  const detail = { ...span(gap), messages: aside.length, location: place.locationId }
  await recordAudit(tx, { caller, action: 'restore.setAside', object: null, name: place.pharmacy, detail })
  return [...runs].map(([id, { length }]) => ({
    messages: length,
    run: names.get(id) ?? 'a run',
    pharmacy: place.pharmacy,
    company: place.company,
  }))
}

/** Counts them towards the frequency limit from when they may have been sent; a gateway that does not have a message removes it again. */
async function count(tx: Tx, { keys }: Needs, companyId: number, aside: readonly SetAside[]): Promise<void> {
  const counted = aside.filter(({ waited, free }) => waited && !free)
  const stored = await storedContacts(
    tx,
    keys,
    counted.flatMap((one) => [one.contact, one.sms_to, one.email_to]),
  )
  const as = (contact: string | null) => (contact === null ? null : stored.get(contact)!)
  const people = counted.map(({ planned_at, contact, sms_to, email_to }) => ({
    at: planned_at,
    contacts: keysOf({ contact: as(contact)!, sms_to: as(sms_to), email_to: as(email_to) }),
  }))
  await lockHistory(
    tx,
    keys,
    companyId,
    people.flatMap(({ contacts }) => contacts),
  )
  for (const [at, some] of Map.groupBy(people, ({ at }) => at.getTime()))
    await addHistory(
      tx,
      companyId,
      some.flatMap(({ contacts }) => contacts),
      new Date(at),
    )
}

async function endRun(tx: Tx, runId: number, companyId: number, gap: RestoreGap) {
  const ended = await failRun(tx, runId, NOTE, gap.until)
  if (!ended) return null
  const caller = { companyId, loginId: null, sessionId: null }
  const { uuid, name } = ended
  await recordAudit(tx, { caller, action: 'restore.endRun', object: uuid, name, detail: span(gap) })
  return ended
}
