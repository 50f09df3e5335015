import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { UPLOAD_KEY_PATTERN } from '@pillar/domain/upload/upload-key'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { post, startUploadServer, type TestPharmacy, type UploadServer } from '../../../test/upload.ts'

let server: UploadServer
beforeAll(async () => {
  server = await startUploadServer({ work: false })
})
afterAll(() => server.close())

const ask = (key: string) =>
  post(`${server.url}/api/etl/status`, key, JSON.stringify({ uuid: crypto.randomUUID() }), 'application/json')

describe('an upload key', () => {
  it('has the form that scanners recognise, is found by its hash, and gives access to its pharmacy', async () => {
    const pharmacy = await server.pharmacy()
    expect(pharmacy.key).toMatch(new RegExp(`^${UPLOAD_KEY_PATTERN.source}$`))
    const { key_hash } = await server.owner
      .selectFrom('location_key')
      .select('key_hash')
      .where('location_id', '=', pharmacy.id)
      .executeTakeFirstOrThrow()
    expect(key_hash).toEqual(createHash('sha256').update(pharmacy.key).digest())
    expect((await ask(pharmacy.key)).status).toBe(404)
  })

  it('with one letter changed is refused like any unknown key', async () => {
    const { key } = await server.pharmacy()
    const changed = key.slice(0, -1) + (key.endsWith('0') ? '1' : '0')
    for (const wrong of [changed, key.slice(0, -1), 'pillar_upload_', 'nobody']) {
      const answer = await ask(wrong)
      expect([answer.status, ((await answer.json()) as { message: string }).message]).toEqual([
        401,
        'This location key is not known. Check the key of the pharmacy.',
      ])
    }
  })

  it('from before keys had a prefix keeps working', async () => {
    const pharmacy = await server.pharmacy()
    const old = '-mDqv0cZ2Fh8Qk1yD0m4xWb7TfXo3R5sJ6uLpEaVgNI'
    const key_hash = createHash('sha256').update(old).digest()
    await server.owner.updateTable('location_key').set({ key_hash }).where('location_id', '=', pharmacy.id).execute()
    expect((await ask(old)).status).toBe(404)
  })
})

/** Starts an upload of one file, calls `meanwhile` when part of it has arrived, and sends the rest. */
async function uploadAround(pharmacy: TestPharmacy, uuid: string, meanwhile: () => Promise<unknown>) {
  const boundary = 'between'
  const field = (name: string, value: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  const sending = request(`${server.url}/api/etl/upload`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${pharmacy.key}`,
      'content-type': `multipart/form-data; boundary=${boundary}`,
    },
  })
  const answered = once(sending, 'response') as Promise<[IncomingMessage]>
  sending.write(field('uuid', uuid) + field('data_source', 'canonical'))
  sending.write(
    `--${boundary}\r\nContent-Disposition: form-data; name="patients"; filename="patients.csv"\r\n\r\npatient_id\n`,
  )
  await expect.poll(async () => (await pharmacy.status(uuid)).files?.[0]?.received_bytes).toBe('patient_id\n'.length)
  await meanwhile()
  sending.end(`1\n\r\n--${boundary}--\r\n`)
  const [answer] = await answered
  return { status: answer.statusCode, message: (JSON.parse(await text(answer)) as { message: string }).message }
}

describe('an upload on its way', () => {
  const recorded = (uuid: string) =>
    server.owner.selectFrom('upload').select('etl_state').where('uuid', '=', uuid).execute()

  it('is recorded if nothing happened to its key and its pharmacy', async () => {
    const [pharmacy, uuid] = [await server.pharmacy(), crypto.randomUUID()]
    expect((await uploadAround(pharmacy, uuid, async () => {})).status).toBe(200)
    expect(await recorded(uuid)).toEqual([{ etl_state: 'RECEIVED' }])
  })

  it.each([
    ['whose leaked key was replaced meanwhile', 'location_key', 'location_id', { ends_at: new Date(0) }],
    ['whose pharmacy was removed meanwhile', 'location', 'id', { removed_at: new Date(0) }],
  ] as const)('%s is refused and not recorded', async (_what, table, column, values) => {
    const [pharmacy, uuid] = [await server.pharmacy(), crypto.randomUUID()]
    const end = () => server.owner.updateTable(table).set(values).where(column, '=', pharmacy.id).execute()
    expect(await uploadAround(pharmacy, uuid, end)).toEqual({
      status: 401,
      message: 'This location key is not known. Check the key of the pharmacy.',
    })
    expect(await recorded(uuid)).toEqual([])
  })
})
