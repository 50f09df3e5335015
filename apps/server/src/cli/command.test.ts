import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../../test/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const run = (name: string, url: string, ...words: string[]) =>
  new Promise<{ code: number | null; said: string }>((done) => {
    const env = { ...process.env, DATABASE_URL: url, DATABASE_OWNER_URL: url }
    const path = fileURLToPath(new URL(`${name}.ts`, import.meta.url))
    const child = execFile(process.execPath, [path, ...words], { env }, (_error, stdout, stderr) =>
      done({ code: child.exitCode, said: stdout + stderr }),
    )
  })

it('a command that the database does not let in names the database, and does not ask for a migration', async () => {
  const stranger = new URL(server.servingUrl)
  stranger.username = 'nobody'
  const away = new URL(server.servingUrl)
  away.port = '1'
  for (const [name, { href }] of [
    ['keys', stranger],
    ['errors', away],
    ['distribute', away],
  ] as const) {
    const { code, said } = await run(name, href)
    expect([name, code]).toEqual([name, 2])
    expect(said).toMatch(/^Pillar cannot enter the database that DATABASE_URL names \(\S+ at \S+:\d+\): .+\.\n$/)
  }
})

it('a file that is not there is named in a sentence', async () => {
  const { code, said } = await run('replies', server.servingUrl, '/nowhere/replies.csv')
  expect([code, said]).toEqual([2, 'There is no file /nowhere/replies.csv.\n'])
})
