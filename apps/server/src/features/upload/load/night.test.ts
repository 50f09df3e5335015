import { afterAll, beforeAll, expect, it } from 'vitest'
import { explainTenants } from '../../../../test/cluster/explain-first.ts'
import { asOwner } from '../../../../test/people.ts'
import type { Plan } from '../../../../test/scale/visits.ts'
import { startUploadServer, type UploadServer } from '../../../../test/upload.ts'
import { afterUpload } from '../after-upload.jobs.ts'

const PATIENTS = 60
const SCRIPTS = 40
const HEAD = 'script_id,dispensed_on,patient_id,drug_id,prescription_id,supply_number,patient_type,patient_price\n'

const CLUSTER = process.env.CITUS_URL !== undefined

/** What figures need of prescriptions: all of the last two years, so that unused repeats are counted. */
const PRESCRIBED = "array_agg(coalesce(prescribed_on - date '1970-01-01'"

let server: UploadServer
beforeAll(async () => {
  server = await startUploadServer({ without: [afterUpload.name] })
})
afterAll(() => server.close())

/** The rows of each table that a plan and its parts read. */
function readRows(plan: Plan): [table: string, rows: number][] {
  const { 'Relation Name': table, 'Actual Rows': kept, 'Actual Loops': loops } = plan
  const rows = (kept + (plan['Rows Removed by Filter'] ?? 0)) * loops
  return [...(table ? [[table, rows] as [string, number]] : []), ...(plan.Plans ?? []).flatMap(readRows)]
}

it('a night reads the scripts and prescriptions of its own patients only', async () => {
  const pharmacy = await server.pharmacy()
  const people = Array.from({ length: PATIENTS }, (_, at) => at + 1)
  const day = (at: number) => new Date(Date.UTC(2024, 0, 1 + at * 20)).toISOString().slice(0, 10)
  const line = (patient: number, at: number) =>
    `${patient}-${at},${day(at)},${patient},A,${patient}-${Math.floor(at / 6)},${(at % 6) + 1},General,7.70`
  const loaded = await pharmacy.load({
    patients: `patient_id\n${people.join('\n')}\n`,
    drugs: 'drug_id,name,atc,pack_size\nA,Rosuvastatin,C10AA07,30\n',
    prescriptions: `prescription_id,patient_id,drug_id,repeats_authorised\n${people.flatMap((one) => Array.from({ length: 8 }, (_, at) => `${one}-${at},${one},A,5`)).join('\n')}\n`,
    scripts: `${HEAD}${people.flatMap((one) => Array.from({ length: SCRIPTS }, (_, at) => line(one, at))).join('\n')}\n`,
  })
  expect(loaded).toMatchObject({ etl_state: 'COMPLETED', fault_count: 0 })
  await asOwner(server, 'vacuum analyze script, prescription')
  const stored = /^(script|prescription)$/
  const read: { table: string; rows: number; statement: string }[] = []
  await explainTenants(server, {
    statements: /^\s*(select|with|insert|update|create temp table \S+ on commit drop as)\b/i,
    // A cluster's rows are read by its nodes, and explaining a statement there by running it ends the load.
    options: CLUSTER ? 'costs off' : 'analyze, timing off',
    hear: (statement, explained) => {
      const plan = CLUSTER ? null : (explained as [{ Plan: Plan }] | undefined)?.[0].Plan
      for (const [table, rows] of plan ? readRows(plan) : [])
        if (stored.test(table) && rows > 5 * SCRIPTS && !statement.includes(PRESCRIBED))
          read.push({ table, rows, statement })
    },
  })
  const night = {
    patients: 'patient_id\nnew\n',
    prescriptions: 'prescription_id,patient_id,drug_id,repeats_authorised\n1-8,1,A,5\n',
    scripts: `${HEAD}${line(1, SCRIPTS)}\n`,
  }
  expect(await pharmacy.load(night)).toMatchObject({ etl_state: 'COMPLETED' })
  expect(read).toEqual([])
})
