import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Day, day, formatDay } from '@pillar/domain/time/day'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEEP } from '../../../test/deep.ts'
import { makeCompany, type TestCompany } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import type { Line } from '../../../test/world/metrics-oracle/world.ts'
import { store } from '../../../test/world/metrics-store.ts'
import { MEDICINES } from '../../../test/world/metrics-world.ts'
import { loadPiece } from '../../../test/world/upload-truth.ts'
import { piecesOf, WORLD_END, worldSizes } from '../../../test/world/upload-world.ts'
import type { Tx } from '../../db/database.ts'
import { inScope } from '../../db/scope.ts'
import { listPairs } from '../financials/detail.queries.ts'
import { createLocation } from '../location/location.queries.ts'
import { readCopy, readLines, storeCopy, WRITTEN_AT_ONCE } from './line.queries.ts'
import { COLUMNS, type RawLines, unpack } from './line-pack.ts'
import { recomputeMetrics } from './metrics.queries.ts'
import { ensureSubcategories } from './subcategory.queries.ts'

let server: TestServer
let company: TestCompany
beforeAll(async () => {
  server = await startTestServer()
  await ensureSubcategories(server.services.pools.app)
  company = await makeCompany(server)
})
afterAll(() => server.close())

const rowsOf = (lines: RawLines): string[] =>
  Array.from(lines.day, (_, at) =>
    Object.entries(lines)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, column]) => `${name} ${column[at]}`)
      .join(),
  ).sort()

/** The counted lines of a pharmacy, from its scripts and from the copy. */
async function bothLines(tx: Tx, locationId: number): Promise<{ scripts: string[]; copy: string[] }> {
  const copy = await readCopy(tx, locationId)
  return {
    scripts: rowsOf(await readLines(tx, locationId, sql``, true)),
    copy: rowsOf(unpack({ patients: [...copy.keys()], lines: [...copy.values()] })),
  }
}

const TABLES = ['metric_total', 'metric_cell', 'metric_figure', 'metric_persistence', 'patient_measure'] as const

/** Every stored row of a pharmacy's figures, by table. */
async function storedRows(tx: Tx, locationId: number): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {}
  for (const table of TABLES) {
    const { rows } = await sql<{ row: string }>`
      select to_jsonb(t)::text as row from ${sql.table(table)} t where location_id = ${locationId}`.execute(tx)
    found[table] = rows.map(({ row }) => row).sort()
  }
  return found
}

class TakenBack extends Error {}

/** Does something in a pharmacy's scope, and rolls it back. */
async function tried(id: number, work: (tx: Tx) => Promise<void>): Promise<void> {
  const doing = inScope(server.services.pools.app, { companyId: company.id, locationIds: [id] }, async (tx) => {
    await work(tx)
    throw new TakenBack()
  })
  await expect(doing).rejects.toBeInstanceOf(TakenBack)
}

async function pharmacyOf(lines: Line[], dataTo: Day): Promise<number> {
  const { id } = await store(server.services.pools, company.id, {
    ...{ country: 'AU', region: 'VIC', timeZone: 'Australia/Melbourne', dataTo, lines, medicines: MEDICINES },
    ...{ people: ['anne', 'bob'].map((one) => ({ id: one, died: null, facility: false })), prescriptions: [] },
  })
  return id
}
const line = (on: Day, patient = 'anne'): Line => ({
  ...{ patient, molecule: 'metformin', day: on, days: 30, cents: 3160, prescription: null, number: null },
})

