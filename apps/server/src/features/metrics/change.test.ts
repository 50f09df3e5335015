import { type Day, day, formatDay, weekday } from '@pillar/domain/time/day'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeCompany, type TestCompany } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import type { Line } from '../../../test/world/metrics-oracle/world.ts'
import { store } from '../../../test/world/metrics-store.ts'
import { MEDICINES } from '../../../test/world/metrics-world.ts'
import { inScope } from '../../db/scope.ts'
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

const line = (on: Day): Line => ({
  ...{ patient: 'anne', molecule: 'metformin', day: on, days: 30, cents: 3160 },
  ...{ prescription: null, number: null },
})
/** A line on every weekday of a span. */
const weekdays = (from: string, to: string) =>
  Array.from({ length: day(to) - day(from) + 1 }, (_, at) => day(from) + at)
    .filter((on) => weekday(on) <= 5)
    .map(line)

async function pharmacy(lines: Line[], dataTo: string) {
  const { id } = await store(server.services.pools, company.id, {
    ...{ country: 'AU', region: 'VIC', timeZone: 'Australia/Melbourne', dataTo: day(dataTo) },
    ...{ lines, medicines: MEDICINES, prescriptions: [] },
    people: ['anne', 'beth'].map((one) => ({ id: one, died: null, facility: false })),
  })
  const scope = { companyId: company.id, locationIds: [id] }
  const recompute = (changedFrom: string | null = null) =>
    inScope(server.services.pools.app, scope, (tx) =>
      recomputeMetrics(tx, { id, country: 'AU', timeZone: 'Australia/Melbourne' }, { dataTo, changedFrom }),
    )
  await recompute()
  const rows = (table: 'metric_total' | 'metric_cell') =>
    inScope(server.services.pools.app, scope, (tx) =>
      tx.selectFrom(table).selectAll().where('location_id', '=', id).orderBy('period').execute(),
    )
  const total = async (period: number) =>
    (
      await inScope(server.services.pools.app, scope, (tx) =>
        tx.selectFrom('metric_total').selectAll().where('location_id', '=', id).execute(),
      )
    ).find((row) => row.period === period)
  return { id, scope, recompute, rows, total }
}

describe('a change against a year earlier', () => {
  it('is not shown when a year earlier has only one script with a wrong date', async () => {
    const lines = [line(day('2024-11-01')), ...weekdays('2025-06-02', '2025-11-28')]
    const { total } = await pharmacy(lines, '2025-11-30')
    expect(await total(202511)).toMatchObject({ scripts: 20, prior_scripts: null, prior_opportunity_cents: null })
    expect(await total(202523)).toBeDefined()
    expect((await total(202500))!.prior_scripts).toBeNull()
  })

  it('is shown when both spans are complete except for public holidays', async () => {
    const cupDays = [day('2024-11-05'), day('2025-11-04')]
    const lines = weekdays('2024-11-01', '2025-11-28').filter((one) => !cupDays.includes(one.day))
    const { total } = await pharmacy(lines, '2025-11-30')
    expect(await total(202511)).toMatchObject({ scripts: 19, prior_scripts: 20, business_days: 19 })
    // The year begins in July 2024, before the data.
    expect((await total(202500))!.prior_scripts).toBeNull()
  })
})

describe('periods outside the data', () => {
  it('lose their figures when the data begin later or end earlier', async () => {
    const { id, scope, recompute, rows } = await pharmacy(weekdays('2025-01-06', '2025-11-28'), '2025-11-30')
    const periods = async (table: 'metric_total' | 'metric_cell') => [
      ...new Set((await rows(table)).map((row) => row.period)),
    ]
    expect(await periods('metric_total')).toContain(202501)
    await inScope(server.services.pools.app, scope, async (tx) => {
      await tx
        .deleteFrom('script')
        .where('location_id', '=', id)
        .where('dispensed_on', '<', formatDay(day('2025-07-01')))
        .execute()
      await tx.updateTable('location').set({ data_from: '2025-07-01' }).where('id', '=', id).execute()
    })
    await recompute('2025-01-06')
    for (const table of ['metric_total', 'metric_cell'] as const)
      expect(await periods(table)).toEqual([202500, 202507, 202508, 202509, 202510, 202511, 202523, 202524])
  })
})

