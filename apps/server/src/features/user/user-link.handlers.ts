import { type contract, Refusal } from '@pillar/contract'
import { type FailedLink, failedLinksSentence } from '@pillar/domain/access/user'
import { recordInLogs } from '../../api/audit.ts'
import { type Context, callerOf, type HandlersOf, staffTx } from '../../api/context.ts'
import { companyIdOf } from '../location/location.queries.ts'
import { onboarding } from './onboarding.ts'
import { findUser, lockUser } from './user.queries.ts'
import {
  deleteLinks,
  insertLinks,
  type LinkedLocation,
  type LinkedUser,
  linkedWithin,
  listUserLocations,
  locationsByUuid,
  usersByUuid,
} from './user-link.queries.ts'

type Handlers = HandlersOf<typeof contract.userLink>

const linkMany: Handlers['linkMany'] = async ({ login_ids, location_ids }, context) => {
  const tx = staffTx(context)
  const users = byUuid(await usersByUuid(tx, login_ids))
  const places = byUuid(await locationsByUuid(tx, location_ids))
  if (users.size === 0) throw new Refusal('not_found', NO_USER)
  if (places.size === 0) throw new Refusal('not_found', NO_PLACE)
  const failed: (FailedLink & { login_id: string; location_id: string })[] = []
  const links: { user: LinkedUser; place: LinkedLocation }[] = []
  const pairs = unique(login_ids).flatMap((login_id) =>
    unique(location_ids).map((location_id) => ({ login_id, location_id })),
  )
  for (const { login_id, location_id } of pairs) {
    const user = users.get(login_id)
    const place = places.get(location_id)
    const reason = whyNot(user, place)
    if (user && place && reason === null) links.push({ user, place })
    else {
      const names = { user: user?.name ?? 'Unknown user', location: place?.name ?? 'Unknown location' }
      failed.push({ login_id, location_id, ...names, reason: reason ?? '' })
    }
  }
  await insertLinks(
    tx,
    links.map(({ user, place }) => ({ login_id: user.id, location_id: place.id, company_id: place.company_id })),
  )
  await tell(
    context,
    'userLink.link',
    links.map(({ place }) => place),
  )
  const message = failed.length === 0 ? LINKED : failedLinksSentence(pairs.length, failed)
  return { linked: links.length, failed, message }
}

export const userLinkHandlers: Handlers = {
  async locations({ id }, context) {
    const tx = staffTx(context)
    await findUser(tx, id, context.services.now())
    return { data: await listUserLocations(tx, id) }
  },

  async link({ login_id, location_id }, context) {
    const { failed } = await linkMany({ login_ids: [login_id], location_ids: [location_id] }, context)
    const [not] = failed
    if (not) throw new Refusal('conflict', not.reason)
    return { message: LINKED }
  },

  linkMany,

  async unlink({ login_id, location_id }, context) {
    const tx = staffTx(context)
    const user = await lockUser(tx, login_id)
    const [place] = await locationsByUuid(tx, [location_id])
    if (!place) throw new Refusal('not_found', NO_PLACE)
    if ((await deleteLinks(tx, user.id, [place.id])) === 0)
      throw new Refusal('conflict', `${user.name} is not linked to ${place.name} any more.`)
    await tell(context, 'userLink.unlink', [place])
    return { message: 'Location unlinked.' }
  },

  async sync({ userId, company_id, location_ids, linked_before }, context) {
    const tx = staffTx(context)
    const user = await lockUser(tx, userId)
    const companyId = await companyIdOf(tx, company_id)
    const wanted = await locationsByUuid(tx, location_ids)
    if (wanted.length !== unique(location_ids).length || wanted.some((place) => place.company_id !== companyId))
      throw new Refusal('not_found', 'A selected location was not found in this company. Nothing was changed.')
    const before = await linkedWithin(tx, user.id, companyId)
    const seen = before.filter(({ removed }) => !removed)
    const known = new Set(linked_before)
    if (linked_before && (known.size !== seen.length || seen.some(({ uuid }) => !known.has(uuid))))
      throw new Refusal('conflict', 'Somebody else has changed these locations. Please look at them again.')
    const keep = new Set(wanted.map(({ id }) => id))
    const gone = before.filter(({ id }) => !keep.has(id))
    const unlinked = await deleteLinks(
      tx,
      user.id,
      gone.map(({ id }) => id),
    )
    const links = wanted.map(({ id }) => ({ login_id: user.id, location_id: id, company_id: companyId }))
    const linked = await insertLinks(tx, links)
    await recordInLogs(tx, callerOf(context), 'userLink.sync', [{ companyId, ids: [userId, ...location_ids] }])
    return { linked, unlinked }
  },

  ...onboarding,
}

const LINKED = 'Location(s) successfully linked.'
const NO_USER = 'That user was not found.'
const NO_PLACE = 'That location was not found.'

function whyNot(user: LinkedUser | undefined, place: LinkedLocation | undefined): string | null {
  if (!user) return NO_USER
  if (!place) return NO_PLACE
  return user.disabled ? `${user.name} is disabled. Please enable the login first.` : null
}

const unique = (uuids: readonly string[]) => [...new Set(uuids.map((uuid) => uuid.toLowerCase()))]
const byUuid = <T extends { uuid: string }>(rows: readonly T[]) => new Map(rows.map((row) => [row.uuid, row]))

/** Records the act in the log of each pharmacy's company. */
async function tell(context: Context, action: string, places: readonly LinkedLocation[]): Promise<void> {
  const logs = new Map<number, Set<string>>()
  for (const { company_id, uuid } of places) logs.set(company_id, (logs.get(company_id) ?? new Set()).add(uuid))
  const rows = [...logs].map(([companyId, ids]) => ({ companyId, ids: [...ids] }))
  await recordInLogs(staffTx(context), callerOf(context), action, rows)
}
