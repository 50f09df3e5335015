import { expect } from 'vitest'
import type { Replica } from '../../src/api/replica/replica.ts'
import { ensureCompany } from '../../src/features/location/location.queries.ts'
import { afterUpload } from '../../src/features/upload/after-upload.jobs.ts'
import { makeCompany, makeLogin, signIn } from '../people.ts'
import { startUploadServer, type TestPharmacy, type UploadServer } from '../upload.ts'
import { type Replicated, startReplicated } from './pair.ts'

/** The flags for the figures that a replica may answer. */
export const FIGURE_FLAGS = ['data_analytics', 'sixty_day_signup'] as const

/** A server with a primary and a standby, a pharmacy whose figures are read, and people of two companies. */
export interface ReplicaWorld {
  pair: Replicated
  server: UploadServer
  replica: Replica
  pharmacy: TestPharmacy
  /** The pharmacy's uuid. */
  place: string
  bearer: Record<string, string>
  colleague: Record<string, string>
  rival: Record<string, string>
  /** Uploads this many scripts of a patient and waits until they are COMPLETED. */
  dispense: (patient: string, scripts: number) => Promise<void>
  /** Finished loads that have not recorded their position in the log yet. */
  openPositions: () => Promise<number>
  /** Checks until the replica is used, or no longer used. */
  looked: (used: boolean) => Promise<void>
  /** The pharmacy's figures of 2026, as `bearer` by default. */
  stats: (who?: Record<string, string>) => Promise<{ status: number; body: { scripts: { total: number } } }>
  /** Waits until the standby shows everything and is used. */
  inStep: () => Promise<void>
  /** Which server answered the reads of `work`, by kind. */
  counted: (work: () => Promise<unknown>) => Promise<Record<string, number>>
  close: () => Promise<void>
}

const DRUGS = 'drug_id,name,atc,pack_size\nD1,Atorvastatin 20 mg,C10AA05,30\n'

/** Both servers started, the pharmacy with three scripts. The date is 20 November 2026. A replica more than 2 s behind is too old. */
export async function makeReplicaWorld(): Promise<ReplicaWorld> {
  const pair = await startReplicated()
  const env = { DATABASE_REPLICA_URL: pair.replicaUrl, REPLICA_LAG_SECONDS: '2' }
  const server = await startUploadServer({ env, on: pair, without: [afterUpload.name] })
  server.clock.offsetMs = Date.parse('2026-11-20T02:00:00Z') - Date.now()
  const replica = server.services.replica as Replica
  const pharmacy = await server.pharmacy()
  const own = server.owner.selectFrom('location').select('uuid').where('id', '=', pharmacy.id)
  const company = await ensureCompany(server.services.pools.system, { name: 'Testing Pharmacies', country: 'AU' })
  const enter = async (id: number) =>
    (await signIn(server, await makeLogin(server, id, { flags: [...FIGURE_FLAGS] }))).bearer
  const openPositions = async () =>
    (await pair.on('primary', 'select 1 from company_change where position is null')).length
  const looked = async (used: boolean) => {
    for (let left = 300; left > 0; left--) {
      await replica.look()
      if (replica.used === used) return
      await new Promise((done) => setTimeout(done, 100))
    }
    throw new Error(`After 30 s: ${replica.sentence}`)
  }
  const world: ReplicaWorld = {
    ...{ pair, server, replica, pharmacy, openPositions, looked },
    place: (await own.executeTakeFirstOrThrow()).uuid,
    bearer: await enter(company.id),
    colleague: await enter(company.id),
    rival: await enter((await makeCompany(server)).id),
    stats: (who = world.bearer) =>
      server.call('/api/enterprise-pharmacy-stats', { pharmacy_ids: [world.place], year: 2026 }, who),
    async dispense(patient, scripts) {
      const rows = Array.from({ length: scripts }, (_, at) => `${patient}${at},2026-11-1${9 - at},${patient},D1,10.00`)
      const done = await pharmacy.load({
        drugs: DRUGS,
        patients: `patient_id\n${patient}\n`,
        scripts: `script_id,dispensed_on,patient_id,drug_id,patient_price\n${rows.join('\n')}\n`,
      })
      expect(done).toMatchObject({ etl_state: 'COMPLETED', faults: [] })
    },
    async inStep() {
      // A load records its position a moment later.
      for (let left = 100; left > 0 && (await openPositions()) > 0; left--)
        await new Promise((done) => setTimeout(done, 50))
      await pair.caughtUp()
      await looked(true)
    },
    async counted(work) {
      const before = { ...replica.counts }
      await work()
      return Object.fromEntries(
        Object.entries(replica.counts).flatMap(([why, count]) => {
          const more = count - before[why as keyof typeof before]
          return more > 0 ? [[why, more]] : []
        }),
      )
    },
    async close() {
      await server.close()
      await pair.close()
    },
  }
  await world.dispense('A', 3)
  // Only here: in the background it could fall between two reads that are compared.
  await afterUpload.run({ location_id: pharmacy.id, company_id: company.id }, server.services)
  return world
}
