import { day, formatDay } from '@pillar/domain/time/day'
import { inScope } from '../../src/db/scope.ts'
import { ensureSubcategories } from '../../src/features/metrics/subcategory.queries.ts'
import { refreshSixtyDay } from '../../src/features/sixty-day/sixty-day.jobs.ts'
import { makePatients } from '../messaging.ts'
import { asOwner, makeCompany, makeLocation, makeLogin, type SignedIn, signIn } from '../people.ts'
import type { TestServer } from '../server.ts'
import { dispense, makeDrug, type TestDrug } from './sequence-world.ts'

/** A pharmacy whose 60-day sums can be calculated. */
export interface SixtyDayPharmacy {
  id: number
  uuid: string
  name: string
  companyId: number
}
/** The time in these tests: the base is November 2025 to October 2026, and may be shown to the Guild. */
export const NOW = '2026-11-22T02:00:00Z'
export const BASE = { from: '2025-11-01', to: '2026-10-31' }

/** A pharmacy with data over the whole base. */
export async function makeSixtyDayPharmacy(
  server: TestServer,
  companyId: number,
  place: { state?: string; postcode?: string } = {},
): Promise<SixtyDayPharmacy> {
  await ensureSubcategories(server.services.pools.app)
  const { id, uuid, name } = await makeLocation(server, companyId)
  await asOwner(
    server,
    `update location set region = $2, postcode = $3, data_from = '2025-01-01', data_to = '2026-11-20' where id = $1`,
    [id, place.state ?? 'VIC', place.postcode ?? '3350'],
  )
  return { id, uuid, name, companyId }
}

/** A drug with the ATC code, or the item code, of a 60-day medicine. Two drugs with one ATC code are one molecule. */
export async function makeListedDrug(
  server: TestServer,
  locationId: number,
  { atc, pbs = null }: { atc: string | null; pbs?: string | null },
): Promise<TestDrug> {
  const [known] = atc ? await asOwner<{ id: number }>(server, 'select id from molecule where atc = $1', [atc]) : []
  const drug = await makeDrug(server, locationId, known?.id)
  await asOwner(server, 'update molecule set atc = $2 where id = $1', [drug.moleculeId, atc])
  await asOwner(server, 'update drug set pbs_code = $2 where id = $1', [drug.id, pbs])
  return drug
}

/** Supplies of a drug to a new patient, 30 days apart from a day on. */
export async function supply(
  server: TestServer,
  locationId: number,
  drug: TestDrug,
  given: { count: number; from?: string; days?: number; patientId?: number; sex?: 'F' | 'M' },
): Promise<number> {
  const patientId = given.patientId ?? (await makePatients(server, locationId, 1))[0]!.id
  if (given.sex) await asOwner(server, 'update patient set sex = $2 where id = $1', [patientId, given.sex])
  const first = day(given.from ?? '2025-11-05')
  const scripts = Array.from({ length: given.count }, (_, at) => ({
    ...{ patientId, drugId: drug.id, on: formatDay(first + at * 30), days: given.days ?? 30 },
  }))
  await dispense(server, locationId, scripts)
  return patientId
}

/** The work after an upload of a pharmacy. */
export function refresh(server: TestServer, pharmacy: SixtyDayPharmacy): Promise<void> {
  const scope = { companyId: pharmacy.companyId, locationIds: [pharmacy.id] }
  return inScope(server.services.pools.app, scope, (tx) =>
    refreshSixtyDay(tx, { id: pharmacy.id, country: 'AU' }, server.services),
  )
}

/** A company with a person who may see its 60-day figures. */
export async function makeSixtyDayCompany(server: TestServer): Promise<{ id: number; tab: SignedIn }> {
  const company = await makeCompany(server)
  const login = await makeLogin(server, company.id, { flags: ['sixty_day_signup'] })
  return { id: company.id, tab: await signIn(server, login) }
}
