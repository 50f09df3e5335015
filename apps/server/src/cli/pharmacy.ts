import { parseArgs } from 'node:util'
import { AU_STATE_ZONES, hasZone } from '@pillar/domain/time/zone'
import { findSecret } from '../api/secret/secret.ts'
import { isTaken } from '../db/taken.ts'
import { readEnv } from '../env.ts'
import { otherStateProblem, stateInAmerica, zoneAt, zoneOfZip } from '../features/location/gazetteer.ts'
import { createLocation, ensureCompany } from '../features/location/location.queries.ts'
import { watchUploads } from '../features/location/module.queries.ts'
import { asSystem, command } from './command.ts'

const USAGE = `npm run pharmacy -- add --company NAME --name NAME --postcode POSTCODE [--state STATE] [--country AU|GB|US]
Creates a pharmacy, and its company when new, and prints the key that its uploads show.
The database is DATABASE_URL, else the one of the Pillar running from DATA_DIR.`

function options() {
  const text = { type: 'string' } as const
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      company: text,
      name: text,
      postcode: text,
      state: text,
      country: text,
      town: text,
      address: text,
      phone: text,
    },
  })
  const { company, name, postcode } = values
  if (positionals[0] !== 'add' || positionals.length > 1 || !company?.trim() || !name?.trim() || !postcode?.trim())
    throw new Error(`Give a company, a name and a postcode.\n\n${USAGE}`)
  const country = (values.country ?? 'AU').toUpperCase()
  if (country !== 'AU' && country !== 'GB' && country !== 'US')
    throw new Error(`--country is AU, GB or US, not ${values.country}.`)
  const state = values.state?.trim().toUpperCase() ?? (country === 'AU' ? stateOfPostcode(postcode.trim()) : null)
  if (country === 'AU' && state !== null && !(state in AU_STATE_ZONES))
    throw new Error(`--state is one of ${Object.keys(AU_STATE_ZONES).join(', ')}, not ${values.state}.`)
  const problem = placeProblem(country, postcode.trim(), state)
  if (problem) throw new Error(problem)
  const region = country === 'US' ? stateInAmerica(state, postcode.trim()) : state
  const elsewhere = otherStateProblem({ country, region, postcode: postcode.trim() })
  if (elsewhere) throw new Error(elsewhere)
  return { ...values, company: company.trim(), name: name.trim(), postcode: postcode.trim(), country, region } as const
}

/** Why the time zone is unknown; messages follow it, and a guess could send them at night. British places always have one. */
function placeProblem(country: 'AU' | 'GB' | 'US', postcode: string, state: string | null): string | null {
  if (country === 'AU' && !/^\d{4}$/.test(postcode)) return `An Australian postcode has four digits: ${postcode}`
  if (country === 'AU' && state === null) return `${postcode} is in no state that is known: give --state.`
  if (country !== 'US') return null
  if (!/^\d{5}(-\d{4})?$/.test(postcode)) return `An American postcode has five digits: ${postcode}`
  if (zoneOfZip(postcode) !== null || hasZone(country, state)) return null
  return `${postcode} is a postcode that is not known: give --state, such as CA.`
}

/** State of an Australian postcode by Australia Post's ranges; null if it fits none. */
function stateOfPostcode(postcode: string): string | null {
  const code = /^\d{4}$/.test(postcode) ? Number(postcode) : Number.NaN
  const within = (low: number, high: number) => code >= low && code <= high
  if (within(200, 299) || within(2600, 2618) || within(2900, 2920)) return 'ACT'
  if (within(800, 999)) return 'NT'
  if (within(1000, 2999)) return 'NSW'
  if (within(3000, 3999) || within(8000, 8999)) return 'VIC'
  if (within(4000, 4999) || within(9000, 9999)) return 'QLD'
  if (within(5000, 5999)) return 'SA'
  if (within(6000, 6999)) return 'WA'
  return within(7000, 7999) ? 'TAS' : null
}

await command(USAGE, async () => {
  const given = options()
  const secret = await findSecret(readEnv(process.env))
  await asSystem(async (system) => {
    const { key, uuid } = await system
      .transaction()
      .execute(async (tx) => {
        const company = await ensureCompany(tx, { name: given.company, country: given.country })
        const place = {
          companyId: company.id,
          name: given.name,
          street_address: given.address ?? null,
          town: given.town ?? null,
          region: given.region,
          postcode: given.postcode,
          phone_number: given.phone ?? null,
          country: given.country,
          time_zone: zoneAt(given),
        }
        const made = await createLocation(tx, place, secret)
        await watchUploads(tx, { id: made.id, company_id: company.id })
        return made
      })
      .catch((error: unknown) => {
        throw isTaken(error) ? new Error(`${given.company} already has a pharmacy named ${given.name}.`) : error
      })
    const kept = secret ? 'Support can show it again' : 'shown once, keep it'
    process.stdout.write(`${given.name} of ${given.company}: ${uuid}\nKey (${kept}): ${key}\n`)
  })
})
