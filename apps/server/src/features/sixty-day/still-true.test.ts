import { contract } from '@pillar/contract'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { asOwner } from '../../../test/people.ts'
import { makeSupport } from '../../../test/support.ts'
import { startUploadServer, type TestPharmacy, type UploadServer } from '../../../test/upload.ts'
import { untilWaiting } from '../../../test/waiting.ts'
import { setClock } from '../../../test/world/sequence-world.ts'
import { NOW, refresh } from '../../../test/world/sixty-day-world.ts'
import { inScope } from '../../db/scope.ts'
import { afterUpload } from '../upload/after-upload.jobs.ts'
import { refreshSixtyDay } from './sixty-day.jobs.ts'

const HEAD = 'script_id,dispensed_on,patient_id,drug_id,patient_price,prescription_id,supply_number\n'
const FIRST = {
  patients: 'patient_id,last_name,sex,date_of_birth\n1,Moran,F,1950-05-05\n2,Ng,M,1960-05-05\n',
  prescriptions: 'prescription_id,patient_id,drug_id,repeats_authorised\nr,2,A,5\n',
  drugs: 'drug_id,name,atc,pbs_code,pack_size\nA,Rosuvastatin,C10AA07,2628H,30\n',
  scripts: `${HEAD}a,2025-10-20,1,A,7.70,,\nb,2026-03-20,1,A,7.70,,\nc,2026-10-20,2,A,7.70,r,1\nd,2026-11-05,2,A,7.70,,\n`,
}

let server: UploadServer
let pharmacy: TestPharmacy
beforeAll(async () => {
  server = await startUploadServer({ without: [afterUpload.name] })
  setClock(server, NOW)
})
afterAll(() => server.close())
beforeEach(async () => {
  pharmacy = await server.pharmacy()
  await load(FIRST)
  expect(await counts()).toBe(true)
})

async function load(files: Parameters<TestPharmacy['load']>[0], to = '2026-11-10') {
  expect(await pharmacy.load(files, { to })).toMatchObject({ etl_state: 'COMPLETED', fault_count: 0 })
}

/** Whether the work after an upload counts the sums again: it would replace a wrong one. */
async function counts(): Promise<boolean> {
  const { id, companyId } = pharmacy
  await asOwner(server, 'update sixty_day_cell set scripts = -1 where location_id = $1', [id])
  await refresh(server, { id, companyId, uuid: '', name: '' })
  const [wrong] = await asOwner<{ count: number }>(
    server,
    'select count(*)::int as count from sixty_day_cell where location_id = $1 and scripts = -1',
    [id],
  )
  return wrong!.count === 0
}

it('scripts after the base leave its sums as they are, night after night; their time is that of the last look', async () => {
  for (const [at, day] of ['2026-11-11', '2026-11-12'].entries()) {
    // With the third supply the second is missing, at another pharmacy perhaps: a slot in October, but no script of this one.
    await load({ scripts: `${HEAD}e${at},${day},1,A,7.70,,\nf${at},${day},2,A,7.70,r,${3 + at}\n` }, day)
    setClock(server, `2026-11-2${3 + at}T02:00:00Z`)
    expect(await counts()).toBe(false)
  }
  const [base] = await asOwner<{ at: Date }>(
    server,
    'select computed_at as at from sixty_day_base where location_id = $1',
    [pharmacy.id],
  )
  expect(base!.at.toISOString().slice(0, 10)).toBe('2026-11-24')
  setClock(server, NOW)
})

it.each([
  ['a late script of the last day of the base', { scripts: `${HEAD}e,2026-10-31,1,A,7.70,,\n` }],
  ['another price of a script in it', { scripts: `${HEAD}b,2026-03-20,1,A,9.70,,\n` }],
  ['a script that moves out of it', { scripts: `${HEAD}c,2026-11-02,2,A,7.70,r,1\n` }],
  ['another sex', { patients: 'patient_id,sex\n1,M\n' }],
  ['another item code of a drug', { drugs: 'drug_id,name,atc,pbs_code\nA,Rosuvastatin,C10AA07,1234A\n' }],
])('%s counts them again', async (_, files) => {
  await load(files)
  expect(await counts()).toBe(true)
  await load({ scripts: `${HEAD}z,2026-11-12,1,A,7.70,,\n` })
  expect(await counts()).toBe(false)
})

it('a late script that arrives before the sums were counted is not forgotten with the next upload', async () => {
  await load({ scripts: `${HEAD}e,2026-10-31,1,A,7.70,,\n` })
  await load({ scripts: `${HEAD}f,2026-11-12,1,A,7.70,,\n` })
  expect(await counts()).toBe(true)
})

it('they are counted again with the next month, after data that now cover the base, by other rules, and after an older server’s upload', async () => {
  const change = (statement: string) => asOwner(server, statement, [pharmacy.id])
  await change(`update location set data_to = '2026-10-30' where id = $1`)
  expect(await counts()).toBe(true)
  await change('update sixty_day_base set rules = 0 where location_id = $1')
  expect(await counts()).toBe(true)
  await change('update location set last_upload_at = now() where id = $1')
  expect(await counts()).toBe(true)
  setClock(server, '2026-12-02T02:00:00Z')
  expect(await counts()).toBe(true)
  setClock(server, NOW)
})

async function erase(): Promise<number> {
  const [place] = await asOwner<{ company: string; uuid: string }>(
    server,
    'select c.uuid as company, l.uuid from location l join company c on c.id = l.company_id where l.id = $1',
    [pharmacy.id],
  )
  const { status } = await (await makeSupport(server)).ask(contract.erasure.erasePatient, {
    ...{ id: place!.company, location_id: place!.uuid, number: '1', last_name: 'Moran', reason: 'Asked in writing' },
  })
  return status
}

it('an erased patient, whose birthday is no longer known, is counted again', async () => {
  expect(await erase()).toBe(200)
  expect(await counts()).toBe(true)
})

it('a patient who is erased while the sums are being counted is counted again', async () => {
  await load({ scripts: `${HEAD}e,2026-10-31,1,A,7.70,,\n` })
  const { id, companyId } = pharmacy
  const [erased] = await inScope(server.services.pools.app, { companyId, locationIds: [id] }, async (tx) => {
    await refreshSixtyDay(tx, { id, country: 'AU' }, server.services)
    const erasing = erase()
    await untilWaiting(server)
    // In a list, because this transaction would wait for it otherwise.
    return [erasing]
  })
  expect(await erased).toBe(200)
  expect(await counts()).toBe(true)
})
