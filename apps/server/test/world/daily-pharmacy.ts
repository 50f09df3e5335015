import { type Day, day, weekday } from '@pillar/domain/time/day'
import { inScope } from '../../src/db/scope.ts'
import { recomputeMetrics } from '../../src/features/metrics/metrics.queries.ts'
import { ensureSubcategories } from '../../src/features/metrics/subcategory.queries.ts'
import { asOwner } from '../people.ts'
import type { TestServer } from '../server.ts'
import type { Line } from './metrics-oracle/world.ts'
import { store } from './metrics-store.ts'
import { MEDICINES } from './metrics-world.ts'

interface DailyPharmacy {
  name?: string
  /** First and last day of its data. */
  from: string
  to: string
  /** The amount of a day's script. */
  cents: (on: Day) => number
  patients?: number
}

/** A pharmacy with one script on every weekday, by its patients in turn, and its figures counted: for tests that know every sum. */
export async function makeDailyPharmacy(server: TestServer, companyId: number, made: DailyPharmacy) {
  const { pools } = server.services
  const count = made.patients ?? 12
  const patients = Array.from({ length: count }, (_, at) => `p${at}`)
  const lines: Line[] = Array.from({ length: day(made.to) - day(made.from) + 1 }, (_, at) => day(made.from) + at)
    .filter((on) => weekday(on) <= 5)
    .map((on, at) => ({
      ...{ patient: patients[at % count]!, molecule: 'metformin', day: on, days: 30, cents: made.cents(on) },
      ...{ prescription: null, number: null },
    }))
  await ensureSubcategories(pools.app)
  const people = patients.map((id) => ({ id, died: null, facility: false }))
  const { id, uuid } = await store(pools, companyId, {
    ...{ country: 'AU', region: 'VIC', timeZone: 'Australia/Melbourne', dataTo: day(made.to) },
    ...{ lines, medicines: MEDICINES, people, prescriptions: [] },
  })
  if (made.name) await asOwner(server, 'update location set name = $2 where id = $1', [id, made.name])
  await countDailyPharmacy(server, companyId, { id, to: made.to })
  return { id, uuid }
}

/** Recounts the figures, as after an upload that reaches this day. */
export async function countDailyPharmacy(server: TestServer, companyId: number, of: { id: number; to: string }) {
  await inScope(server.services.pools.app, { companyId, locationIds: [of.id] }, (tx) =>
    recomputeMetrics(
      tx,
      { id: of.id, country: 'AU', timeZone: 'Australia/Melbourne' },
      { dataTo: of.to, changedFrom: null },
    ),
  )
}
