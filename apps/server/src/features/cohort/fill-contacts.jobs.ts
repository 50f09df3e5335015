import { setTimeout as sleep } from 'node:timers/promises'
import type { Services } from '../../api/context.ts'
import { repeat } from '../../api/repeat.ts'
import { SEALED } from '../../db/field/columns.ts'
import { sweepFields } from '../../db/field/sweep.ts'
import { inScope } from '../../db/scope.ts'
import { fillEvents } from '../../gateways/gateway-event.queries.ts'
import { lockFacts } from './fact/facts.queries.ts'
import { addShared } from './fact/shared.queries.ts'
import {
  everyPlace,
  type Fill,
  fillHistory,
  fillMessages,
  fillPatients,
  fillReplies,
  fillState,
  forgetSources,
  noteFilled,
} from './fill-contacts.queries.ts'

type Needs = Pick<Services, 'pools' | 'keys'>

const LOOK_AGAIN_MS = 1_000

/**
 * After an installation was switched over: replaces each plain contact by its handle and seals what pharmacies wrote, in chunks. Any number
 * of processes may do it at once, and each may be killed at any point. Meanwhile contacts are looked up in both forms.
 * @returns whether all is filled
 */
export async function fillContacts({ pools, keys }: Needs): Promise<boolean> {
  const { due, filled } = await fillState(pools.system)
  if (!due) return filled
  const places = await everyPlace(pools.system)
  for (const [companyId, own] of Map.groupBy(places, (place) => place.companyId)) {
    const locationIds = own.map(({ id }) => id)
    while ((await inScope(pools.app, { companyId, locationIds }, (tx) => fillHistory(tx, keys, companyId))) > 0);
    for (const { id } of own) await fillPlace({ pools, keys }, companyId, id)
  }
  for (let after: number | null = 0; after !== null; )
    after = await pools.system.transaction().execute((tx) => fillEvents(tx, keys, after ?? 0))
  await sweepFields(pools, keys, true, [SEALED.patientMobile, SEALED.patientEmail])
  for (const { id, companyId } of places)
    await inScope(pools.app, { companyId, locationIds: [id] }, (tx) => forgetSources(tx, id))
  // A pharmacy that moved to another company meanwhile was not seen whole: the next round covers it.
  const after = await everyPlace(pools.system)
  if (JSON.stringify(after) !== JSON.stringify(places)) return false
  await noteFilled(pools.system)
  return true
}

/** Every half minute, reseals what older keys sealed, and contacts still stored plain. @returns stops it, once the current work is done */
export function startSealing(services: Services): () => Promise<void> {
  return repeat(services, 'sealing fields again', 30_000, async () => {
    await sweepFields(services.pools, services.keys)
    await fillContacts(services)
  })
}

async function fillPlace({ pools, keys }: Needs, companyId: number, locationId: number): Promise<void> {
  const scope = { companyId, locationIds: [locationId] }
  const all = async (fill: Fill) => {
    for (let after: number | null = 0; after !== null; )
      after = await inScope(pools.app, scope, (tx) => fill(tx, keys, locationId, after ?? 0))
  }
  await all(fillPatients)
  await all(fillMessages)
  await all(fillReplies)
  await inScope(pools.app, scope, async (tx) => {
    await lockFacts(tx)
    await addShared(tx, locationId)
  })
}

/**
 * Waits until contacts are stored in one form everywhere, and helps: writing messages to many people depends on which of them share a
 * number. Returns at once except in the minutes after an installation was switched over.
 */
export async function settleContacts(services: Needs): Promise<void> {
  const { live, filled } = await services.keys.contacts()
  if (live.length === 0 || filled) return
  while (!(await fillContacts(services))) await sleep(LOOK_AGAIN_MS)
}
