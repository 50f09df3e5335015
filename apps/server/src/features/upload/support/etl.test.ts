import { readdir } from 'node:fs/promises'
import { contract } from '@pillar/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FILES, itemsOf, load, uuidOf } from '../../../../test/etl/etl.ts'
import { asOwner } from '../../../../test/people.ts'
import { makeSupport, type Support } from '../../../../test/support.ts'
import { post, startUploadServer, type TestPharmacy, type UploadServer } from '../../../../test/upload.ts'
import { inScope } from '../../../db/scope.ts'
import { uploadFolder } from '../../../gateways/file/folder-store.ts'
import { claimUpload } from '../claim.queries.ts'
import { removeItems } from './remove.queries.ts'
import { removeUploadFiles } from './remove-files.jobs.ts'

const { queue, request, remove } = contract.etl

let server: UploadServer
let support: Support
/** No worker runs: uploads stay RECEIVED until a test loads them. */
beforeAll(async () => {
  server = await startUploadServer({ work: false })
  support = await makeSupport(server)
})
afterAll(() => server.close())

const asked = async (pharmacy: TestPharmacy) =>
  (
    (await (await post(`${server.url}/api/etl/requests`, pharmacy.key, '{}', 'application/json')).json()) as {
      requests: { uuid: string }[]
    }
  ).requests
describe('a request', () => {
  it('is seen by the pharmacy’s key, answered under its uuid, and loaded even if the same data was sent before', async () => {
    const pharmacy = await server.pharmacy()
    const sent = await pharmacy.upload(FILES)
    await load(server, sent.body.uuid)
    const id = await uuidOf(server, pharmacy)
    const range = { from: '2026-09-30T14:00:00.000Z', to: null }
    const made = await support.ask(request, { id, data_source: 'canonical', ...range })
    expect(made.status).toBe(200)
    const uuid = made.body.requested[0]!.uuid
    expect(made.body).toEqual({ requested: [{ pharmacy: id, name: expect.any(String), uuid }], not_requested: [] })
    expect(await asked(pharmacy)).toMatchObject([{ uuid, data_source: 'canonical', initial_upload: false, ...range }])
    expect((await itemsOf(server, support, pharmacy))[0]).toMatchObject({
      ...{ uuid, etl_state: 'REQUESTED', support_initiated: true, etl_completed: false, requested_from: range.from },
      ...{ files: [], location_upload_time: null, requested_by: 'Robin Vale' },
    })
    const answer = await pharmacy.upload(FILES, { uuid })
    expect(answer.body).toMatchObject({ uuid, etl_state: 'RECEIVED', repeated: false })
    expect(await asked(pharmacy)).toEqual([])
    // Sent a second time, as by another command: the request is answered only once.
    expect((await pharmacy.upload(FILES, { uuid })).body).toMatchObject({ uuid, repeated: true })
    await load(server, uuid)
    const [item, older] = await itemsOf(server, support, pharmacy)
    expect(item).toMatchObject({ uuid, etl_state: 'COMPLETED', etl_completed: true, support_initiated: true })
    expect(older).toMatchObject({ uuid: sent.body.uuid, support_initiated: false })
    const log = await asOwner(server, `select action, object from audit where object in ($1, $2) and company_id = $3`, [
      ...[uuid, id, pharmacy.companyId],
    ])
    expect(log).toEqual([{ action: 'etl.request', object: uuid }])
  })

  it('is not made twice, and says what is missing', async () => {
    const pharmacy = await server.pharmacy()
    const id = await uuidOf(server, pharmacy)
    const first = await support.ask(request, { id, data_source: 'fred' })
    expect(first.status).toBe(200)
    const again = await support.ask(request, { id, data_source: 'fred' })
    expect([again.status, again.body.message]).toEqual([
      409,
      'The same upload is requested already and has not arrived.',
    ])
    expect((await support.ask(request, { id, data_source: 'fred', initial_upload: true })).status).toBe(200)
    const nameless = await support.ask(request, { id })
    expect([nameless.status, nameless.body.message]).toEqual([422, 'Please select a data source.'])
    expect((await support.ask(request, { id, data_source: 'nothing' })).status).toBe(422)
    const late = { from: '2026-11-02T00:00:00Z', to: '2026-11-01T00:00:00Z' }
    const wrong = await support.ask(request, { id, data_source: 'z', ...late })
    expect(wrong.body.message).toBe('Please enter a To time that is after the From time.')
  })

  it('to several pharmacies gives the outcome of each', async () => {
    const [a, b] = [await server.pharmacy(), await server.pharmacy()]
    const ids = [await uuidOf(server, a), await uuidOf(server, b)]
    await asOwner(server, `update location set data_source = 'minfos' where id = $1`, [a.id])
    const { body } = await support.ask(request, { id: ids })
    expect(body.requested.map(({ pharmacy }) => pharmacy)).toEqual([ids[0]])
    expect(body.not_requested).toMatchObject([{ pharmacy: ids[1], reason: 'Please select a data source.' }])
    expect(await itemsOf(server, support, a)).toMatchObject([{ etl_state: 'REQUESTED', data_source: 'minfos' }])
    const unknown = await support.ask(request, { id: [ids[1]!, support.login.uuid], data_source: 'z' })
    expect(unknown.status).toBe(404)
    expect(await itemsOf(server, support, b)).toEqual([])
  })

  it('expires after 24 hours, and late files are still accepted', async () => {
    const pharmacy = await server.pharmacy()
    const id = await uuidOf(server, pharmacy)
    const { body } = await support.ask(request, { id, data_source: 'canonical' })
    const uuid = body.requested[0]!.uuid
    const age = (seconds: number) =>
      asOwner(server, 'update upload set requested_at = now() - make_interval(secs => $2) where uuid = $1', [
        uuid,
        seconds,
      ])
    await age(24 * 3600 - 60)
    await server.recover()
    expect((await itemsOf(server, support, pharmacy))[0]).toMatchObject({ etl_state: 'REQUESTED' })
    await age(24 * 3600 + 60)
    await server.recover()
    expect((await itemsOf(server, support, pharmacy))[0]).toMatchObject({
      ...{ etl_state: 'NOT RECEIVED', notes: 'Nothing arrived within 24 hours of the request.' },
    })
    expect(await asked(pharmacy)).toMatchObject([{ uuid }])
    expect((await pharmacy.upload(FILES, { uuid })).body.etl_state).toBe('RECEIVED')
    expect((await itemsOf(server, support, pharmacy))[0]).toMatchObject({ etl_state: 'RECEIVED', notes: '' })
  })

  it('joins the queue behind uploads that arrived before its files', async () => {
    const pharmacy = await server.pharmacy()
    const id = await uuidOf(server, pharmacy)
    const uuid = (await support.ask(request, { id, data_source: 'canonical' })).body.requested[0]!.uuid
    const nightly = await pharmacy.upload({ ...FILES, patients: 'patient_id\n1\n2\n3\n' })
    await pharmacy.upload(FILES, { uuid })
    expect((await claimUpload(server.services.pools.system, pharmacy.id))?.uuid).toBe(nightly.body.uuid)
  })
})

