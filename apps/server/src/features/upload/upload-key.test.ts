import { createHash } from 'node:crypto'
import { UPLOAD_KEY_PATTERN } from '@pillar/domain/upload/upload-key'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { post, startUploadServer, type UploadServer } from '../../../test/upload.ts'

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

  it('made before keys had a prefix goes on working', async () => {
    const pharmacy = await server.pharmacy()
    const old = '-mDqv0cZ2Fh8Qk1yD0m4xWb7TfXo3R5sJ6uLpEaVgNI'
    const key_hash = createHash('sha256').update(old).digest()
    await server.owner.updateTable('location_key').set({ key_hash }).where('location_id', '=', pharmacy.id).execute()
    expect((await ask(old)).status).toBe(404)
  })
})
