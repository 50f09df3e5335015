import { AUDIT_COUNTED } from '@pillar/contract/access/audit-admin'
import { ACTION_KINDS, type ActionKind, actionsOf } from '@pillar/domain/audit/action-words'
import { isUuid } from '@pillar/domain/text/uuid'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { likePattern } from '../../db/like.ts'
import { type ListAsk, type ListQuery, lotsOf, pageOf, readLong } from '../../db/list.ts'
import { PERSON_TEXT } from '../user/user.queries.ts'

/** Search criteria of the audit; null or absent for any. */
export interface AuditFilter {
  search_term: string
  company?: string | null | undefined
  kind?: ActionKind | null | undefined
  action?: string | null | undefined
  from?: string | null | undefined
  to?: string | null | undefined
}

/** A row as stored. */
export interface RawAct {
  id: string
  at: string
  action: string
  object: string | null
  object_name: string | null
  detail: Readonly<Record<string, unknown>>
  network: string | null
  agent: string | null
  session: string | null
}

export interface RawAuditRow extends RawAct {
  company: { uuid: string; name: string } | null
  person: { uuid: string; name: string; username: string } | null
}

const ACT = sql`a.id::text as id, to_char(a.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at, a.action, a.object,
  a.object_name, a.detail, a.network, a.agent, a.session_id as session`

/** The most people whose acts one search looks up. */
const PEOPLE = 200

/** Conditions on `audit a`. @param zone the zone of the days `from` and `to` @param people whom the term names */
function conditions({ search_term, company, kind, action, from, to }: AuditFilter, zone: string, people: number[]) {
  return [
    company
      ? sql`a.company_id = (select id from company where uuid = ${company})`
      : // An act over several companies appears once, in the platform's own log; a link leads to any row.
        isRow(search_term)
        ? null
        : sql`not a.copy`,
    kind ? ofKind(kind) : null,
    action ? sql`a.action = ${action}` : null,
    ...between(from, to, zone),
    searched(search_term.trim(), people),
  ]
}

/** Conditions that an act happened on certain days. */
function between(from: string | null | undefined, to: string | null | undefined, zone: string) {
  return [
    from ? sql`a.at >= ${from}::date::timestamp at time zone ${zone}` : null,
    to ? sql`a.at < (${to}::date + 1)::timestamp at time zone ${zone}` : null,
  ]
}

function ofKind(kind: ActionKind): RawBuilder<unknown> {
  const named = ACTION_KINDS.flatMap((one) => (one === 'change' ? [] : actionsOf(one)))
  return kind === 'change' ? sql`a.action <> all (${named})` : sql`a.action = any (${actionsOf(kind) as string[]})`
}

/**
 * Ids of the people a term names, by their uuid or part of their name. Looked up first: given the ids, the database knows how few acts they
 * match and does not read all acts by time to find them.
 */
async function peopleOf(tx: Tx, term: string): Promise<number[]> {
  const pattern = likePattern(term)
  if (pattern === null || isRow(term)) return []
  const named = isUuid(term) ? sql`u.uuid = ${term}` : sql`${PERSON_TEXT} ilike ${pattern}`
  const { rows } = await sql<{
    id: number
  }>`select u.id from login u where ${named} order by u.id limit ${PEOPLE}`.execute(tx)
  return rows.map(({ id }) => id)
}

const isRow = (term: string) => /^\d{1,15}$/.test(term.trim())

/** A uuid matches an object, a person or a session; digits match a row; words match a person or the beginning of an object's name. */
function searched(term: string, people: number[]): RawBuilder<unknown> | null {
  if (term === '') return null
  const by = people.length === 0 ? sql`` : sql`or a.login_id = any (${people}::bigint[])`
  if (isUuid(term)) {
    const id = term.toLowerCase()
    return sql`(a.object = ${id} or a.session_id = ${id} ${by})`
  }
  if (isRow(term)) return sql`a.id = ${term}`
  const plain = term.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')
  return sql`(lower(a.object_name) like ${`${plain}%`} ${by})`
}

const rowsOf = async (tx: Tx, filter: AuditFilter, zone: string): Promise<ListQuery<'at'>> => ({
  select: sql`${ACT},
    (select jsonb_build_object('uuid', c.uuid, 'name', c.name) from company c where c.id = a.company_id) as company,
    (select jsonb_build_object('uuid', l.uuid, 'name', trim(l.first_name || ' ' || l.last_name), 'username', l.username)
     from login l where l.id = a.login_id) as person`,
  from: sql`audit a`,
  where: conditions(filter, zone, await peopleOf(tx, filter.search_term.trim())),
  sort: { at: sql`a.at` },
  key: sql`a.id`,
  most: AUDIT_COUNTED,
  filled: true,
  chosenByKey: true,
})

/** One page of the audit over all companies. */
export async function listAudit(tx: Tx, filter: AuditFilter & ListAsk<'at'>, zone: string) {
  return pageOf<RawAuditRow, 'at'>(tx, await rowsOf(tx, filter, zone), { ...filter, search_term: '' })
}

/** The rows of the audit for a file, newest first, in lots; null if there are more than `most`, which are then only counted. */
export async function auditLots(
  tx: Tx,
  filter: AuditFilter,
  zone: string,
  most: number,
): Promise<AsyncGenerator<RawAuditRow[]> | null> {
  await readLong(tx)
  const { select, where = [] } = await rowsOf(tx, filter, zone)
  const held = sql.join(
    where.filter((one) => one !== null),
    sql` and `,
  )
  const counted = await sql<{ count: number }>`
    select count(*)::int as count from (select from audit a where ${held} limit ${most + 1}) counted`.execute(tx)
  if (counted.rows[0]!.count > most) return null
  return lotsOf(tx, sql<RawAuditRow>`select ${select} from audit a where ${held} order by a.at desc, a.id desc`)
}

export interface ActivityFilter {
  by?: 'support' | 'company' | null | undefined
  kind?: ActionKind | null | undefined
  from?: string | null | undefined
  to?: string | null | undefined
}

export interface RawActivity extends RawAct {
  /** A person of this company. */
  own: string | null
  /** Done by support: by a person outside this company, or through a call reserved for support. */
  support: boolean
}

/** Not listed: the act for which the password was entered has its own row. */
const UNTOLD = ['session.confirm']

/** One page of a company's own log, in its own scope. @param supportCalls names of the calls reserved for support */
export function listActivity(
  tx: Tx,
  { by, kind, from, to, ...ask }: ActivityFilter & ListAsk<'at'>,
  zone: string,
  supportCalls: string[],
) {
  const support = sql`(a.login_id is not null and (n.login_id is null or a.action = any (${supportCalls})))`
  return pageOf<RawActivity, 'at'>(
    tx,
    {
      select: sql`${ACT}, n.name as own, ${support} as support`,
      from: sql`audit a left join login_name n on n.login_id = a.login_id`,
      where: [
        sql`a.action <> all (${UNTOLD})`,
        by ? (by === 'support' ? support : sql`not ${support}`) : null,
        kind ? ofKind(kind) : null,
        ...between(from, to, zone),
      ],
      sort: { at: sql`a.at` },
      key: sql`a.id`,
      most: AUDIT_COUNTED,
      filled: true,
      chosenByKey: true,
    },
    { ...ask, search_term: '' },
  )
}