describe('removing from the queue', () => {
  const files = (pharmacy: TestPharmacy, uuid: string) =>
    readdir(uploadFolder(server.services.env.DATA_DIR, pharmacy.id, uuid)).catch(() => null)
  const sweep = (pharmacy: TestPharmacy, uuid: string) =>
    removeUploadFiles.run({ uuid, location_id: pharmacy.id, company_id: pharmacy.companyId }, server.services)

  it('removes a file, then the item, from the list, the disk and the queue, and records it in the log', async () => {
    const pharmacy = await server.pharmacy()
    const id = await uuidOf(server, pharmacy)
    const { uuid } = (await pharmacy.upload(FILES)).body
    const [item] = await itemsOf(server, support, pharmacy)
    const file = item!.files.find(({ file_type }) => file_type === 'patients')!
    expect(file.file_path).toBe(`uploads/${pharmacy.id}/${uuid}/patients.csv`)
    expect((await support.ask(remove, { id, uuid: [file.id] })).body).toEqual([file.id])
    await sweep(pharmacy, uuid)
    expect((await itemsOf(server, support, pharmacy))[0]!.files.map(({ file_type }) => file_type)).toEqual([
      'drugs',
      'scripts',
    ])
    expect((await files(pharmacy, uuid))?.sort()).toEqual(['drugs.csv', 'scripts.csv'])
    const rest = item!.files.filter((one) => one !== file).map((one) => one.id)
    const bare = await support.ask(remove, { id, uuid: rest })
    expect([bare.status, bare.body.message]).toEqual([
      409,
      'Without drugs and scripts nothing is left to load. Remove the queue item instead. Nothing was removed.',
    ])
    expect((await support.ask(remove, { id, uuid: [uuid] })).body).toEqual([uuid])
    await sweep(pharmacy, uuid)
    expect(await itemsOf(server, support, pharmacy)).toEqual([])
    expect(await files(pharmacy, uuid)).toBeNull()
    const log = await asOwner<{ detail: { changes: object[] } }>(
      server,
      `select detail from audit where action = 'etl.remove' and object = $1`,
      [uuid],
    )
    expect(log[0]?.detail.changes).toMatchObject([
      { before: { etl_state: 'RECEIVED', files: 'all' }, after: { etl_state: null } },
    ])
    expect((await support.ask(remove, { id, uuid: [uuid] })).status).toBe(404)
    // The same files may be sent again.
    expect((await pharmacy.upload(FILES)).body).toMatchObject({ etl_state: 'RECEIVED', repeated: false })
  })

  it('is refused in every other state, and changes nothing', async () => {
    const pharmacy = await server.pharmacy()
    const id = await uuidOf(server, pharmacy)
    const { uuid } = (await pharmacy.upload(FILES)).body
    for (const state of ['REQUESTED', 'NOT RECEIVED', 'PROCESSING', 'ERROR', 'COMPLETED']) {
      await asOwner(server, 'update upload set etl_state = $2 where uuid = $1', [uuid, state])
      const { status, body } = await support.ask(remove, { id, uuid: [uuid] })
      expect([state, status, body.message]).toEqual([state, 409, expect.stringContaining('Nothing was removed.')])
    }
    await asOwner(server, `update upload set etl_state = 'OVERRIDE' where uuid = $1`, [uuid])
    expect((await support.ask(remove, { id, uuid: [uuid] })).status).toBe(200)
  })

  it('never removes an upload the loader has taken', async () => {
    const pharmacy = await server.pharmacy()
    const { uuid } = (await pharmacy.upload(FILES)).body
    const { app, system } = server.services.pools
    const scope = { companyId: pharmacy.companyId, locationIds: [pharmacy.id] }
    await inScope(app, scope, async (tx) => {
      await removeItems(tx, [uuid])
      // Not committed: the loader skips it.
      expect(await claimUpload(system, pharmacy.id)).toBeNull()
      await sql`select 1`.execute(tx)
    })
    const second = (await pharmacy.upload(FILES)).body.uuid
    expect((await claimUpload(system, pharmacy.id))?.uuid).toBe(second)
    await expect(inScope(app, scope, (tx) => removeItems(tx, [second]))).rejects.toThrow('being loaded')
  })

  it('is not possible through another pharmacy', async () => {
    const [mine, other] = [await server.pharmacy(), await server.pharmacy()]
    const { uuid } = (await other.upload(FILES)).body
    expect((await support.ask(remove, { id: await uuidOf(server, mine), uuid: [uuid] })).status).toBe(404)
    expect(await itemsOf(server, support, other)).toHaveLength(1)
  })
})

