import { createHash } from 'node:crypto'
import { FLAGS, type Flag } from '@pillar/contract'
import { sql } from 'kysely'
import type { Caller } from '../../api/context.ts'
import type { Database } from '../../db/database.ts'

/** Idle and absolute limits of a session, in seconds (trust.md section 3). */
export const IDLE_SECONDS = 900
export const ABSOLUTE_SECONDS = 12 * 3600

export const hashToken = (token: string) => createHash('sha256').update(token).digest()

/** Who holds this access token at `now`: null when it is unknown, expired, or its session or login has ended. */
export async function findCaller(gate: Database, token: string, now: Date): Promise<Caller | null> {
  const row = await gate
    .selectFrom('access_token as t')
    .innerJoin('session as s', 's.id', 't.session_id')
    .innerJoin('login as l', 'l.id', 's.login_id')
    .innerJoin('company as c', 'c.id', 'l.company_id')
    .select([
      's.id as session_id',
      'l.id as login_id',
      'l.username',
      'l.company_id',
      'c.uuid as company_uuid',
      'c.country',
    ])
    .select(FLAGS.map((flag) => `l.${flag}` as const))
    .select(
      sql<
        number[]
      >`array(select id from location where company_id = l.company_id and removed_at is null order by id)`.as(
        'location_ids',
      ),
    )
    .where('t.token_hash', '=', hashToken(token))
    .where('t.expires_at', '>', now)
    .where('s.ended_at', 'is', null)
    .where('s.created_at', '>', new Date(now.getTime() - ABSOLUTE_SECONDS * 1000))
    .where('l.disabled_at', 'is', null)
    .executeTakeFirst()
  if (!row) return null
  return {
    loginId: row.login_id,
    sessionId: row.session_id,
    username: row.username,
    flags: new Set(FLAGS.filter((flag: Flag) => row[flag])),
    companyId: row.company_id,
    companyUuid: row.company_uuid,
    country: row.country as Caller['country'],
    scope: { companyId: row.company_id, locationIds: row.location_ids.map(Number) },
  }
}
