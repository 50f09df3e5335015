import type { OnboardingNotification } from '@pillar/contract/access/user-link-admin'
import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { isoTime } from '../company/company-admin.queries.ts'

/** A welcome email for each link of a user who can sign in to a pharmacy of the company, with when and where it was last sent. */
export async function listNotifications(
  tx: Tx,
  companyId: number,
): Promise<Omit<OnboardingNotification, 'selected'>[]> {
  const { rows } = await sql<Omit<OnboardingNotification, 'selected'>>`
    select u.uuid as login_uuid, l.uuid as location_uuid, u.username as login_name, u.email, l.name as location_name,
           coalesce(n.destination, u.email) as destination, ${isoTime(sql`n.created_at`)} as created_at
    from location l join login_location x on x.location_id = l.id
    join login u on u.id = x.login_id and u.disabled_at is null
    left join lateral (
      select destination, created_at from onboarding_notification
      where location_id = l.id and login_id = u.id order by created_at desc, id desc limit 1
    ) n on true
    where l.company_id = ${companyId} and l.removed_at is null
    order by lower(u.username), u.id, lower(l.name), l.id`.execute(tx)
  return rows
}

export interface Welcome {
  login_id: number
  login_uuid: string
  location_id: number
  location_uuid: string
  location_name: string
  /** The pharmacy's. */
  company_id: number
  first_name: string
  username: string
  email: string
  /** The person's. */
  company: string
  country: string
  awaits_password: boolean
}

/** The existing links among those requested of users who can sign in, by user; locks their logins. */
export async function lockWelcomes(
  tx: Tx,
  logins: readonly string[],
  locations: readonly string[],
): Promise<Welcome[]> {
  const { rows } = await sql<Welcome>`
    select u.id as login_id, u.uuid as login_uuid, l.id as location_id, l.uuid as location_uuid, l.name as location_name, l.company_id,
           u.first_name, u.username, u.email, c.name as company, c.country,
           u.password_pending or u.must_change_password as awaits_password
    from login u join company c on c.id = u.company_id and c.removed_at is null
    join login_location x on x.login_id = u.id join location l on l.id = x.location_id and l.removed_at is null
    where u.uuid = any (${[...logins]}) and l.uuid = any (${[...locations]}) and u.disabled_at is null
    order by u.id, lower(l.name), l.id for update of u`.execute(tx)
  return rows
}

/** Records that welcome emails were written. */
export async function insertNotifications(tx: Tx, sent: readonly Welcome[], now: Date): Promise<void> {
  await tx
    .insertInto('onboarding_notification')
    .values(
      sent.map(({ location_id, login_id, email }) => ({ location_id, login_id, destination: email, created_at: now })),
    )
    .execute()
}