it('shows a long history in parts', async () => {
  const pharmacy = await server.pharmacy()
  const id = await uuidOf(server, pharmacy)
  await asOwner(
    server,
    `insert into upload (uuid, location_id, etl_state, data_source, created_at)
     select gen_random_uuid(), $1, 'COMPLETED', 'z', timestamptz '2026-01-01' + n * interval '1 day' from generate_series(1, 7) n`,
    [pharmacy.id],
  )
  const seen: string[] = []
  for (let before: string | undefined; ; ) {
    const { body } = await support.ask(queue, { id: [id], limit: 3, before })
    const [answer] = body
    seen.push(...answer!.queue.map(({ timestamp }) => timestamp.slice(0, 10)))
    before = answer!.queue.at(-1)?.uuid
    if (!answer!.more) break
  }
  expect(seen).toEqual([8, 7, 6, 5, 4, 3, 2].map((day) => `2026-01-0${day}`))
})

it('leaves out unknown pharmacies among several, and answers for the others', async () => {
  const pharmacy = await server.pharmacy()
  const id = await uuidOf(server, pharmacy)
  const unknown = support.login.uuid
  const { status, body } = await support.ask(queue, { id: [unknown, id] })
  expect([status, body.map((one) => one.pharmacy)]).toEqual([200, [id]])
  expect((await support.ask(queue, { id: [unknown] })).body).toEqual([])
})
