import { MARKETING_STATEMENT, PRIVACY_VERSION } from '@pillar/domain/signup/signup'
import { softwareNeed } from '@pillar/domain/signup/signup-software'
import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { SEALED } from '../../db/field/columns.ts'
import type { Keys } from '../../db/field/key-ring.ts'
import { sealedSignup } from '../signup/signup.queries.ts'

const DAY_MS = 86_400_000

interface DemoSignup {
  pharmacy: string
  person: readonly [first: string, last: string, job: string]
  at: readonly [street: string, town: string, region: string, postcode: string]
  sources: string[]
  state: 'waiting' | 'unconfirmed' | 'approved' | 'rejected'
  daysAgo: number
  /** Why it was rejected, or the company it became. */
  outcome?: string
}

const SIGNUPS: readonly DemoSignup[] = [
  {
    ...{ pharmacy: 'Banksia Point Pharmacy', person: ['Priya', 'Nand', 'Owner'], sources: ['fred'] },
    ...{ at: ['14 Harbour Road', 'Yamba', 'NSW', '2464'], state: 'waiting', daysAgo: 4 },
  },
  {
    ...{ pharmacy: 'Stringybark Chemist', person: ['Tom', 'Keogh', 'Pharmacist in charge'], sources: ['minfos'] },
    ...{ at: ['88 Main Street', 'Hahndorf', 'SA', '5245'], state: 'waiting', daysAgo: 3 },
  },
  {
    ...{ pharmacy: 'Tamar Valley Pharmacy', person: ['Ellen', 'Wu', 'Owner'], sources: ['corumclear'] },
    ...{ at: ['3 Wharf Street', 'Beauty Point', 'TAS', '7270'], state: 'waiting', daysAgo: 1 },
  },
  {
    ...{ pharmacy: 'Ringtail Pharmacy', person: ['Sam', 'Okafor', 'Manager'], sources: ['fred', 'minfos'] },
    ...{ at: ['210 Beach Parade', 'Torquay', 'VIC', '3228'], state: 'unconfirmed', daysAgo: 1 },
  },
  {
    ...{ pharmacy: 'Mallee Chemists', person: ['Grace', 'Lindner', 'Owner'], sources: ['fred'] },
    ...{
      at: ['5 Deakin Avenue', 'Mildura', 'VIC', '3500'],
      state: 'approved',
      daysAgo: 20,
      outcome: 'Mallee Chemists',
    },
  },
  {
    ...{ pharmacy: 'Corner Store', person: ['A', 'Visitor', ''], sources: ['fred'] },
    ...{ at: ['1 George Street', 'Sydney', 'NSW', '2000'], state: 'rejected', daysAgo: 12 },
    outcome: 'We could not find a pharmacy of this name at this address.',
  },
]

/**
 * Sign-ups from the calculator page in every state, so that support has a queue. May run again: existing ones stay unchanged.
 * @param passwordHash of the password that the waiting ones chose
 */
export async function addDemoSignups(system: Database, keys: Keys, passwordHash: string, now: Date): Promise<void> {
  for (const [index, { pharmacy, person, at, sources, state, daysAgo, outcome }] of SIGNUPS.entries()) {
    const [first, last, job] = person
    const [street, town, region, postcode] = at
    const name = `${first}.${last}`.toLowerCase()
    const created = new Date(now.getTime() - daysAgo * DAY_MS)
    const decided = state === 'approved' || state === 'rejected' ? new Date(created.getTime() + DAY_MS) : null
    const uuid = `0192d3b0-0031-7000-8000-00000000000${index + 1}`
    const email = `${name}@signup.example`
    const { email_sealed } = await sealedSignup(keys, uuid, { email, phone: null })
    const { name: column, index: written } = SEALED.signupEmail
    const [email_index] = await keys.indexes(column, written.of(email))
    await sql`
      insert into signup (uuid, state, username, email_sealed, email_index, first_name, last_name, job_title, phone, pharmacy_name, pharmacy_phone, sources, asked_for,
        street_address, town, region, postcode, privacy_version, email_marketing, marketing_wording, password_hash, created_at,
        confirmed_at, decided_at, decided_by, reason, company_id)
      select ${uuid}, ${state}, ${name}, ${email_sealed}::bytea, ${email_index}::bytea, ${first}, ${last},
        ${job || null}, null, ${pharmacy}, ${`02 5550 01${10 + index}`}, ${sources}::text[],
        ${sources.filter((key) => softwareNeed(key) === 'not supported')}::text[], ${street}, ${town}, ${region}, ${postcode},
        ${PRIVACY_VERSION}, ${index % 2 === 0}, ${MARKETING_STATEMENT}, ${state === 'waiting' ? passwordHash : null}, ${created},
        ${state === 'unconfirmed' ? null : created}, ${decided}::timestamptz,
        case when ${decided}::timestamptz is not null then (select id from login where lower(username) = 'support') end,
        ${state === 'rejected' ? (outcome ?? null) : null}, c.id
      from (select 1) one left join company c on c.name = ${state === 'approved' ? (outcome ?? '') : ''} and c.removed_at is null
      where ${state} <> 'approved' or c.id is not null
      on conflict do nothing`.execute(system)
  }
}
