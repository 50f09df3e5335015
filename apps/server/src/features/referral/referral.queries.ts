import type { REFERRAL_SORTS } from '@pillar/contract/trial/referral'
import { searchWords } from '@pillar/domain/trial/referral'
import { type RawBuilder, sql } from 'kysely'
import type { Database, Tx } from '../../db/database.ts'
import { likePattern } from '../../db/like.ts'
import { type ListAsk, pageOf } from '../../db/list.ts'

/** The recruiter or provider whose referrals a login sees. */
export interface OwnRecruiter {
  id: number
  name: string
  recruiter_or_provider: 'recruiter' | 'provider'
}

/** The recruiter or provider of a login; null if none. */
export async function recruiterOf(system: Database, loginId: number): Promise<OwnRecruiter | null> {
  const row = await system
    .selectFrom('login as l')
    .innerJoin('recruiter_provider as r', 'r.id', 'l.recruiter_provider_id')
    .select(['r.id', 'r.name', 'r.recruiter_or_provider'])
    .where('l.id', '=', loginId)
    .executeTakeFirst()
  return (row as OwnRecruiter | undefined) ?? null
}

/** A referral as stored: days as text, money in cents. */
export interface ReferralRow {
  consent_id: string
  referred_on: string
  first_name: string
  last_name: string
  phone_number: string
  email: string
  postcode: string
  trial_name: string
  channel: 'sms' | 'email' | null
  enrolled: boolean
  recruiter_contacted: boolean | null
  rebate_cents: number
  sr_rebate_cents: number
  version: number
}

/** Which referrals to read: a recruiter's, between two days, inclusive. */
export interface Asked {
  recruiterId: number
  from: string
  to: string
}

type Sort = (typeof REFERRAL_SORTS)[number]
type Ask = ListAsk<Sort>

const COLUMNS = sql`r.consent_id, r.referred_on, r.first_name, r.last_name, r.phone_number, r.email, r.postcode, r.trial_name, r.channel,
  r.enrolled, r.recruiter_contacted, r.rebate_cents, r.sr_rebate_cents, r.version`

/** As in the indexes of trial_referral. */
const SORTS: Readonly<Record<Sort, RawBuilder<unknown>>> = {
  // The day at the pharmacy, as shown: late on the 27th in Perth is later than early on the 28th in Sydney.
  referral_date: sql`r.referred_on`,
  first_name: sql`lower(r.first_name)`,
  last_name: sql`lower(r.last_name)`,
  // The digits after the country code or the zero, since one list holds +61491570337 and 0491 570 337.
  phone_number: sql`regexp_replace(regexp_replace(r.phone_number, '[^0-9+]', '', 'g'), '^(\\+(61|44|1)0?|0)', '')`,
  email: sql`lower(r.email)`,
  postcode: sql`r.postcode`,
  trial_name: sql`lower(r.trial_name)`,
  communication_type: sql`coalesce(r.channel, '')`,
  enrolled: sql`r.enrolled`,
  recruiter_contacted: sql`coalesce(r.recruiter_contacted::int, -1)`,
}

const WITHIN: Partial<typeof SORTS> = { referral_date: sql`r.referred_at` }

const between = ({ recruiterId, from, to }: Asked) =>
  sql`r.recruiter_id = ${recruiterId} and r.referred_on between ${from}::date and ${to}::date`

/** Every word of a search as a pattern, the longest first because it leaves the fewest rows. */
function patternsOf(term: string): string[] {
  const words = searchWords(term).map(likePattern)
  return words.filter((pattern) => pattern !== null).sort((a, b) => b.length - a.length)
}

/**
 * A condition on the rows of the recruiter this transaction runs as: they contain every word of a search and are not withdrawn; null
 * without words.
 */
function found(term: string): RawBuilder<unknown> | null {
  const patterns = patternsOf(term)
  return patterns.length === 0 ? null : sql`r.consent_id in (select own_referrals(${patterns}::text[]))`
}

/** One page of a recruiter's referrals, or all of them up to `most`. Runs as that recruiter. */
export async function listReferrals(tx: Tx, asked: Asked, input: Ask) {
  return pageOf<ReferralRow, Sort>(
    tx,
    {
      select: COLUMNS,
      from: sql`trial_referral r`,
      where: [between(asked), sql`r.withdrawn_at is null`, found(input.search_term)],
      sort: SORTS,
      within: WITHIN,
      filled: true,
      key: sql`r.consent_id`,
      foundOnce: patternsOf(input.search_term).length > 0,
    },
    { ...input, search_term: '' },
  )
}

