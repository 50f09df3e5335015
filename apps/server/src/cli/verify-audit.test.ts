import { execFile } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asOwner, makeCompany, makeLogin, signIn } from '../../test/people.ts'
import { startTestServer, type TestServer } from '../../test/server.ts'
import { addAnchor } from '../features/audit/anchor.ts'
import { readHeads } from '../features/audit/verify.queries.ts'

const SECRET = 'a secret of at least thirty-two letters'
const folder = mkdtempSync(join(tmpdir(), 'pillar-verify-'))
let server: TestServer
let session: string

/** Runs a command as support does at a terminal. */
function run(
  name: string,
  words: string[] = [],
  more: Record<string, string> = {},
): Promise<{ code: number; said: string }> {
  const env = { ...process.env, DATABASE_URL: server.servingUrl, DATA_DIR: folder, SECRET, ...more }
  const path = fileURLToPath(new URL(`${name}.ts`, import.meta.url))
  return new Promise((done) => {
    const child = execFile(process.execPath, [path, ...words], { env }, (_error, stdout, stderr) =>
      done({ code: child.exitCode ?? -1, said: stdout + stderr }),
    )
  })
}

beforeAll(async () => {
  server = await startTestServer()
  const company = await makeCompany(server, 'Saltbush Pharmacy Group')
  const login = await makeLogin(server, company.id, { username: 'kim', flags: ['data_analytics'] })
  session = String((await signIn(server, login)).reply.body.session_id)
  await asOwner(
    server,
    `insert into audit (company_id, login_id, session_id, action, detail) values ($1, $2, $3, 'inbound.replies', '{"rows": 12}')`,
    [company.id, login.id, session],
  )
})
afterAll(() => server.close())

describe('npm run verify-audit', () => {
  it('reports that every chain is intact and matches the anchors in DATA_DIR', async () => {
    expect(await run('verify-audit')).toMatchObject({
      code: 0,
      said: expect.stringContaining('held against no anchors'),
    })
    await addAnchor(folder, Buffer.from(SECRET), await readHeads(server.services.pools.system), new Date())
    const { code, said } = await run('verify-audit')
    expect([code, said]).toEqual([
      0,
      expect.stringMatching(/^2 rows in 1 chains, held against 1 anchors.*\nThe audit is as it was written\.\n$/),
    ])
  })

  it('names what was altered, and exits with 1', async () => {
    const [row] = await asOwner(
      server,
      `update audit set detail = '{"rows": 1}' where action = 'inbound.replies' returning id`,
    )
    const { code, said } = await run('verify-audit')
    expect([code, said]).toEqual([
      1,
      expect.stringContaining(`Saltbush Pharmacy Group: entry 2 (row ${row!.id}) was altered.`),
    ])
    await asOwner(server, `update audit set detail = '{"rows": 12}' where action = 'inbound.replies'`)
    expect((await run('verify-audit')).code).toBe(0)
  })

  it('stops without the key of the anchors', async () => {
    const { code, said } = await run('verify-audit', [], { SECRET: 'another secret of thirty-two letters' })
    expect([code, said]).toEqual([2, expect.stringContaining('Line 1 of')])
  })
})

describe('npm run seen', () => {
  it('lists what a session did and looked at', async () => {
    const { code, said } = await run('seen', [session])
    expect([code, said]).toEqual([
      0,
      expect.stringMatching(
        /kim\tsigned in\tat Saltbush[^\n]*\n[^\n]*looked at 12 replies\tat Saltbush Pharmacy Group\t{"rows":12}\n2 entries in 1 company\.\n$/,
      ),
    ])
    expect(await run('seen', ['nonsense'])).toMatchObject({ code: 2, said: expect.stringContaining('Which session?') })
  })
})

describe('npm run verify-audit, of an old audit', () => {
  it('with --anchored fails if an audit that is days old has no anchor, but not if it is new', async () => {
    const none = { DATA_DIR: mkdtempSync(join(tmpdir(), 'pillar-verify-')) }
    expect(await run('verify-audit', ['--anchored'], none)).toMatchObject({ code: 0 })
    await asOwner(
      server,
      `insert into audit (action, at, id) overriding system value values ('audit.check', now() - interval '3 days', -1)`,
    )
    expect(await run('verify-audit', [], none)).toMatchObject({ code: 0 })
    expect(await run('verify-audit', ['--anchored'], none)).toEqual({
      code: 1,
      said: expect.stringContaining('There are no anchors although the audit is more than two days old'),
    })
    expect((await run('verify-audit', ['--anchored'])).said).not.toContain('There are no anchors')
  })
})
