import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { asOwner, fresh } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'

const run = promisify(execFile)
let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const add = (company: string, name: string, ...more: string[]) =>
  run(
    process.execPath,
    [
      fileURLToPath(new URL('../../cli/pharmacy.ts', import.meta.url)),
      'add',
      '--company',
      company,
      '--name',
      name,
      ...more,
    ],
    { env: { ...process.env, DATABASE_URL: server.ownerUrl } },
  ).catch((error: unknown) => error as { code: number; stdout: string; stderr: string })

it('npm run pharmacy refuses a pharmacy abroad: a company’s money is in one currency', async () => {
  const company = fresh('Thames')
  const first = await add(company, 'First', '--postcode', 'EC1A 1BB', '--country', 'GB')
  expect(first.stdout).toContain('Key')
  const abroad = await add(company, 'Second', '--postcode', '2000')
  expect(abroad).toMatchObject({ code: 2, stderr: expect.stringContaining(`${company} is a company in GB, not AU.`) })
  const made = 'select l.name, l.country from location l join company c on c.id = l.company_id where c.name = $1'
  expect(await asOwner(server, made, [company])).toEqual([{ name: 'First', country: 'GB' }])
})