describe('the edges of a period', () => {
  it('belong to it: data that begin on its last day have figures, and a change on its last day is counted', async () => {
    const { id, scope, recompute, total } = await pharmacy(weekdays('2025-07-31', '2025-11-28'), '2025-11-30')
    expect(await total(202507)).toMatchObject({ scripts: 1, to_day: '2025-07-31' })
    expect((await total(202510))!.scripts).toBe(23)
    await inScope(server.services.pools.app, scope, (tx) =>
      tx.deleteFrom('script').where('location_id', '=', id).where('dispensed_on', '=', '2025-10-31').execute(),
    )
    await recompute('2025-10-31')
    expect((await total(202510))!.scripts).toBe(22)
  })

  it('do not end how long the medicines begun in it are followed', async () => {
    const begun = day('2024-01-31')
    const beth = (after: number) => ({ ...line(begun + after), patient: 'beth' })
    const supplies = Array.from({ length: 12 }, (_, at) => beth(at * 30))
    const lines = [...weekdays('2022-08-01', '2025-11-28'), ...supplies]
    const { id, scope, recompute } = await pharmacy(lines, '2025-11-30')
    const followed = async () => {
      const { rows } = await inScope(server.services.pools.app, scope, (tx) =>
        sql<{ days: number[]; stopped: number[]; lost: number[] }>`
          select days, stopped, lost from metric_persistence where location_id = ${id} and period = 202401 and drug_type_id = 0`.execute(
          tx,
        ),
      )
      return rows
    }
    expect(await followed()).toEqual([{ days: [360], stopped: [1], lost: [0] }])
    // The last day on which she can still go on without a gap.
    const late = begun + 360 + 90
    await inScope(server.services.pools.app, scope, (tx) =>
      sql`insert into script (location_id, source, source_id, dispensed_on, patient_id, drug_id, days_supply, days_basis, patient_type,
          patient_price_cents, government_cents, reversed, deferred, owing)
        select location_id, source, 'late', ${formatDay(late)}, patient_id, drug_id, days_supply, days_basis, patient_type,
          patient_price_cents, government_cents, reversed, deferred, owing
        from script where location_id = ${id} and source_id = ${String(lines.length - 1)}`.execute(tx),
    )
    await recompute(formatDay(late))
    expect(await followed()).toEqual([{ days: [365], stopped: [0], lost: [1] }])
  })
})

describe('scripts owed', () => {
  it('count once: a deferred one as deferred, a reversed one not at all', async () => {
    const { id, scope, recompute } = await pharmacy(weekdays('2025-11-03', '2025-11-07'), '2025-11-30')
    const mark = (at: string, flags: 'owing, deferred' | 'owing, reversed' | 'deferred, reversed') =>
      inScope(server.services.pools.app, scope, (tx) =>
        sql`update script set ${sql.raw(
          flags
            .split(', ')
            .map((flag) => `${flag} = true`)
            .join(', '),
        )}
            where location_id = ${id} and source_id = ${at}`.execute(tx),
      )
    await mark('1', 'owing, deferred')
    await mark('2', 'owing, reversed')
    await mark('3', 'deferred, reversed')
    await recompute()
    const figure = await inScope(server.services.pools.app, scope, (tx) =>
      tx
        .selectFrom('metric_figure')
        .select(['owing_scripts', 'deferred_scripts'])
        .where('location_id', '=', id)
        .where('period', '=', 202511)
        .executeTakeFirst(),
    )
    expect(figure).toEqual({ owing_scripts: 0, deferred_scripts: 1 })
  })
})

describe('a year that is no longer offered', () => {
  it('leaves the comparison for the next one, as if everything were recounted', async () => {
    const { id, scope } = await pharmacy(weekdays('2020-06-01', '2026-01-05'), '2025-12-31')
    const again = (changedFrom: string | null) =>
      inScope(server.services.pools.app, scope, async (tx) => {
        const location = { id, country: 'AU', timeZone: 'Australia/Melbourne' } as const
        await recomputeMetrics(tx, location, { dataTo: '2026-01-05', changedFrom })
        const read = (table: 'metric_cell' | 'metric_figure' | 'metric_total') =>
          tx.selectFrom(table).selectAll().where('location_id', '=', id).execute()
        const rows = [await read('metric_cell'), await read('metric_figure'), await read('metric_total')]
        return rows.map((one) => one.map((row) => JSON.stringify(row)).sort())
      })
    const later = await again('2026-01-01')
    expect(later[1]!.some((row) => row.includes('"period":-2021'))).toBe(true)
    expect(later).toEqual(await again(null))
  })
})
