import pg from 'pg'
import { openPools } from '../../apps/server/src/db/database.ts'
import { createLocation, ensureCompany } from '../../apps/server/src/features/location/location.queries.ts'
import { createLogin } from '../../apps/server/src/features/session/login.queries.ts'
import { PASSWORD } from '../company.ts'

/** First and last names for the referrals; a search for one finds about one row in fifty. */
export const NAMES = Array.from({ length: 50 }, (_, at) => `Na${String.fromCharCode(97 + (at % 26))}${at}me`)

/** A recruiter with this many referrals of one pharmacy over two years, and as many of another recruiter. */
export async function writeReferrals(databaseUrl: string, count: number): Promise<void> {
  const pools = openPools(databaseUrl, () => {}, 1)
  const owner = new pg.Client({ connectionString: databaseUrl })
  try {
    const { id: companyId } = await ensureCompany(pools.system, { name: 'Referral Bench', country: 'AU' })
    const place = { companyId, name: 'Referral Pharmacy', country: 'AU', time_zone: 'Australia/Sydney' } as const
    const location = await createLocation(pools.system, place)
    const name = { username: 'trials', email: 'trials@bench.example', first_name: 'Tess', last_name: 'Quinn' }
    const login = await createLogin(pools.system, {
      ...{ companyId, ...name, flags: ['clinical_trials_login'], password: PASSWORD },
    })
    await owner.connect()
    const recruiters = await owner.query<{ id: string }>(
      `insert into recruiter_provider (uuid, name, description, recruiter_or_provider, logo_url, phone, email, website, privacy_policy_url)
       select gen_random_uuid(), 'Recruiter ' || n, 'Adults', 'recruiter', a, '02 5550 0190', 'hello@bench.example', a, a
       from generate_series(1, 2) n, (select 'https://bench.example' as a) address returning id`,
    )
    const ids = recruiters.rows.map((row) => Number(row.id))
    await owner.query('update login set recruiter_provider_id = $1 where id = $2', [ids[0], login.id])
    await owner.query(
      `insert into trial_referral (location_id, trial_id, patient_id, consent_id, recruiter_id, referred_on, referred_at, first_name, last_name,
         phone_number, email, postcode, trial_name, channel, enrolled, recruiter_contacted, rebate_cents)
       select $1::bigint, 1 + n % 20, n, gen_random_uuid(), ($2::bigint[])[1 + n % 2],
         (now() - n % 700 * interval '1 day')::date, now() - n % 700 * interval '1 day',
         ($3::text[])[1 + n / 2 % 50], ($3::text[])[1 + n / 100 % 50], '04' || lpad((n * 7919 % 100000000)::text, 8, '0'),
         'person' || n || '@mail.example', (2000 + n % 900)::text, 'Trial ' || n % 20, case when n % 3 = 0 then 'sms' else 'email' end,
         n % 11 = 0, case when n % 5 = 0 then true end, 2000
       from generate_series(1, $4::bigint) n`,
      [location.id, ids, NAMES, count * 2],
    )
    await owner.query('vacuum analyze trial_referral')
  } finally {
    await owner.end()
    await pools.close()
  }
}
