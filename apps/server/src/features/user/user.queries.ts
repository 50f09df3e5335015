import { Refusal } from '@pillar/contract'
import type { User } from '@pillar/contract/access/user'
import type { USER_FILTERS } from '@pillar/contract/access/user-read'
import { userState } from '@pillar/domain/access/user'
import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { type ListAsk, pageOf } from '../../db/list.ts'
import { isoTime } from '../company/company-admin.queries.ts'

interface Row extends Omit<User, 'name' | 'login_id' | 'person' | 'state'> {
  username: string
  first_name: string
  middle_name: string | null
  last_name: string
  preferred_name: string | null
  dob: string | null
  sex: 'Female' | 'Male' | null
  created_at: string
  disabled: Date | null
  password_pending: boolean
  invited: Date | null
  removed: Date | null
}

const COLUMNS = sql`u.uuid, u.username, u.email, u.first_name, u.middle_name, u.last_name, u.preferred_name,
  to_char(u.dob, 'YYYY-MM-DD') as dob, u.sex, u.data_analytics as enterprise_login, u.guild_login, u.clinical_trials_login, u.sr_login,
  ${isoTime(sql`u.created_at`)} as created_at, json_build_object('uuid', c.uuid, 'name', c.name) as company, u.password_pending,
  case when r.id is not null then json_build_object('recruiter_provider_id', r.uuid, 'recruiter_provider_name', r.name,
    'recruiter_or_provider', r.recruiter_or_provider) end as recruiter,
  u.disabled_at as disabled, u.invited_at as invited, ${isoTime(sql`u.invited_at`)} as invited_at, u.removed_at as removed,
  ${isoTime(sql`u.removed_at`)} as removed_at, u.version`
const USERS = sql`login u join company c on c.id = u.company_id left join recruiter_provider r on r.id = u.recruiter_provider_id`
const NAME = sql`lower(u.first_name || ' ' || u.last_name)`
/** The text by which a user `u` is searched, as in its index. */
export const PERSON_TEXT = sql`(u.first_name || ' ' || u.last_name || ' ' || coalesce(u.preferred_name, '') || ' ' || u.username || ' ' || u.email)`

function userOf(row: Row, now: Date): User {
  const { username, first_name, middle_name, last_name, preferred_name, dob, sex, created_at, ...rest } = row
  const { disabled, invited, removed, password_pending, ...user } = rest
  return {
    ...user,
    login_id: row.uuid,
    name: username,
    person: {
      personal_information: { first_name, middle_name, last_name, preferred_name, dob, sex },
      created_at,
    },
    state: userState({ removed_at: removed, disabled_at: disabled, password_pending, invited_at: invited }, now),
  }
}

type Sort = 'name' | 'username' | 'email' | 'company' | 'created_at'
type Show = (typeof USER_FILTERS)[number]

const SHOWN: Readonly<Record<Show, ReturnType<typeof sql>>> = {
  active: sql`u.removed_at is null and u.disabled_at is null and not u.password_pending`,
  waiting: sql`u.removed_at is null and u.disabled_at is null and u.password_pending`,
  disabled: sql`u.removed_at is null and u.disabled_at is not null`,
  unlinked: sql`u.removed_at is null and not exists (select from login_location x
    join location l on l.id = x.location_id and l.removed_at is null where x.login_id = u.id)`,
  removed: sql`u.removed_at is not null`,
}

interface UserAsk extends ListAsk<Sort> {
  show?: Show | null | undefined
  company_id?: string | null | undefined
}

/** One page of the users of all companies that are not removed. */
export async function listUsers(tx: Tx, { show, company_id, ...input }: UserAsk, now: Date) {
  const { rows, ...page } = await pageOf<Row, Sort>(
    tx,
    {
      select: COLUMNS,
      from: USERS,
      where: [
        sql`c.removed_at is null`,
        show ? SHOWN[show] : sql`u.removed_at is null`,
        company_id ? sql`c.uuid = ${company_id}` : null,
      ],
      search: [PERSON_TEXT],
      uuid: sql`u.uuid`,
      sort: {
        name: NAME,
        username: sql`lower(u.username)`,
        email: sql`lower(u.email)`,
        company: sql`lower(c.name)`,
        created_at: sql`u.created_at`,
      },
      key: sql`u.id`,
      filled: true,
      chosenByKey: true,
    },
    input,
  )
  return { rows: rows.map((row) => userOf(row, now)), ...page }
}

/** Everybody of a company who is not removed, by name. */
export async function listUsersOf(tx: Tx, companyUuid: string, now: Date): Promise<User[]> {
  const { rows } = await sql<Row>`
    select ${COLUMNS} from ${USERS} where c.uuid = ${companyUuid} and u.removed_at is null order by ${NAME}, u.id`.execute(
    tx,
  )
  return rows.map((row) => userOf(row, now))
}

/** One user, including a removed one. @throws Refusal not_found */
export async function findUser(tx: Tx, uuid: string, now: Date): Promise<User> {
  const { rows } = await sql<Row>`
    select ${COLUMNS} from ${USERS} where u.uuid = ${uuid} and c.removed_at is null`.execute(tx)
  if (!rows[0]) throw new Refusal('not_found', 'That user was not found.')
  return userOf(rows[0], now)
}

export interface LockedUser {
  id: number
  uuid: string
  /** First and last name. */
  name: string
  first_name: string
  last_name: string
  username: string
  email: string
  company_id: number
  company: string
  country: string
  sr_login: boolean
  password_pending: boolean
  disabled_at: Date | null
  removed_at: Date | null
  version: number
}

/** Locks a user until the transaction ends. @throws Refusal not_found, also for a removed one unless `removed` */
export async function lockUser(tx: Tx, uuid: string, { removed = false } = {}): Promise<LockedUser> {
  const { rows } = await sql<LockedUser>`
    select u.id, u.uuid, u.first_name || ' ' || u.last_name as name, u.first_name, u.last_name, u.username, u.email, u.company_id,
           c.name as company, c.country, u.sr_login, u.password_pending, u.disabled_at, u.removed_at, u.version
    from ${USERS}
    where u.uuid = ${uuid} and c.removed_at is null and (u.removed_at is not null) = ${removed}
    for update of u`.execute(tx)
  if (!rows[0]) throw new Refusal('not_found', 'That user was not found.')
  return rows[0]
}
