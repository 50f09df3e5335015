import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { contract } from '@pillar/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { asOwner, makeCompany, makeLocation } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { makeSupport } from '../../../test/support.ts'
import { addDemoUploads } from './demo-upload.queries.ts'
import { type DemoMemory, keepMemory, readMemory } from './load/demo-memory.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

it('gives the list of faulty uploads late pharmacies, requests and work, once', async () => {
  const support = await makeSupport(server)
  const company = await makeCompany(server)
  await asOwner(server, 'update company set demo = true where id = $1', [company.id])
  for (const days of [1, 20, 21]) {
    const { id } = await makeLocation(server, company.id)
    await asOwner(
      server,
      `update location set data_source = 'z', data_to = current_date - $2::int, last_upload_at = now() where id = $1`,
      [id, days],
    )
    await asOwner(
      server,
      `insert into location_module (location_id, company_id, module_id) select $1, $2, id from module where name = 'strong_pro' on conflict do nothing`,
      [id, company.id],
    )
  }
  // Its last upload failed with faulty rows: the list keeps showing that, although it has been silent longest.
  const failed = await makeLocation(server, company.id, 'Failed')
  await asOwner(
    server,
    `update location set data_source = 'z', data_to = current_date - 30, last_upload_at = now() - interval '1 minute' where id = $1`,
    [failed.id],
  )
  await asOwner(
    server,
    `insert into location_module (location_id, company_id, module_id) select $1, $2, id from module where name = 'strong_pro' on conflict do nothing`,
    [failed.id, company.id],
  )
  await asOwner(
    server,
    `with u as (insert into upload (uuid, location_id, etl_state, data_source) values (gen_random_uuid(), $1, 'ERROR', 'z') returning id)
     insert into upload_file (uuid, upload_id, location_id, file_type, file_path, bytes, sha256, faulty)
     select gen_random_uuid(), id, $1, 'scripts', 'x', 1, '\\x00', 12 from u`,
    [failed.id],
  )
  for (let time = 0; time < 2; time++) await addDemoUploads(server.services.pools, server.services.now())
  const { body } = await support.ask(contract.etl.faulty, {})
  expect(body.etl_items.map(({ status, faults }) => [status, faults])).toEqual([
    ['ERROR', 12],
    ['NOT RECEIVED', 0],
    ['REQUESTED', 0],
  ])
  expect(body.etl_stats).toMatchObject({ TOTAL: 4, noUploadPharmacies: 3, COMPLETED: 1 })
  expect(body.etl_items[1]).toMatchObject({ note: 'They replace their server this week.', requested_by: 'Robin Vale' })
})

it('the demo network’s saved state is complete on the disk at every moment: a Pillar that ends in between starts again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pillar-memory-'))
  try {
    expect(await readMemory(folder)).toBeNull()
    const memory: DemoMemory = { size: 'tiny', today: '2026-11-27', keys: {}, reached: {} }
    for (let pharmacy = 0; pharmacy < 2000; pharmacy++) memory.keys[`pharmacy-${pharmacy}`] = 'x'.repeat(60)
    await keepMemory(folder, memory)
    let saved = false
    const saves = Promise.all(Array.from({ length: 20 }, () => keepMemory(folder, memory))).then(() => (saved = true))
    for (; !saved; await turn()) expect(JSON.parse(readFileSync(join(folder, 'demo.json'), 'utf8'))).toEqual(memory)
    await saves
    expect(await readMemory(folder)).toEqual(memory)
    writeFileSync(join(folder, 'demo.json'), '{"size":')
    await expect(readMemory(folder)).rejects.toThrow(
      `${join(folder, 'demo.json')} is not whole, so the demo network cannot go on. Put it back, or begin anew: see docs/operations.md, The demo network.`,
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
})
