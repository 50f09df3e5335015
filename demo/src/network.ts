import { businessDaysBefore, dayOf, isoOf } from './calendar.ts'
import { readData } from './data-files.ts'
import { STREETS, streetAddress } from './person/names.ts'
import { DEMO_PEOPLE, type DemoPerson, MAIN_COMPANY, RIVAL_COMPANY, SMALL_COMPANIES } from './person/people.ts'
import { type Random, randomFrom } from './random.ts'

export const NETWORK_SIZES = ['tiny', 'small', 'large'] as const
export type NetworkSize = (typeof NETWORK_SIZES)[number]
/** late: its data stop some business days ago. never: it never uploaded. failed: its last upload is faulty. */
export type Behaviour = 'ok' | 'late' | 'never' | 'failed'

export interface DemoPharmacy {
  /** Position in `network.pharmacies`, as used by generatePharmacy. */
  readonly index: number
  readonly company: string
  /** Folder name, unique in the network. */
  readonly slug: string
  readonly name: string
  readonly street_address: string
  readonly town: string
  readonly region: string
  readonly postcode: string
  readonly phone_number: string
  readonly latitude: number
  readonly longitude: number
  readonly data_source: 'canonical'
  readonly behaviour: Behaviour
  /** Last date of its files, ISO; empty if it never uploaded. */
  readonly last_day: string
  /** The intended number of scripts in its whole history; the simulation comes close to it. */
  readonly scripts: number
}

export interface DemoCompany {
  readonly name: string
  readonly country: 'AU'
  readonly pharmacies: readonly DemoPharmacy[]
}

export interface DemoNetwork {
  readonly size: NetworkSize
  readonly seed: number
  /** First and last date of the simulated history, ISO. */
  readonly from: string
  readonly to: string
  readonly companies: readonly DemoCompany[]
  /** All pharmacies of all companies. */
  readonly pharmacies: readonly DemoPharmacy[]
  readonly people: readonly DemoPerson[]
}

export interface Locality {
  readonly postcode: string
  readonly locality: string
  readonly state: string
  readonly latitude: number
  readonly longitude: number
  readonly remoteness: string
}

export const LOCALITIES: readonly Locality[] = readData('localities.csv').map((row) => ({
  postcode: row.postcode ?? '',
  locality: row.locality ?? '',
  state: row.state ?? '',
  latitude: Number(row.latitude),
  longitude: Number(row.longitude),
  remoteness: row.remoteness ?? '',
}))

// Share of the population, Australian Bureau of Statistics, rounded.
const STATE_SHARE = { NSW: 0.312, VIC: 0.257, QLD: 0.206, WA: 0.109, SA: 0.069, TAS: 0.021, ACT: 0.017, NT: 0.009 }
const AREA_CODE: Record<string, string> = {
  NSW: '02',
  ACT: '02',
  VIC: '03',
  TAS: '03',
  QLD: '07',
  WA: '08',
  SA: '08',
  NT: '08',
}
// small: the most shops of a small company, and scripts of each: enough for comparisons, which need five per business day.
const PLAN = {
  // For the browser tests: nearly all pharmacies of small, with a third of its scripts.
  tiny: {
    pharmacies: 24,
    scripts: 48_000,
    months: 30,
    late: [5, 9],
    never: 1,
    failed: 1,
    rivalScripts: 10_000,
    small: [1, 5_500],
  },
  // The main company and its rival both see averages: neither has half of the rest when the other one looks.
  small: {
    pharmacies: 24,
    scripts: 100_000,
    months: 30,
    late: [5, 9],
    never: 1,
    failed: 1,
    rivalScripts: 24_000,
    small: [2, 14_000],
  },
  large: {
    pharmacies: 200,
    scripts: 20_000_000,
    months: 60,
    late: [5, 5, 6, 9, 9, 14],
    never: 3,
    failed: 2,
    rivalScripts: 250_000,
    small: [2, 100_000],
  },
} as const
const RIVAL_PHARMACIES = 3
/** The relative sizes of small companies' pharmacies, one after another. */
const SMALL_SIZES = [1, 0.75, 1.3, 0.9, 1.1, 0.8, 1.15]
const PLACE_NAMES = [
  'Harbour Street',
  'Canal Road',
  'Old Mill',
  'Northgate',
  'Riverbend',
  'Fern Glen',
  'Market Day',
  'Twin Rivers',
]
const SECOND_WORDS = ['Corner', 'Crossing', 'Lane', 'Green', 'Arcade', 'Row']

function placesByState(random: Random, count: number, taken: Set<Locality>): Locality[] {
  const places: Locality[] = []
  const quota = Object.entries(STATE_SHARE).map(([state, share]) => ({ state, due: share * count }))
  while (places.length < count) {
    quota.sort((a, b) => b.due - a.due)
    const first = quota[0] as { state: string; due: number }
    first.due -= 1
    const marrickville = taken.size === 0 && count > 3
    const open = LOCALITIES.filter(
      (place) =>
        place.state === first.state && !taken.has(place) && (!marrickville || place.locality === 'Marrickville'),
    )
    const cities = open.filter((place) => place.remoteness === 'city')
    const from = cities.length > 0 && (random.next() < 0.7 || open.length === cities.length) ? cities : open
    const place = from[random.int(from.length)]
    if (!place) throw new Error(`No locality left in ${first.state}`)
    taken.add(place)
    places.push(place)
  }
  return places
}

