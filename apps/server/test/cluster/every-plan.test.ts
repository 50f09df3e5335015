import { type Call, contract, FLAGS } from '@pillar/contract'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { bodyFor, placeOf } from '../every-call/every-call-values.ts'
import { makeLogin, signIn } from '../people.ts'
import { type Files, startUploadServer, type UploadServer } from '../upload.ts'
import { fansOut, type SeenPlan, watchPlans } from './plans.ts'

vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 })

const HEADER = 'script_id,dispensed_on,patient_id,drug_id,prescription_id,repeats_left,patient_price'
const scripts = (days: readonly string[]) =>
  `${[HEADER, ...days.map((day, n) => `${day},${day},${1 + (n % 2)},A,p${1 + (n % 2)},${5 - (n % 5)},7.70`)].join('\n')}\n`
const RECORD: Files = {
  patients: 'patient_id,sex,date_of_birth,mobile\n1,F,1950-02-03,0491570156\n2,M,1961-12-31,0491570157\n',
  drugs: 'drug_id,name,atc,pack_size\nA,Rosuvastatin 10 mg tablet,C10AA07,30\n',
  prescriptions: 'prescription_id,patient_id,drug_id,repeats_authorised\np1,1,A,5\np2,2,A,5\n',
  scripts: scripts(['2026-01-10', '2026-02-10', '2026-03-10', '2026-04-10', '2026-05-10', '2026-06-10']),
}

describe.runIf(process.env.CITUS_URL)('queries that a cluster sends its workers', () => {
  let server: UploadServer
  let plans: SeenPlan[]
  beforeAll(async () => {
    server = await startUploadServer()
    plans = await watchPlans(server)
  })
  afterAll(() => server.close())

  it('join pharmacies only by the pharmacy, in uploads and in every call', async () => {
    const [one, two] = [await server.pharmacy(), await server.pharmacy()]
    const later = { scripts: scripts(['2026-06-10', '2026-07-10']), prescribers: 'prescriber_id,name\nd1,Dr One\n' }
    for (const pharmacy of [one, two]) {
      expect((await pharmacy.load(RECORD)).etl_state).toBe('COMPLETED')
      expect((await pharmacy.load(later)).etl_state).toBe('COMPLETED')
      const range = { initial_upload: 'true', from: '2026-05-01', to: '2026-07-31' }
      expect((await pharmacy.load({ scripts: scripts(['2026-05-10', '2026-07-10']) }, range)).etl_state).toBe(
        'COMPLETED',
      )
    }
    const uploads = plans.length
    const { uuid } = await server.owner
      .selectFrom('location')
      .select('uuid')
      .where('id', '=', one.id)
      .executeTakeFirstOrThrow()
    const faults = await askEverything(one.companyId, uuid)
    expect(faults).toEqual([])
    // If nothing were watched, nothing would be found.
    expect([uploads > 30, plans.length - uploads > 20]).toEqual([true, true])
    expect(plans.filter(fansOut)).toEqual([])
  })

  /** Makes every call once, as a user who may. @returns those that failed */
  async function askEverything(companyId: number, uuid: string): Promise<string[]> {
    const bearers = new Map<string, Record<string, string>>()
    for (const flag of FLAGS) {
      const login = await makeLogin(server, companyId, { flags: [flag] })
      bearers.set(flag, (await signIn(server, login)).bearer)
    }
    const faults: string[] = []
    const calls = Object.values(contract).flatMap((group) => Object.values(group) as Call[])
    for (const call of calls) {
      if (call.body === 'multipart') continue
      const flag = FLAGS.find((name) => [call.needs].flat().includes(name)) ?? FLAGS[0]!
      const body = bodyFor(call, uuid)
      const { status } = await server.call(placeOf(call, body).path, body, bearers.get(flag), call.method)
      if (status >= 500) faults.push(`${call.path}: ${status}`)
    }
    return faults
  }
})