describe('the copy of the lines', () => {
  it('equals the scripts after every upload, and the figures equal a full recompute', {
    timeout: 1_800_000,
  }, async () => {
    const { system } = server.services.pools
    const services = { ...server.services, now: () => new Date(`${formatDay(WORLD_END)}T02:00:00Z`) }
    let made = 0
    const property = fc.asyncProperty(worldSizes(true), fc.boolean(), async (size, initials) => {
      const place = { country: 'AU', time_zone: 'Australia/Sydney' } as const
      const { id } = await createLocation(system, { companyId: company.id, name: `Copied ${made++}`, ...place })
      for (const piece of piecesOf({ ...size, initials })) {
        await loadPiece(services, { companyId: company.id, locationId: id }, piece)
        await tried(id, async (tx) => {
          const { scripts, copy } = await bothLines(tx, id)
          expect(copy).toEqual(scripts)
          const stored = await storedRows(tx, id)
          const { rows } = await sql<{ to: string }>`select data_to::text as to from location where id = ${id}`.execute(
            tx,
          )
          const location = { id, country: place.country, timeZone: place.time_zone }
          await recomputeMetrics(tx, location, { dataTo: rows[0]?.to ?? '', changedFrom: null })
          expect(stored).toEqual(await storedRows(tx, id))
        })
      }
    })
    await fc.assert(property, { numRuns: DEEP ? 1000 : 25 })
  })

  it('contains every patient, even if that takes several statements', async () => {
    const to = day('2025-11-28')
    const id = await pharmacyOf([line(to)], to)
    const patients = Array.from({ length: 2 * WRITTEN_AT_ONCE + 1 }, (_, at) => 5000 + at)
    const columns = Object.keys(COLUMNS).map((name) => [
      name,
      patients.map((id) => (name === 'patient' ? id : id % 97)),
    ])
    const raw = Object.fromEntries(columns) as RawLines
    await tried(id, async (tx) => {
      await storeCopy(tx, id, raw, () => 1)
      const copy = await readCopy(tx, id)
      expect(rowsOf(unpack({ patients: [...copy.keys()], lines: [...copy.values()] }))).toEqual(rowsOf(raw))
    })
  })

  it.each(['untouched', 'touched every night'])(
    'of a patient %s is checked in turn: a wrong one is noticed within 32 days, and everything is counted again',
    async (patient) => {
      const [from, to] = [day('2025-03-03'), day('2025-11-28')]
      const id = await pharmacyOf(
        Array.from({ length: to - from + 1 }, (_, at) => line(from + at)),
        to,
      )
      await tried(id, async (tx) => {
        const location = { id, country: 'AU', timeZone: 'Australia/Melbourne' } as const
        const heard: string[] = []
        const { rows: people } = await sql<{ id: number }>`select id from patient where location_id = ${id}`.execute(tx)
        const touched = patient === 'untouched' ? [] : people.map((one) => one.id)
        const next = async (dataTo: Day, whole = false) => {
          await sql`update location set data_to = ${formatDay(dataTo)}::date where id = ${id}`.execute(tx)
          const change = { dataTo: formatDay(dataTo), changedFrom: whole ? null : formatDay(dataTo), touched }
          await recomputeMetrics(tx, location, change, (what) => heard.push(what))
        }
        await next(to, true)
        for (let at = 1; at <= 32; at++) await next(to + at)
        expect(heard).toEqual([])
        // Changes a script without updating the copy.
        await sql`update script set patient_price_cents = 100 where location_id = ${id} and dispensed_on < '2025-06-01'`.execute(
          tx,
        )
        for (let at = 33; at <= 64; at++) await next(to + at)
        expect(heard).toEqual(["the copy of a pharmacy's scripts was not true: all its figures are counted again"])
        const { scripts, copy } = await bothLines(tx, id)
        expect(copy).toEqual(scripts)
        const stored = await storedRows(tx, id)
        await next(to + 64, true)
        expect(stored).toEqual(await storedRows(tx, id))
      })
    },
  )

  it('takes from the scripts only what changed of a patient, however late it arrives', async () => {
    const to = day('2025-11-28')
    const id = await pharmacyOf([line(to - 200), line(to - 100), line(to), line(to, 'bob')], to)
    await tried(id, async (tx) => {
      const location = { id, country: 'AU', timeZone: 'Australia/Melbourne' } as const
      const dataTo = formatDay(to)
      await recomputeMetrics(tx, location, { dataTo, changedFrom: null })
      const { rows: people } = await sql<{ id: number }>`select id from patient where location_id = ${id}`.execute(tx)
      const touched = people.map((one) => one.id)
      const changes = [
        sql`update script set days_supply = 7 where location_id = ${id} and dispensed_on = ${formatDay(to - 100)}::date`,
        sql`delete from script where location_id = ${id} and dispensed_on = ${formatDay(to - 100)}::date`,
      ]
      for (const change of changes) {
        await change.execute(tx)
        await recomputeMetrics(tx, location, { dataTo, changedFrom: formatDay(to - 100), touched }, (what) => {
          throw new Error(what)
        })
        const { scripts, copy } = await bothLines(tx, id)
        expect(copy).toEqual(scripts)
      }
    })
  })

  it('gives the rows behind the adherence figure as the scripts would, without reading them', async () => {
    const [from, to] = [day('2025-01-06'), day('2025-11-28')]
    const every = (step: number, patient: string, last = to) =>
      Array.from({ length: Math.floor((last - from) / step) + 1 }, (_, at) => line(from + at * step, patient))
    // Bob was last seen more than 180 days before, and is no longer measured.
    const id = await pharmacyOf([...every(30, 'anne'), ...every(45, 'bob', day('2025-04-30'))], to)
    await tried(id, async (tx) => {
      const dataTo = formatDay(to)
      const location = { id, country: 'AU', timeZone: 'Australia/Melbourne' } as const
      await recomputeMetrics(tx, location, { dataTo, changedFrom: null })
      const shown = () => listPairs(tx, id, { from, to }, null, { limit: 50, offset: 0 })
      const byCopy = await shown()
      expect(byCopy.rows.map(({ patient_ref, scripts }) => [patient_ref, scripts])).toEqual([['anne', 11]])
      await sql`delete from script_lines where location_id = ${id}`.execute(tx)
      expect(await shown()).toEqual(byCopy)
      await recomputeMetrics(tx, location, { dataTo, changedFrom: null })
      await sql`delete from script where location_id = ${id}`.execute(tx)
      expect(await shown()).toEqual(byCopy)
    })
  })

  it('is created again if it is missing, or if the changes are unknown', async () => {
    const to = day('2025-11-28')
    const id = await pharmacyOf([line(to - 200), line(to), line(to, 'bob')], to)
    await tried(id, async (tx) => {
      const location = { id, country: 'AU', timeZone: 'Australia/Melbourne' } as const
      const dataTo = formatDay(to)
      const again = async (touched?: number[]) => {
        await recomputeMetrics(tx, location, { dataTo, changedFrom: dataTo, ...(touched ? { touched } : {}) })
        const { scripts, copy } = await bothLines(tx, id)
        expect(scripts).toHaveLength(3)
        expect(copy).toEqual(scripts)
      }
      const { rows: people } = await sql<{ id: number }>`select id from patient where location_id = ${id}`.execute(tx)
      // One patient's lines alone would be no copy, whoever's turn it is to be checked.
      for (const { id: patient } of people) {
        await sql`delete from script_lines where location_id = ${id}`.execute(tx)
        await again([patient])
      }
      await sql`update script set days_supply = 7 where location_id = ${id}`.execute(tx)
      await again()
    })
  })
})

