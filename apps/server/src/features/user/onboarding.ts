import { type contract, Refusal } from '@pillar/contract'
import { recordInLogs } from '../../api/audit.ts'
import { callerOf, type HandlersOf, staffTx } from '../../api/context.ts'
import { companyIdOf } from '../location/location.queries.ts'
import { insertNotifications, listNotifications, lockWelcomes, type Welcome } from './onboarding.queries.ts'
import { mailWelcome } from './user-letters.ts'
import { locationsByUuid, usersByUuid } from './user-link.queries.ts'

type Handlers = Pick<HandlersOf<typeof contract.userLink>, 'notifications' | 'sendWelcome'>

const unique = (uuids: readonly string[]) => [...new Set(uuids.map((uuid) => uuid.toLowerCase()))]
const keyOf = (login: string, location: string) => `${login} ${location}`.toLowerCase()

/** Welcome emails about pharmacies, to the users linked to them. */
export const onboarding: Handlers = {
  async notifications({ id }, context) {
    const tx = staffTx(context)
    const rows = await listNotifications(tx, await companyIdOf(tx, id))
    return { data: rows.map((row) => ({ ...row, selected: row.created_at === null })) }
  },

  async sendWelcome({ login_locations }, context) {
    const tx = staffTx(context)
    const { services } = context
    const wanted = new Set(login_locations.map((one) => keyOf(one.login_id, one.location_id)))
    const logins = unique(login_locations.map((one) => one.login_id))
    const places = unique(login_locations.map((one) => one.location_id))
    const known = [...(await usersByUuid(tx, logins)), ...(await locationsByUuid(tx, places))]
    if (known.length < logins.length + places.length)
      throw new Refusal('not_found', 'A selected user or location was not found. Nothing was sent.')
    const found = await lockWelcomes(tx, logins, places)
    // The query combines every chosen user with every chosen pharmacy; only the chosen pairs get emails.
    const chosen = found.filter((one) => wanted.has(keyOf(one.login_uuid, one.location_uuid)))
    if (chosen.length < wanted.size) {
      const gone = wanted.size - chosen.length
      throw new Refusal(
        'conflict',
        `${gone} of ${wanted.size} selected notifications no longer ${gone === 1 ? 'has' : 'have'} a user who is linked and can sign in. Nothing was sent. Please load them again.`,
      )
    }
    const byUser = grouped(chosen, ({ login_id }) => login_id)
    for (const [id, rows] of byUser) {
      const [first] = rows
      if (first)
        await mailWelcome(
          tx,
          services,
          { ...first, id },
          rows.map((row) => row.location_name),
        )
    }
    await insertNotifications(tx, chosen, services.now())
    const logs = [...grouped(chosen, ({ company_id }) => company_id)].map(([companyId, rows]) => ({
      companyId,
      ids: rows.flatMap((row) => [row.login_uuid, row.location_uuid]),
    }))
    await recordInLogs(tx, callerOf(context), 'userLink.sendWelcome', logs)
    return { letters: byUser.size, notifications: chosen.length, message: 'Welcome Email Sent Successfully' }
  },
}

function grouped(rows: readonly Welcome[], by: (row: Welcome) => number): Map<number, Welcome[]> {
  const groups = new Map<number, Welcome[]>()
  for (const row of rows) groups.set(by(row), [...(groups.get(by(row)) ?? []), row])
  return groups
}