/** The same rows for a file, up to one more than it may hold. */
export async function referralsForFile(tx: Tx, asked: Asked, input: Ask, most: number): Promise<ReferralRow[]> {
  const words = found(input.search_term)
  const direction = sql.raw(input.sort_order)
  const within = WITHIN[input.sort_field] ?? sql`r.consent_id`
  const { rows } = await sql<ReferralRow>`
    select ${COLUMNS} from trial_referral r
    where ${between(asked)} and r.withdrawn_at is null ${words === null ? sql`` : sql`and ${words}`}
    order by ${SORTS[input.sort_field]} ${direction}, ${within} ${direction}, r.consent_id ${direction} limit ${most + 1}`.execute(
    tx,
  )
  return rows
}

/** The referrals of one week or month by their present state; money in cents. */
export interface BarRow {
  from: string
  waiting: number
  contacted: number
  enrolled: number
  /** Over all rows, enrolled or not. */
  ever_contacted: number
  withdrawn: number
  cents: number
  sr_cents: number
  withdrawn_cents: number
  withdrawn_sr_cents: number
}

/** The totals of the referrals of these days, oldest first. */
export async function referralBars(tx: Tx, asked: Asked, step: 'week' | 'month', term: string): Promise<BarRow[]> {
  const words = found(term)
  const here = sql`r.withdrawn_at is null`
  const { rows } = await sql<BarRow>`
    select date_trunc(${step}, r.referred_on::timestamp)::date as from,
      count(*) filter (where ${here} and not r.enrolled and r.recruiter_contacted is not true)::int as waiting,
      count(*) filter (where ${here} and not r.enrolled and r.recruiter_contacted)::int as contacted,
      count(*) filter (where ${here} and r.enrolled)::int as enrolled,
      count(*) filter (where ${here} and r.recruiter_contacted)::int as ever_contacted,
      count(*) filter (where r.withdrawn_at is not null)::int as withdrawn,
      coalesce(sum(r.rebate_cents) filter (where ${here}), 0)::bigint as cents,
      coalesce(sum(r.sr_rebate_cents) filter (where ${here}), 0)::bigint as sr_cents,
      coalesce(sum(r.rebate_cents) filter (where r.withdrawn_at is not null), 0)::bigint as withdrawn_cents,
      coalesce(sum(r.sr_rebate_cents) filter (where r.withdrawn_at is not null), 0)::bigint as withdrawn_sr_cents
    from trial_referral r where ${between(asked)} ${words === null ? sql`` : sql`and ${words}`}
    group by 1 order by 1`.execute(tx)
  return rows
}

/** The place of a recruiter's referral, for an act on it; undefined for another's, and for a withdrawn one. */
export async function findReferral(tx: Tx, recruiterId: number, consentId: string) {
  const { rows } = await sql<{ location_id: number; trial_id: number; patient_id: number }>`
    select r.location_id, r.trial_id, r.patient_id from trial_referral r
    where r.recruiter_id = ${recruiterId} and r.consent_id = ${consentId} and r.withdrawn_at is null`.execute(tx)
  return rows[0]
}

/** One referral of a recruiter; undefined once it is withdrawn. */
export async function readReferral(tx: Tx, recruiterId: number, consentId: string): Promise<ReferralRow | undefined> {
  const { rows } = await sql<ReferralRow>`
    select ${COLUMNS} from trial_referral r
    where r.recruiter_id = ${recruiterId} and r.consent_id = ${consentId} and r.withdrawn_at is null`.execute(tx)
  return rows[0]
}

/** The names of the recruiter's own people among these logins. */
export async function colleagueNames(
  system: Database,
  recruiterId: number,
  loginIds: readonly number[],
): Promise<Map<number, string>> {
  if (loginIds.length === 0) return new Map()
  const rows = await system
    .selectFrom('login')
    .select(['id', 'first_name', 'last_name'])
    .where('id', 'in', loginIds)
    .where('recruiter_provider_id', '=', recruiterId)
    .execute()
  return new Map(rows.map(({ id, first_name, last_name }) => [id, `${first_name} ${last_name}`.trim()]))
}
