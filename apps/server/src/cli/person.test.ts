import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeCompany } from '../../test/people.ts'
import { bareEnv } from '../../test/running-pillar.ts'
import { startTestServer, type TestServer } from '../../test/server.ts'

const run = promisify(execFile)
let server: TestServer
let company: string

beforeAll(async () => {
  server = await startTestServer()
  company = (await makeCompany(server)).name
})
afterAll(() => server.close())

const person = (...more: string[]) =>
  run(process.execPath, [fileURLToPath(new URL('person.ts', import.meta.url)), 'add', ...more], {
    env: { ...process.env, DATABASE_URL: server.ownerUrl },
  })
const someone = (username: string) => [
  '--username',
  username,
  '--email',
  `${username}@mail.example`,
  '--first',
  'Ada',
  '--last',
  'Hill',
]

describe('npm run person', () => {
  it('creates a person who can sign in, with only the permissions given', async () => {
    const { stdout } = await person('--company', company, ...someone('ada'), '--may', 'data_analytics')
    const password = /shown once\): (\S+)/.exec(stdout)?.[1]
    const reply = await server.call('/api/enterprise-login', { name: 'ada', password })
    expect(reply.status).toBe(200)
    expect(reply.body).toMatchObject({
      must_change_password: true,
      data_analytics: true,
      sr_login: false,
      first_name: 'Ada',
      company: { name: company },
    })
  })

  it.each([
    ['a name that is taken', ['--username', 'ADA', '--may', 'ecdr'], 'already has that username'],
    ['an unknown company', ['--company', 'Nobody', '--may', 'ecdr'], 'no company named Nobody'],
    ['an unknown flag', ['--may', 'everything'], 'not everything'],
    ['no flag', [], 'what the person may open'],
    ['an address that is none', ['--email', 'ben.mail.example', '--may', 'ecdr'], 'Please enter a valid email address'],
    ['a name that is another’s address', ['--username', 'ada@mail.example', '--may', 'ecdr'], 'a username without @'],
  ])('refuses %s in one sentence', async (_what, more, sentence) => {
    const failed = await person('--company', company, ...someone('ben'), ...more).catch(
      (error: unknown) => error as { code: number; stderr: string },
    )
    expect(failed).toMatchObject({ code: 2, stderr: expect.stringContaining(sentence) })
  })
})

it.each(['pharmacy', 'migrate', 're-erase'])(
  'npm run %s -- --help explains its usage, and does nothing',
  async (name) => {
    // Nothing listens there: any database access would fail.
    const env = { ...bareEnv(), DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing' }
    const { stdout } = await run(process.execPath, [fileURLToPath(new URL(`${name}.ts`, import.meta.url)), '--help'], {
      env,
    })
    expect(stdout).toMatch(new RegExp(`^npm run ${name}\\b`))
  },
)

it.each([
  [['--postcode', '22044'], 'An Australian postcode has four digits: 22044'],
  [['--postcode', '0042'], '0042 is in no state that is known: give --state.'],
  [['--postcode', '1000', '--country', 'US'], 'An American postcode has five digits: 1000'],
  [['--postcode', '00000', '--country', 'US'], '00000 is a postcode that is not known: give --state, such as CA.'],
  [
    ['--postcode', '00000', '--country', 'US', '--state', 'Nowhere'],
    '00000 is a postcode that is not known: give --state, such as CA.',
  ],
])('npm run pharmacy -- add %j creates none whose time zone would be a guess', async (more, sentence) => {
  const words = ['add', '--company', 'Our Group', '--name', 'Our Pharmacy', ...more]
  const failed = await run(process.execPath, [fileURLToPath(new URL('pharmacy.ts', import.meta.url)), ...words], {
    env: { ...bareEnv(), DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing' },
  }).catch((error: unknown) => error as { code: number; stderr: string })
  expect(failed).toMatchObject({ code: 2, stderr: `${sentence}\n` })
})

it('npm run pharmacy -- add accepts an unknown postcode with the state, which gives the time zone', async () => {
  const words = ['add', '--company', 'Our Group', '--name', 'Our Pharmacy', '--postcode', '00000', '--state', 'CA']
  const asked = await run(
    process.execPath,
    [fileURLToPath(new URL('pharmacy.ts', import.meta.url)), ...words, '--country', 'US'],
    { env: { ...bareEnv(), DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing' } },
  ).catch((error: unknown) => error as { stderr: string })
  expect(asked.stderr).toContain('Pillar cannot enter the database that DATABASE_URL names')
})
