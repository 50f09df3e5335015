import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEEP } from '../../../test/deep.ts'
import { freshMobile, type MessagingWorld, makeMessagingWorld, makeRun } from '../../../test/messaging.ts'
import { FakePhones } from '../../../test/outside/fake-gateway.ts'
import { asOwner } from '../../../test/people.ts'
import { sendAll } from '../../../test/sending.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { addPeople, person } from '../../../test/world/cohort-world.ts'
import { writeRecord } from '../../../test/world/shops.ts'
import type { Services } from '../../api/context.ts'
import { inScope } from '../../db/scope.ts'
import { eraseRecord } from '../erasure/erase.queries.ts'
import { recordsOfNumber } from '../erasure/record.queries.ts'
import { advanceRuns } from '../sending/lease.queries.ts'
import { followUp } from '../upload/after-upload.jobs.ts'
import { renewPeopleOf } from './people.jobs.ts'
import { dropPeople } from './people.queries.ts'
import { dropKeys } from './person-key.queries.ts'

const HISTORIES = DEEP ? 100 : 4
const PHARMACIES = 3
/** Records at each pharmacy. */
const RECORDS = 2

const at = fc.nat(PHARMACIES - 1)
const slot = fc.nat(RECORDS - 1)
/** A placeholder. */
const NOBODY = 'Baby'
const name = fc.constantFrom('Ann', 'Ann', 'Bea', NOBODY)
const step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ what: fc.constant('upload' as const), at, slot, name, died: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ what: fc.constant('send' as const) }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('erase' as const), at, slot }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('move' as const), at }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('remove' as const), at }) },
)
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never

interface Pharmacy {
  id: number
  /** Which of the two companies. */
  company: number
  removed: boolean
}
interface Record {
  id: number
  at: Pharmacy
  sms_to: string
  name: string
  died: boolean
  /** In which company it was erased, the only one that still knows whose record it was; null if it was not. */
  erased: number | null
}

let server: TestServer
let services: Services
let companies: [MessagingWorld, MessagingWorld]
beforeAll(async () => {
  server = await startTestServer()
  services = { ...server.services, sms: new FakePhones().gateway() }
  companies = [
    await makeMessagingWorld(server, { locations: PHARMACIES * HISTORIES }),
    await makeMessagingWorld(server, { locations: 0 }),
  ]
})
afterAll(() => server.close())

/** The rule, in one line: another pharmacy of the company, also a removed one, records a person of this name as deceased. */
const diedElsewhere = (one: Record, all: readonly Record[]) =>
  all.some((other) => other.died && other.at !== one.at && isSame(one, other))
const isSame = (one: Record, other: Record) =>
  one.name === other.name &&
  one.name !== NOBODY &&
  one.at.company === other.at.company &&
  [one, other].every(({ erased, at }) => erased === null || erased === at.company)

const lettersOf = (number: number) => [...String(number)].map((digit) => 'abcdefghij'[Number(digit)]).join('')

const companyOf = ({ company }: Pharmacy) => (companies[company] as MessagingWorld).company.id
const scopeOf = (place: Pharmacy) => ({ companyId: companyOf(place), locationIds: [place.id] })
const renew = (place: Pharmacy) => renewPeopleOf.run({ location_id: place.id, company_id: companyOf(place) }, services)

class Network {
  readonly places: Pharmacy[]
  readonly records: Record[]

  /** Ends the names of its people, so that nobody is known in another network. */
  readonly #ending: string

  constructor(places: Pharmacy[], records: Record[], ending: string) {
    this.places = places
    this.records = records
    this.#ending = ending
  }

  async play(one: Step): Promise<void> {
    if (one.what === 'send') return this.#send()
    const place = this.places[one.at] as Pharmacy
    if (one.what === 'upload') return this.#upload(this.#record(one), one)
    if (one.what === 'erase') return this.#erase(this.#record(one))
    return one.what === 'move' ? this.#move(place) : this.#remove(place)
  }

