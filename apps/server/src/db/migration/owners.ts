import { CompiledQuery } from 'kysely'
import type pg from 'pg'
import { openClient } from '../away.ts'
import type { Database } from '../database.ts'

/**
 * The functions that look across companies, or write what the caller may not. They run with the rights of their owner, which must be
 * pillar_report: another owner's rights could allow more than intended.
 */
export const ACROSS_COMPANIES = [
  ...['approve_signup', 'average_candidates', 'average_figures', 'board_facts', 'company_location_ids', 'find_request'],
  ...['guild_sixty_day_behind', 'guild_sixty_day_candidates', 'guild_sixty_day_figures', 'guild_sixty_day_totals'],
  ...['is_confirmed_contact', 'keep_request', 'own_referrals', 'reject_signup', 's8_analyze', 'seal_audit'],
  ...['sixty_day_stale', 'spend_step_up', 'unused_contacts'],
] as const

interface WrongOwner {
  signature: string
  owner: string
  /** Whether the current login may give it away. */
  ours: boolean
}

const WRONG_OWNERS = `
  select oid::regprocedure::text as signature, proowner::regrole::text as owner, pg_has_role(proowner, 'usage') as ours
  from pg_proc where prosecdef and pronamespace = 'public'::regnamespace and proname = any ($1)
    and proowner <> 'pillar_report'::regrole order by 1`

/**
 * Gives the functions that look across companies to pillar_report if they belong to another role, as after the owner restored a dump.
 * @throws Error with the statement a superuser has to run if one belongs to a role the owner may not act as
 */
export async function repairFunctionOwners(ownerUrl: string, log: (line: string) => void): Promise<void> {
  const client = await openClient({ connectionString: ownerUrl })
  try {
    if ((await wrongOwnersOf(client)).length === 0) return
    await client.query('begin')
    // If several processes start at once, one does it, and the others wait and find it done.
    await client.query(`select pg_advisory_xact_lock(hashtextextended('pillar owners of functions', 0))`)
    const found = await wrongOwnersOf(client)
    if (found.some(({ ours }) => !ours))
      throw new Error(`${whose(found)} Run in this database as a superuser: ${statements(found)}`)
    if (found.length > 0) {
      await client.query('grant create on schema public to pillar_report')
      await client.query(statements(found))
      await client.query('revoke create on schema public from pillar_report')
    }
    await client.query('commit')
    if (found.length > 0) log(`${whose(found)} They were given to pillar_report.`)
  } finally {
    await client.end()
  }
}

/** @throws Error with what to do when a function that looks across companies does not belong to pillar_report */
export async function refuseWrongOwners(system: Database): Promise<void> {
  const { rows } = await system.executeQuery<WrongOwner>(CompiledQuery.raw(WRONG_OWNERS, [ACROSS_COMPANIES]))
  if (rows.length > 0) throw new Error(`${whose(rows)} Run "npm run migrate", which gives them to it.`)
}

const wrongOwnersOf = async (client: pg.Client): Promise<WrongOwner[]> =>
  (await client.query<WrongOwner>(WRONG_OWNERS, [ACROSS_COMPANIES])).rows

const whose = (found: readonly WrongOwner[]) =>
  `${found.length} functions that look across companies belong to ${[...new Set(found.map(({ owner }) => owner))].join(', ')} ` +
  'instead of pillar_report, and may do more than meant, as after a restore of a dump by somebody who is no superuser.'

const statements = (found: readonly WrongOwner[]) =>
  found.map(({ signature }) => `alter function ${signature} owner to pillar_report;`).join(' ')
