import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startTestServer } from '../test/server.ts'
import type { Services } from './api/context.ts'
import { readEnv } from './env.ts'
import { startDemo } from './features/demo/demo-network.ts'
import {
  exampleSettings,
  keptLetters,
  misspeltSettings,
  noTemporaryFiles,
  plainDatabases,
  unusedSettings,
  warnOfHolidays,
} from './start-warnings.ts'

/** What a server starting on this day in Sydney logs about public holidays. */
function said(day: string): string[] {
  const lines: string[] = []
  const log = { warn: (line: string) => lines.push(line) }
  warnOfHolidays({ env: { COUNTRY: 'AU' }, log, now: () => new Date(`${day}T01:00:00Z`) } as unknown as Services)
  return lines
}

describe('the list of public holidays, which ends with 2028', () => {
  it('gives no warning at the start while half a year is left', () => {
    expect(said('2028-06-30')).toEqual([])
  })

  it.each(['2028-07-06', '2028-12-31', '2029-01-01'])('gives a warning from then on (%s)', (day) => {
    expect(said(day)).toEqual([
      'Public holidays are known up to 2028-12-31. Please renew apps/server/data/holidays.csv: after that no holiday is quiet.',
    ])
  })
})

it('settings of a feature that is not switched on are named: texts would go nowhere while everything looks set', () => {
  const named = (source: Record<string, string>) => unusedSettings(readEnv(source), source)
  expect(named({ TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`, TWILIO_AUTH_TOKEN_FILE: '' })).toEqual([
    'TWILIO_ACCOUNT_SID is set and has no effect: SMS_GATEWAY is simulator, not twilio.',
  ])
  expect(named({ S3_BUCKET: 'uploads', S3_REGION: 'x' })).toEqual([
    'S3_BUCKET, S3_REGION are set and have no effect: FILES is folder, not s3.',
  ])
  expect(named({ FILES: 's3', S3_BUCKET: 'uploads', SMS_HTTP_METHOD: '', PUBLIC_URL: 'http://a.example' })).toEqual([])
})

it('a setting that almost matches one of ours is named: a misspelt one has no effect', () => {
  for (const name of ['SMPT_URL', 'SMTPURL', 'SMTP_URLS', 'SMTP_UR', 'smtp_url', 'SNTP_URL'])
    expect(misspeltSettings({ [name]: 'x' })).toEqual([`${name} is no setting of Pillar: is SMTP_URL meant?`])
  expect(misspeltSettings({ SECRETS_FILE: 'x' })).toEqual([
    'SECRETS_FILE is no setting of Pillar: is SECRET_FILE meant?',
  ])
  const others = {
    PATH: 'x',
    HOME: 'x',
    HOSTNAME: 'x',
    TERM: 'x',
    SHELL: 'x',
    PWD: 'x',
    LANG: 'x',
    PGPORT: 'x',
    S3_URL: 'x',
  }
  expect(misspeltSettings(others)).toEqual([])
  expect(misspeltSettings({ SMTP_URL: 'x', SMTP_URL2: 'x', SECRET_FILE: 'x', SECRETS: 'x', DATADIR: '' })).toEqual([])
})

it('a warning says that letters reach nobody, if people come from elsewhere', () => {
  const said = (source: Record<string, string>) => keptLetters(readEnv(source))
  expect(said({ PUBLIC_URL: 'https://pillar.ours.example' })).toBe(
    'SMTP_URL is not set: letters, such as invitations and password resets, are kept in the database and reach nobody.',
  )
  expect(said({ PUBLIC_URL: 'https://pillar.ours.example', SMTP_URL: 'smtp://mail.ours.example' })).toBeNull()
  expect(said({ PUBLIC_URL: 'http://localhost:3000' })).toBeNull()
  expect(said({})).toBeNull()
  // Without the demo network nothing shows them, even on this machine.
  expect(said({ DEMO: 'none' })).toContain('reach nobody')
  expect(said({ DEMO: 'none', OUTBOX: 'on' })).toBeNull()
})

it('a folder for temporary files that is gone is named: downloads would fail with nothing but ENOENT', () => {
  expect(noTemporaryFiles(tmpdir())).toBeNull()
  expect(noTemporaryFiles(join(tmpdir(), 'pillar-nowhere'))).toMatch(
    /pillar-nowhere \(TMPDIR\), cannot be written \(ENOENT\)/,
  )
})

it('example values that people would see are named, if they come from elsewhere', () => {
  const own = { SUPPORT_PHONE: '02 5550 0100', SUPPORT_EMAIL: 'help@ours.example', SUPPORT_WEBSITE: 'ours.example' }
  const named = (source: Record<string, string>) => exampleSettings(readEnv(source))
  expect(named({ PUBLIC_URL: 'https://pillar.ours.example', SMTP_URL: 'smtp://mail.ours.example' })).toBe(
    "People still see an example's contacts. Set your own: MAIL_FROM, SUPPORT_PHONE, SUPPORT_EMAIL, SUPPORT_WEBSITE, PRIVACY_URL.",
  )
  expect(named({ PUBLIC_URL: 'https://pillar.ours.example', COUNTRY: 'GB', ...own })).toContain(': PRIVACY_URL_GB.')
  expect(
    named({ PUBLIC_URL: 'https://pillar.ours.example', PRIVACY_URL: 'https://ours.example/privacy', ...own }),
  ).toBeNull()
  expect(named({ PUBLIC_URL: 'http://localhost:3000' })).toBeNull()
  expect(named({})).toBeNull()
})

it('an empty installation reached from elsewhere gets no demo network unasked, because everybody knows its passwords', async () => {
  const server = await startTestServer({ env: { PUBLIC_URL: 'https://pillar.example' } })
  try {
    const said: string[] = []
    const services = { ...server.services, env: { ...server.services.env, DEMO: undefined } }
    expect(await startDemo(services, 'http://127.0.0.1:1', (line) => void said.push(line), server.ownerUrl)).toBe(null)
    expect(said).toEqual([
      'No demo network is made: everybody knows its passwords, and PUBLIC_URL is https://pillar.example. Set DEMO=none, or DEMO=small to make one all the same.',
    ])
  } finally {
    await server.close()
  }
})

it('a warning names each database that is reached over a network without TLS, unless that was said to be right', () => {
  const said = (source: Record<string, string>) => plainDatabases(readEnv(source), source)
  const [plain, owner] = ['postgres://s:p@db.ours.example/pillar', 'postgres://o:p@10.0.0.5:5432/pillar']
  expect(said({ DATABASE_URL: plain })).toBe(
    "DATABASE_URL leads to another machine without TLS, so patients' records cross the network in the clear. Add ?sslmode=verify-full to it, or ?sslmode=disable if nobody else can listen there.",
  )
  expect(said({ DATABASE_URL: `${plain}?sslmode=verify-full`, DATABASE_OWNER_URL: owner })).toMatch(
    /^DATABASE_OWNER_URL leads /,
  )
  expect(said({ DATABASE_URL: plain, DATABASE_OWNER_URL: owner })).toMatch(
    /^DATABASE_URL and DATABASE_OWNER_URL lead .* to each, /,
  )
  expect(said({ DATABASE_REPLICA_URL: plain })).toMatch(/^DATABASE_REPLICA_URL leads /)
  for (const place of ['localhost', '127.0.0.1:5433', '[::1]', '%2Frun%2Fpostgresql'])
    expect(said({ DATABASE_URL: `postgres://s:p@${place}/pillar` }), place).toBeNull()
  for (const place of ['localhost/pillar?host=/run/postgresql', '/pillar'])
    expect(said({ DATABASE_URL: `postgres://${place}` }), place).toBeNull()
  expect(said({ DATABASE_URL: 'postgres://s:p@localhost/pillar?host=10.0.0.5' })).toMatch(/^DATABASE_URL leads /)
  for (const more of ['sslmode=disable', 'sslmode=verify-full', 'ssl=true'])
    expect(said({ DATABASE_URL: `${plain}?${more}` }), more).toBeNull()
  expect(said({ DATABASE_URL: plain, PGSSLMODE: 'verify-full' })).toBeNull()
  expect(said({})).toBeNull()
})