function pharmacyName(random: Random, company: string, place: Locality, i: number, used: Set<string>): string {
  for (let attempt = 0; ; attempt++) {
    const road = `${STREETS[random.int(STREETS.length)]} ${SECOND_WORDS[random.int(SECOND_WORDS.length)]}`
    const wanted =
      company !== MAIN_COMPANY
        ? `${company} ${place.locality}`
        : i % 3 === 0 || attempt > 20
          ? `Saltbush Pharmacy ${place.locality}`
          : i < 12 && attempt === 0
            ? `${PLACE_NAMES[i - Math.ceil(i / 3)] ?? road} Pharmacy`
            : `${road} Pharmacy`
    if (used.has(wanted)) continue
    used.add(wanted)
    return wanted
  }
}

function behaviours(plan: (typeof PLAN)[NetworkSize], today: number): { behaviour: Behaviour; last: number }[] {
  const yesterday = today - 1
  const late = plan.late.map((days) => ({ behaviour: 'late' as const, last: businessDaysBefore(today, days) }))
  const never = Array.from({ length: plan.never }, () => ({ behaviour: 'never' as const, last: yesterday }))
  const failed = Array.from({ length: plan.failed }, () => ({ behaviour: 'failed' as const, last: yesterday }))
  const special = [...late, ...failed, ...never]
  const result = Array.from({ length: plan.pharmacies }, () => ({ behaviour: 'ok' as Behaviour, last: yesterday }))
  // Spread over the list, but never on the first ones, which screenshots show.
  special.forEach((one, i) => {
    result[plan.pharmacies - 2 - i * Math.max(2, Math.floor(plan.pharmacies / (special.length * 2)))] = one
  })
  return result
}

function monthsBefore(day: number, months: number): number {
  const date = new Date(`${isoOf(day)}T00:00:00Z`)
  return dayOf(
    new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - months, date.getUTCDate()))
      .toISOString()
      .slice(0, 10),
  )
}

/** A pharmacy before it has a place and a name. */
interface Part {
  company: string
  behaviour: Behaviour
  last: number
  scripts: number
}

const ok = (last: number) => ({ behaviour: 'ok' as const, last })

/** Log-normal sizes; a pharmacy that never uploaded has no share of the target. */
function sized(
  random: Random,
  company: string,
  states: readonly { behaviour: Behaviour; last: number }[],
  scripts: number,
): Part[] {
  const sizes = states.map(() => Math.exp(0.5 * Math.max(-1.8, Math.min(1.8, random.normal()))))
  const total = sizes.reduce((sum, one, i) => sum + (states[i]?.behaviour === 'never' ? 0 : one), 0)
  return states.map((state, i) => ({
    ...{ company, ...state },
    scripts: Math.round(((sizes[i] ?? 1) / total) * scripts),
  }))
}

/** Pharmacies of companies with one or two shops, from which the others' averages are made; every third company has `most`. */
function smallParts([most, scripts]: readonly [most: number, scripts: number], last: number): Part[] {
  const companies = SMALL_COMPANIES.flatMap((company, at) =>
    Array.from({ length: at % 3 === 0 ? most : 1 }, () => company),
  )
  return companies.map((company, at) => ({
    ...{ company, ...ok(last) },
    scripts: Math.round(scripts * (SMALL_SIZES[at % SMALL_SIZES.length] ?? 1)),
  }))
}

/**
 * The companies, pharmacies and people of the demo world. `today` (ISO) sets the end of its history: yesterday. Equal arguments give an
 * equal network.
 */
export function demoNetwork(size: NetworkSize, seed: number, today: string): DemoNetwork {
  const plan = PLAN[size]
  const end = dayOf(today) - 1
  const random = randomFrom(seed, 1)
  const taken = new Set<Locality>()
  const used = new Set<string>()
  const pharmacies: DemoPharmacy[] = []
  const build = (count: number, parts: () => readonly Part[]): void => {
    const places = placesByState(random, count, taken)
    parts().forEach(({ company, behaviour, last, scripts }, i) => {
      const place = places[i] as Locality
      const name = pharmacyName(random, company, place, i, used)
      const local = `${random.next() < 0.5 ? '5550' : '7010'} ${String(random.int(10_000)).padStart(4, '0')}`
      pharmacies.push({
        index: pharmacies.length,
        company,
        slug: name.toLowerCase().replace(/[^a-z0-9]+/g, '-'),
        name,
        street_address: streetAddress(random),
        town: place.locality,
        region: place.state,
        postcode: place.postcode,
        phone_number: `(${AREA_CODE[place.state]}) ${local}`,
        latitude: place.latitude,
        longitude: place.longitude,
        data_source: 'canonical',
        behaviour,
        last_day: behaviour === 'never' ? '' : isoOf(last),
        scripts,
      })
    })
  }
  build(plan.pharmacies, () => sized(random, MAIN_COMPANY, behaviours(plan, end + 1), plan.scripts))
  build(RIVAL_PHARMACIES, () =>
    sized(
      random,
      RIVAL_COMPANY,
      Array.from({ length: RIVAL_PHARMACIES }, () => ok(end)),
      plan.rivalScripts,
    ),
  )
  const small = smallParts(plan.small, end)
  build(small.length, () => small)
  const companies = [MAIN_COMPANY, RIVAL_COMPANY, ...SMALL_COMPANIES].map((name) => ({
    name,
    country: 'AU' as const,
    pharmacies: pharmacies.filter((pharmacy) => pharmacy.company === name),
  }))
  return {
    size,
    seed,
    from: isoOf(monthsBefore(end + 1, plan.months)),
    to: isoOf(end),
    companies,
    pharmacies,
    people: DEMO_PEOPLE,
  }
}
