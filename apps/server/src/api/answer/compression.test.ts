import { gunzipSync, gzipSync, zstdDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeCompany, makeLocation, makeLogin, signIn } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'

let server: TestServer
let bearer: Record<string, string>

beforeAll(async () => {
  server = await startTestServer()
  const company = await makeCompany(server)
  for (let at = 0; at < 240; at++) await makeLocation(server, company.id)
  const login = await makeLogin(server, company.id, { flags: ['data_analytics'] })
  bearer = (await signIn(server, login)).bearer
})
afterAll(() => server.close())

/** The response exactly as sent, without decompression. */
async function raw(url: string, payload: Buffer | string, headers: Record<string, string>) {
  const all = { 'content-type': 'application/json', ...bearer, ...headers }
  const answer = await server.app.inject({ method: 'POST', url, payload, headers: all })
  return { status: answer.statusCode, encoding: answer.headers['content-encoding'], bytes: answer.rawPayload }
}

describe('large answers', () => {
  const path = '/api/enterprise-init-info'
  const asked = JSON.stringify({ year: 2026 })

  it('are compressed for clients that can unpack them, with the same content', async () => {
    const plain = await raw(path, asked, {})
    expect([plain.status, plain.encoding]).toEqual([200, undefined])
    expect(plain.bytes.length).toBeGreaterThan(32_768)
    for (const [encoding, unpack] of [['gzip', gunzipSync] as const, ['zstd', zstdDecompressSync] as const]) {
      const packed = await raw(path, asked, { 'accept-encoding': encoding })
      expect(packed.encoding).toBe(encoding)
      expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 3)
      expect(JSON.parse(unpack(packed.bytes).toString())).toEqual(JSON.parse(plain.bytes.toString()))
    }
  })

  it('do not include a session’s short answers, which stay uncompressed', async () => {
    const short = await raw('/api/portal-info', '{}', { 'accept-encoding': 'zstd, gzip' })
    expect([short.status, short.encoding]).toEqual([200, undefined])
  })

  it('do not imply that compressed requests are unpacked', async () => {
    const packed = await raw(path, gzipSync(asked), { 'content-encoding': 'gzip' })
    expect(packed.status).toBe(422)
    expect(packed.bytes.toString()).not.toContain('pharmacies')
  })
})
