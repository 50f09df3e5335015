import { Refusal } from '@pillar/contract'
import type { UserOwns } from '@pillar/domain/access/user'
import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { refuseTaken } from '../../db/taken.ts'

/** The messages for a username or address that belongs to another login. */
export const LOGIN_TAKEN = {
  login_username: 'Somebody already has that username. Please enter another username.',
  login_email: 'Somebody already signs in with that email address. Please enter another email address.',
}

export interface LoginChanges {
  username: string
  email: string
  first_name: string
  last_name: string
  middle_name?: string | null
  preferred_name?: string | null
  dob?: string | null
  sex?: string | null
  guild_login?: boolean
  clinical_trials_login?: boolean
  recruiter_provider_id?: number | null
  data_analytics?: boolean
  sixty_day_signup?: boolean
  ecdr?: boolean
  ad_analytics?: boolean
  supplier_analytics?: boolean
}

/** Changes a login and increments its version. @throws Refusal conflict if the username or the address is taken */
export async function updateLogin(tx: Tx, id: number, changes: LoginChanges): Promise<void> {
  await refuseTaken(LOGIN_TAKEN, () =>
    tx
      .updateTable('login')
      .set((eb) => ({ ...changes, version: eb('version', '+', 1) }))
      .where('id', '=', id)
      .execute(),
  )
}

export interface LoginCompany {
  id: number
  name: string
  sixty_day_signup: boolean
  cloud_ecdr: boolean
  ad_dashboard: boolean
  supplier_dashboard: boolean
}

/** The company for a new login, locked so that it is not removed meanwhile. @throws Refusal not_found */
export async function holdCompany(tx: Tx, company: { uuid: string } | { id: number }): Promise<LoginCompany> {
  const found = await tx
    .selectFrom('company')
    .select(['id', 'name', 'sixty_day_signup', 'cloud_ecdr', 'ad_dashboard', 'supplier_dashboard'])
    .where((eb) => ('uuid' in company ? eb('uuid', '=', company.uuid) : eb('id', '=', company.id)))
    .where('removed_at', 'is', null)
    .forShare()
    .executeTakeFirst()
  if (!found) throw new Refusal('not_found', 'That company was not found.')
  return found
}

/** Locks the company of a user who is being re-enabled: its removal locks out every enabled user it finds. @throws Refusal not_found */
export async function holdCompanyOf(tx: Tx, uuid: string): Promise<void> {
  const { rows } = await sql`
    select from company where id = (select company_id from login where uuid = ${uuid}) and removed_at is null for share`.execute(
    tx,
  )
  if (rows.length === 0) throw new Refusal('not_found', 'That user was not found.')
}

/** The id of a recruiter or provider. @throws Refusal not_found */
export async function recruiterIdOf(tx: Tx, uuid: string): Promise<number> {
  const row = await tx.selectFrom('recruiter_provider').select('id').where('uuid', '=', uuid).executeTakeFirst()
  if (!row) throw new Refusal('not_found', 'That recruiter or provider was not found.')
  return row.id
}

/** Locks a login out, or lets it in again. */
export async function setDisabled(tx: Tx, id: number, at: Date | null): Promise<void> {
  await tx
    .updateTable('login')
    .set((eb) => ({ disabled_at: at, version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .execute()
}

/** Removes a login from every list and locks it out; one that was disabled before stays disabled when restored. */
export async function removeLogin(tx: Tx, id: number, now: Date): Promise<void> {
  await tx
    .updateTable('login')
    .set((eb) => ({
      removed_at: now,
      disabled_at: eb.fn.coalesce('disabled_at', eb.val(now)),
      version: eb('version', '+', 1),
    }))
    .where('id', '=', id)
    .execute()
}

/** Restores a removed login unchanged. @throws Refusal conflict if its username or address belongs to another login by now */
export async function restoreLogin(tx: Tx, id: number): Promise<void> {
  await refuseTaken(
    {
      login_username: 'Somebody else has that username by now. Please change theirs first.',
      login_email: 'Somebody else signs in with that email address by now. Please change theirs first.',
    },
    () =>
      sql`update login set removed_at = null, version = version + 1,
            disabled_at = case when disabled_at <> removed_at then disabled_at end
          where id = ${id}`.execute(tx),
  )
}

/** Records that an invitation was mailed. */
export async function setInvited(tx: Tx, id: number, now: Date): Promise<void> {
  await tx.updateTable('login').set({ invited_at: now }).where('id', '=', id).execute()
}

/**
 * Locks the support logins that can sign in until the transaction ends, always in the same order: of two people locking each other out at
 * once, one waits and finds that they are the last. @returns their ids
 */
export async function lockSupport(tx: Tx): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from login where sr_login and disabled_at is null order by id for update`.execute(tx)
  return rows.map(({ id }) => Number(id))
}

/** What a user still has that prevents their removal. */
export async function userOwns(tx: Tx, user: { id: number; company_id: number; company: string }): Promise<UserOwns> {
  const { rows } = await sql<{ names: string[]; others: number; pharmacies: number; campaigns: number }>`select
    array(select name from location where owner_login_id = ${user.id} and removed_at is null order by lower(name)) as names,
    (select count(*) from login where company_id = ${user.company_id} and id <> ${user.id} and disabled_at is null) as others,
    (select count(*) from location where company_id = ${user.company_id} and removed_at is null) as pharmacies,
    (select count(*) from campaign where company_id = ${user.company_id} and removed_at is null and active) as campaigns`.execute(
    tx,
  )
  const found = rows[0]
  if (!found) throw new Error('a select without from answers one row')
  const alone = { company: user.company, pharmacies: found.pharmacies, activeCampaigns: found.campaigns }
  return { pharmacies: found.names, alone: Number(found.others) === 0 ? alone : null }
}
