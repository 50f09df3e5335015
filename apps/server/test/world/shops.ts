import { matchKeys } from '@pillar/domain/person/match-key'
import { type Day, day, formatDay } from '@pillar/domain/time/day'
import fc from 'fast-check'
import { sql } from 'kysely'
import { inScope } from '../../src/db/scope.ts'
import { recomputeMetrics } from '../../src/features/metrics/metrics.queries.ts'
import { refreshPeople } from '../../src/features/person/people.queries.ts'
import type { TestServer } from '../server.ts'
import type { Line, Person } from './metrics-oracle/world.ts'
import { store } from './metrics-store.ts'
import { END, type Pharmacy, pharmacies } from './metrics-world.ts'

const BEGINNING = day('2024-02-15')
const PLACE = { country: 'AU' as const, region: 'VIC', timeZone: 'Australia/Melbourne', dataTo: END }

/** A person who comes to one shop every day, so that all shops have the same first day and complete data. */
const visitor = (shop: number): Person => ({ id: `visitor${shop}`, died: null, facility: false })
const visitsAt = (shop: number): Line[] =>
  Array.from({ length: END - BEGINNING + 1 }, (_, at) => ({
    ...{ patient: `visitor${shop}`, molecule: 'amoxicillin', day: BEGINNING + at, days: 5, cents: 900 },
    ...{ prescription: null, number: null },
  }))

/** The same people at several shops of a company: each line was dispensed at one of them. */
export interface Shops {
  readonly count: number
  /** The data the shops with these numbers would have if they were one. */
  together: (shops: readonly number[]) => Pharmacy
}

/** Whether a date of birth identifies a person: not a placeholder for an unknown date, such as 1 January 1970. */
const isBirthday = (born: Day): boolean =>
  matchKeys({ firstName: 'Ann', lastName: 'Tester', sex: 'F', born, mobile: null, postcode: '3121' }).length > 0

/** Shops whose prescriptions can each be told apart by their day. */
export const shopsOf = (count: number): fc.Arbitrary<Shops> =>
  fc
    .record({ world: pharmacies, spread: fc.array(fc.nat(count - 1), { minLength: 5, maxLength: 40 }) })
    .map(({ world, spread }) => {
      const people = world.people
        .filter(({ id }) => id.startsWith('p'))
        .map((one, at) => {
          const born = one.born != null && isBirthday(one.born) ? one.born : BEGINNING - 20_000 - at
          return { ...one, fake: false, sex: one.sex ?? ('F' as const), born }
        })
      const known = new Set(people.map(({ id }) => id))
      const lines = world.lines.filter(({ patient }) => known.has(patient))
      const shopOf = (at: number) => spread[at % spread.length] as number
      const prescriptions = world.prescriptions
        .filter(({ patient }) => known.has(patient))
        .map((one, at) => ({ ...one, prescribed: BEGINNING - 900 + at, repeats: one.repeats ?? 5 }))
      return {
        count,
        together: (shops) => ({
          ...{ ...PLACE, medicines: world.medicines, prescriptions },
          people: [...people, ...shops.map(visitor)],
          lines: [...lines.filter((_, at) => shops.includes(shopOf(at))), ...shops.flatMap(visitsAt)],
        }),
      }
    })

/** A name of letters only. */
const lettersOf = (id: string) => [...id].map((one) => String.fromCharCode(97 + (one.charCodeAt(0) % 26))).join('')

/** Stores a pharmacy whose people have names, counts its figures, and finds out whom it shares. */
export async function openShop(
  server: TestServer,
  companyId: number,
  world: Pharmacy,
): Promise<{ id: number; uuid: string }> {
  const { pools } = server.services
  const shop = await store(pools, companyId, world)
  await named(server, companyId, shop.id, world.people)
  await recount(server, companyId, shop.id)
  return shop
}

async function named(server: TestServer, companyId: number, id: number, people: readonly Person[]): Promise<void> {
  const scope = { companyId, locationIds: [id] }
  await inScope(server.services.pools.app, scope, (tx) =>
    sql`
      update patient p set first_name = n.name, last_name = 'Tester', postcode = '3121'
      from unnest(${people.map((one) => one.id)}::text[], ${people.map((one) => lettersOf(one.id))}::text[]) as n(id, name)
      where p.location_id = ${id} and p.source_id = n.id`.execute(tx),
  )
}

/** Does the work after an upload of a pharmacy: its figures, and the people it shares. */
export async function recount(
  server: TestServer,
  companyId: number,
  id: number,
  changedFrom: string | null = null,
): Promise<void> {
  const { pools, secret, keys } = server.services
  await inScope(pools.app, { companyId, locationIds: [id] }, async (tx) => {
    const change = { dataTo: formatDay(END), changedFrom }
    const since = await recomputeMetrics(tx, { id, country: PLACE.country, timeZone: PLACE.timeZone }, change)
    await refreshPeople(tx, { secret, keys, system: pools.system }, { locationId: id, companyId }, since)
  })
}

/** Who a patient is and whether they have died, as an upload of their pharmacy says; then finds out whom the pharmacy shares. */
export async function writeRecord(
  server: TestServer,
  companyId: number,
  { id, locationId }: { id: number; locationId: number },
  { name, died }: { name: string; died: boolean },
): Promise<void> {
  const { pools, secret, keys } = server.services
  await inScope(pools.app, { companyId, locationIds: [locationId] }, async (tx) => {
    await sql`
      update patient set first_name = ${name}, last_name = 'Tester', sex = 'F', date_of_birth = '1950-05-05', postcode = '3121',
        deceased_on = ${died ? '2026-01-31' : null}, updated_at = now()
      where location_id = ${locationId} and id = ${id}`.execute(tx)
    await refreshPeople(tx, { secret, keys, system: pools.system }, { locationId, companyId }, null)
  })
}
