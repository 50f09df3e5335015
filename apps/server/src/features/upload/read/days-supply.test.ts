import { DAYS_BASES, daysSupply } from '@pillar/domain/dispensing/days-supply'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startUploadServer, type UploadServer } from '../../../../test/upload.ts'
import { insertList } from '../../sixty-day/list.queries.ts'

let server: UploadServer
beforeAll(async () => {
  server = await startUploadServer()
})
afterAll(() => server.close())

const DIRECTIONS = [
  '',
  'Take ONE tablet daily',
  'Take TWO tablets twice a day',
  'ONE bd',
  'HALF a tablet in the morning',
  '1 prn',
  'Apply daily',
]

describe("days' supply in SQL", () => {
  it('matches the domain’s rule', async () => {
    const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null })
    const facts = fc.record({
      sourceDays: maybe(fc.integer({ min: 0, max: 500 })),
      units: maybe(fc.integer({ min: 0, max: 4000 }).map((quarter) => quarter / 4)),
      directions: fc.constantFrom(...DIRECTIONS),
      packSize: maybe(fc.constantFrom(0, 1, 7, 28, 30, 100)),
      defaultDays: maybe(fc.constantFrom(0, 1, 25, 30, 365)),
      sixtyDayItem: fc.boolean(),
    })
    const half = { sourceDays: null, units: 61, directions: '', packSize: 14, defaultDays: 7, sixtyDayItem: false }
    const all = [...fc.sample(facts, { numRuns: 600, seed: 7 }), half]
    const text = (value: number | null) => (value === null ? '' : String(value))
    const drugs = all.map(
      (one, at) =>
        `d${at},Metformin,${text(one.packSize)},${text(one.defaultDays)},${one.sixtyDayItem ? '13358c' : '2600W'}`,
    )
    const scripts = all.map(
      (one, at) => `s${at},2026-05-01,1,d${at},${text(one.units)},${one.directions},${text(one.sourceDays)}`,
    )
    const pharmacy = await server.pharmacy()
    const status = await pharmacy.load({
      patients: 'patient_id\n1\n',
      drugs: `drug_id,name,pack_size,default_days,pbs_code\n${drugs.join('\n')}\n`,
      scripts: `script_id,dispensed_on,patient_id,drug_id,units,directions,days_supply\n${scripts.join('\n')}\n`,
    })
    expect(status).toMatchObject({ etl_state: 'COMPLETED', fault_count: 0 })
    const { rows } = await sql<{ source_id: string; days: number; basis: number }>`
      select source_id, days_supply as days, days_basis as basis from script where location_id = ${pharmacy.id}`.execute(
      server.owner,
    )
    expect(rows).toHaveLength(all.length)
    for (const { source_id, days, basis } of rows) {
      const expected = daysSupply(all[Number(source_id.slice(1))] ?? {})
      expect({ source_id, days, basis: DAYS_BASES[basis - 1] }).toEqual({ source_id, ...expected })
    }
    expect(new Set(rows.map((row) => row.basis))).toEqual(new Set([1, 2, 3, 5]))
  })

  it('follows the list of 60-day items and the drug’s code, even for stored scripts, only in Australia', async () => {
    const [here, abroad] = [await server.pharmacy(), await server.pharmacy('Europe/London')]
    await sql`update location set country = 'GB' where id = ${abroad.id}`.execute(server.owner)
    const drugs = (code: string) => `drug_id,name,pbs_code\n1,Allopurinol,${code}\n`
    const script = (id: number, day: string) => `script_id,dispensed_on,patient_id,drug_id\n${id},${day},1,1\n`
    const daysOf = async (pharmacy: typeof here) =>
      (await pharmacy.scripts()).map(({ source_id, days, basis }) => [source_id, days, DAYS_BASES[basis - 1]])
    for (const pharmacy of [here, abroad])
      await pharmacy.load({ patients: 'patient_id\n1\n', drugs: drugs('13358C'), scripts: script(1, '2026-03-01') })
    expect(await daysOf(here)).toEqual([['1', 60, 'default']])
    expect(await daysOf(abroad)).toEqual([['1', 30, 'thirty']])
    await here.load({ drugs: drugs('2600W') })
    expect(await daysOf(here)).toEqual([['1', 30, 'thirty']])

    const content =
      'tranche,from,drug,atc,sixty_day_code,thirty_day_codes\n1,2023-09-01,allopurinol,M04AA01,2600W,2604C\n'
    const list = { kind: 'items', content, rows: 1, source: 'test', by: 'Robin', now: new Date() } as const
    await server.owner.transaction().execute((tx) => insertList(tx, list))
    await here.load({ scripts: script(2, '2026-04-01') })
    expect(await daysOf(here)).toEqual([
      ['1', 60, 'default'],
      ['2', 60, 'default'],
    ])
  })
})