  #record({ at, slot }: { at: number; slot: number }): Record {
    return this.records[at * RECORDS + slot] as Record
  }

  async #upload(record: Record, { name: first, died }: { name: string; died: boolean }): Promise<void> {
    if (record.erased !== null || record.at.removed) return
    const name = first === NOBODY ? first : first + this.#ending
    Object.assign(record, { name, died })
    await writeRecord(server, companyOf(record.at), { id: record.id, locationId: record.at.id }, { name, died })
    await followUp(services, companyOf(record.at), record.at.id, ['facts'])
  }

  async #erase(record: Record): Promise<void> {
    if (record.erased !== null) return
    record.erased = record.at.company
    await inScope(services.pools.app, scopeOf(record.at), async (tx) => {
      const [{ uuid, source_id }] = (await asOwner<{ uuid: string; source_id: string }>(
        server,
        'select l.uuid, p.source_id from patient p join location l on l.id = p.location_id where p.id = $1',
        [record.id],
      )) as [{ uuid: string; source_id: string }]
      const [stored] = await recordsOfNumber(tx, services.keys, uuid, source_id)
      await eraseRecord(tx, services.keys, stored!, `erased-${record.id}`, services.now())
    })
  }

  /** As an import into the other company does, and back. */
  async #move(place: Pharmacy): Promise<void> {
    const stay = this.places.filter((other) => other.company === place.company && other !== place)
    const old = { companyId: companyOf(place), locationIds: [place, ...stay].map(({ id }) => id) }
    await inScope(services.pools.app, old, (tx) => dropPeople(tx, place.id))
    place.company = 1 - place.company
    await asOwner(server, 'update location set company_id = $2 where id = $1', [place.id, companyOf(place)])
    for (const one of [place, ...stay]) await renew(one)
  }

  /** Removes it, or restores it. */
  async #remove(place: Pharmacy): Promise<void> {
    place.removed = !place.removed
    const at = place.removed ? services.now() : null
    await asOwner(server, 'update location set removed_at = $2 where id = $1', [place.id, at])
    if (!place.removed) await inScope(services.pools.app, scopeOf(place), (tx) => dropKeys(tx, [place.id]))
    const other = this.places.find((one) => one.company === place.company && one !== place)
    const renewed = place.removed ? other : place
    if (renewed) await renew(renewed)
  }

  /** Writes a text to everybody at the pharmacies that are left, sends, and compares with the rule; so do the facts of cohorts. */
  async #send(): Promise<void> {
    const texted = this.records.filter((one) => one.erased === null && !one.at.removed)
    const runs: number[] = []
    for (const [number, world] of companies.entries()) {
      const own = texted.filter((one) => one.at.company === number)
      const patients = own.map((one) => ({ id: one.id, locationId: one.at.id, sms_to: one.sms_to, email_to: null }))
      if (patients.length > 0) runs.push((await makeRun(server, world, { patients })).id)
    }
    await advanceRuns(services.pools.system, services.now())
    await sendAll(services)
    const rows = await asOwner<{ id: number; what: string; barred: number }>(
      server,
      `select m.patient_id as id, coalesce(m.reason, m.state) as what, f.barred from message m
       join patient_fact f using (location_id, patient_id) where m.run_id = any($1)`,
      [runs],
    )
    const is = new Map(rows.map((row) => [Number(row.id), `${row.what} ${row.barred}`]))
    expect(is).toEqual(new Map(texted.map((one) => [one.id, this.#outcome(one)])))
  }

  #outcome(one: Record): string {
    if (one.died) return 'deceased 1'
    return diedElsewhere(one, this.records) ? 'deceased_elsewhere 9' : 'sent 0'
  }
}

describe('whatever pharmacies upload, and wherever they belong', () => {
  it('nobody dead anywhere in the company is sent a text, and nobody else is held back', {
    timeout: 1_800_000,
  }, async () => {
    const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
    const histories = fc.sample(fc.array(step, { minLength: 10, maxLength: 14 }), { numRuns: HISTORIES, seed })
    const { locations } = companies[0]
    const who = locations.flatMap((_, at) => Array.from({ length: RECORDS }, () => ({ at, sms_to: freshMobile() })))
    const ids = await addPeople(
      server,
      companies[0],
      who.map((one) => person({ ...one, mobile: one.sms_to })),
    )
    await asOwner(server, `update location set data_to = '2026-11-01' where company_id = $1`, [companies[0].company.id])
    for (const [number, history] of histories.entries()) {
      const first = number * PHARMACIES
      const places = locations.slice(first, first + PHARMACIES).map(({ id }) => ({ id, company: 0, removed: false }))
      const records = places.flatMap((place, n) =>
        Array.from({ length: RECORDS }, (_, slot) => {
          const index = (first + n) * RECORDS + slot
          return {
            ...{ id: ids[index]!, at: place, sms_to: who[index]!.sms_to },
            name: NOBODY,
            died: false,
            erased: null,
          }
        }),
      )
      const network = new Network(places, records, lettersOf(number))
      for (const one of [...history, { what: 'send' as const }]) await network.play(one)
    }
  })
})
