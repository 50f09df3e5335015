import { inScope } from '../../src/db/scope.ts'
import { type MessagingWorld, makeCampaign, makeRun, type TestRun } from '../messaging.ts'
import { asOwner, makeLocation, makeLogin, signIn } from '../people.ts'
import type { TestServer } from '../server.ts'
import type { TestPharmacy, UploadServer } from '../upload.ts'

/** Last day of the uploads. */
export const DATA_TO = '2026-10-31'
/** The start of the runs. */
export const SENT_AT = '2026-09-10T00:00:00Z'

/** Patient, day, drug (A rosuvastatin, D an antibiotic), dollars. */
export type Line = readonly [patient: string, day: string, drug: 'A' | 'D', dollars: number]

/** A pharmacy with data, and one of the same company without. */
export interface AttributionWorld extends MessagingWorld {
  pharmacy: TestPharmacy
  /** Ids of patients by the pharmacy's own numbers. */
  patients: ReadonlyMap<string, number>
  /** The head office's bearer. */
  bearer: Record<string, string>
}

/** Uploads patients and their dispensing up to DATA_TO. */
export async function makeAttributionWorld(
  server: UploadServer,
  patients: readonly string[],
  lines: readonly Line[],
): Promise<AttributionWorld> {
  const pharmacy = await server.pharmacy()
  const script = ([patient, day, drug, dollars]: Line, at: number) =>
    `s${at},${day},${patient},${drug},30,General,${dollars.toFixed(2)}`
  const status = await pharmacy.load(
    {
      patients: `patient_id,sex,first_name,last_name\n${patients.map((id) => `${id},F,Ann,Ash`).join('\n')}\n`,
      drugs: 'drug_id,name,atc,pack_size\nA,Rosuvastatin,C10AA07,30\nD,Amoxicillin,J01CA04,20\n',
      scripts: `script_id,dispensed_on,patient_id,drug_id,units,patient_type,patient_price\n${lines.map(script).join('\n')}\n`,
    },
    { to: DATA_TO, initial_upload: 'true' },
  )
  if (status.etl_state !== 'COMPLETED') throw new Error(`The upload ended ${status.etl_state}: ${status.notes}`)
  const [place] = await asOwner<{ company_id: number; uuid: string; name: string }>(
    server,
    'select company_id, uuid, name from location where id = $1',
    [pharmacy.id],
  )
  const company = { id: place!.company_id, uuid: '', name: '' }
  const other = await makeLocation(server, company.id)
  const scope = { companyId: company.id, locationIds: [pharmacy.id, other.id] }
  const rows = await asOwner<{ id: number; source_id: string }>(server, 'select id, source_id from patient')
  const login = await makeLogin(server, company.id, { flags: ['data_analytics'] })
  return {
    company,
    locations: [{ id: pharmacy.id, uuid: place!.uuid, key: pharmacy.key, name: place!.name }, other],
    scope,
    inside: (work) => inScope(server.services.pools.app, scope, work),
    pharmacy,
    patients: new Map(rows.map((row) => [row.source_id, row.id])),
    bearer: (await signIn(server, login)).bearer,
  }
}

/** The columns of a delivered message. */
export const delivered = (at: string, parts = 1): string =>
  `state = 'delivered', sent_at = '${at}', settled_at = '${at}', parts = ${parts}, cents = ${parts * 12}`
/** The columns of a held-back message. */
export const skipped = (reason: string): string => `state = 'skipped', reason = '${reason}'`

/** Columns of a campaign that affect results. */
export interface CampaignColumns {
  goal_type?: string
  measure_by?: string
  goal?: number
  filters?: object
  start_day?: string
  end_day?: string
}

/** A campaign of both pharmacies and its finished run, to patients of the first: `settled` says whose messages ended how. */
export async function sentCampaign(
  server: TestServer,
  world: AttributionWorld,
  settled: Readonly<Record<string, readonly string[]>>,
  columns: CampaignColumns = {},
): Promise<{ uuid: string; run: TestRun }> {
  const { pharmacy, company } = world
  const campaign = await makeCampaign(server, company.id, { locationIds: world.scope.locationIds })
  const {
    goal_type = 'revenue',
    measure_by = 'target',
    goal = 1,
    filters = {},
    start_day = null,
    end_day = null,
  } = columns
  await asOwner(
    server,
    'update campaign set goal_type = $2, measure_by = $3, goal = $4, filters = $5, start_day = $6, end_day = $7 where id = $1',
    [campaign.id, goal_type, measure_by, goal, JSON.stringify(filters), start_day, end_day],
  )
  const idsOf = (numbers: readonly string[]) => numbers.map((number) => world.patients.get(number)!)
  const contact = { locationId: pharmacy.id, sms_to: '+61400000001', email_to: null }
  const run = await makeRun(server, world, {
    campaignId: campaign.id,
    patients: idsOf(Object.values(settled).flat()).map((id) => ({ id, ...contact })),
    startsAt: new Date(SENT_AT),
    state: 'done',
  })
  for (const [set, numbers] of Object.entries(settled))
    await asOwner(server, `update message set ${set} where run_id = $1 and patient_id = any($2::bigint[])`, [
      ...[run.id, idsOf(numbers)],
    ])
  return { uuid: campaign.uuid, run }
}