describe('scripts', () => {
  it('are written only by the load of uploads, which records whose it touched', async () => {
    const { rows } = await sql<{ rolname: string }>`
      select rolname from pg_roles where rolname like 'pillar\\_%' and rolname <> 'pillar_owner'
        and has_table_privilege(rolname, 'script', 'insert, update, delete, truncate') order by 1`.execute(
      server.services.pools.system,
    )
    expect(rows.map(({ rolname }) => rolname)).toEqual(['pillar_app'])
    const folder = join(import.meta.dirname, '../..')
    const files = (await readdir(folder, { recursive: true })).filter((name) => /(?<!\.test)\.ts$/.test(name))
    const writes =
      /\b(insert into|update|delete from|truncate) "?script"?\b|(insertInto|updateTable|deleteFrom)\('script/i
    const writers: string[] = []
    for (const file of files) if (writes.test(await readFile(join(folder, file), 'utf8'))) writers.push(file)
    // Erasing a person clears directions, which nothing counts by.
    const [erasing, erasedAgain, nameless] = ['erase', 'erased-stage', 'nameless'].map(
      (name) => `features/erasure/${name}.queries.ts`,
    ) as [string, string, string]
    expect(writers.sort()).toEqual([
      ...[erasing, erasedAgain],
      ...['derive', 'removed', 'script'].map((name) => `features/upload/load/${name}.queries.ts`),
    ])
    const textOf = (name: string) => readFile(join(folder, name), 'utf8')
    const set = /update script set ([^`]*) where/g
    for (const name of [erasing, erasedAgain])
      expect([...(await textOf(name)).matchAll(set)].map(([, what]) => what?.replaceAll(/\W/g, ''))).toEqual([
        'NAMELESS_SCRIPT',
      ])
    expect(await textOf(nameless)).toContain('NAMELESS_SCRIPT = sql`directions = null`\n')
  })
})
