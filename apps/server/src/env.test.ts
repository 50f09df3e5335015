import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readEnv } from './env.ts'

it('the address of the boards is just a name: one with a path is refused with a sentence', () => {
  expect(readEnv({ BOARDS_URL: 'https://boards.pillar.example' }).BOARDS_URL).toBe('https://boards.pillar.example')
  expect(readEnv({ BOARDS_URL: 'https://boards.pillar.example:8443/' }).BOARDS_URL).toContain(':8443')
  for (const path of ['/boards', '/?a=1', '/#top'])
    expect(() => readEnv({ BOARDS_URL: `https://boards.pillar.example${path}` })).toThrow(
      `The setting BOARDS_URL is not usable: "https://boards.pillar.example${path}". It is a name of this server without a path, such as https://boards.example.com. See docs/operations.md.`,
    )
  expect(() => readEnv({ BOARDS_URL: 'https://somebody@boards.pillar.example' })).toThrow('BOARDS_URL')
})

it('a setting may be read from a mounted file, whose content is never printed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pillar-env-'))
  try {
    const file = (text: string) => {
      const path = join(folder, 'value')
      writeFileSync(path, text)
      return path
    }
    const secret = 's'.repeat(32)
    expect(readEnv({ SECRET_FILE: file(`${secret}\n`) }).SECRET).toBe(secret)
    const short = file('too short')
    expect(() => readEnv({ SECRET_FILE: short })).toThrow(`The setting SECRET is not usable: "${short}".`)
    expect(() => readEnv({ SECRET_FILE: file('\n') })).toThrow('is empty')
    expect(() => readEnv({ SECRET_FILE: join(folder, 'none') })).toThrow('cannot be read (ENOENT)')
    expect(() => readEnv({ SECRET_FILE: short, SECRET: secret })).toThrow('Both SECRET and SECRET_FILE are set.')
  } finally {
    rmSync(folder, { recursive: true })
  }
})

it('proxies are addresses and networks', () => {
  expect(readEnv({}).PROXIES).toEqual([])
  expect(readEnv({ PROXIES: '10.1.2.3, 172.16.0.0/12,fd00::/8' }).PROXIES).toEqual([
    '10.1.2.3',
    '172.16.0.0/12',
    'fd00::/8',
  ])
  expect(readEnv({ PROXIES: '10.1.2.3/32,fd00::1/128' }).PROXIES).toHaveLength(2)
  for (const wrong of ['proxy.example', '10.0.0.0/33', '10.0.0.0/8/8', '10.1.2.3,', '300.1.1.1', 'fd00::1::2'])
    expect(() => readEnv({ PROXIES: wrong }), wrong).toThrow('The setting PROXIES is not usable')
})

it('blanks and line ends around a value are ignored, and a blank value is not set', () => {
  const plain = readEnv({})
  for (const blank of [' ', '\r', '\t\n'])
    for (const name of ['PORT', 'SMS_PER_SECOND', 'EMAIL_PER_SECOND', 'UPLOAD_FREE_MB', 'DATA_DIR', 'HOST'] as const)
      expect(readEnv({ [name]: blank })[name], name).toBe(plain[name])
  const crlf = readEnv({ DATA_DIR: '/var/lib/pillar\r', MIGRATE: 'off\r', S3_BUCKET: ' uploads ' })
  expect([crlf.DATA_DIR, crlf.MIGRATE, crlf.S3_BUCKET]).toEqual(['/var/lib/pillar', 'off', 'uploads'])
  // Values sealed with it open with nothing else.
  const secret = `${'s'.repeat(32)} `
  expect(readEnv({ SECRET: secret }).SECRET).toBe(secret)
})

it.each([
  [{ PORT: 'http' }, '"http". It must be a number.'],
  [{ PORT: '70000' }, '"70000". It must be 65535 or less.'],
  [{ ETL_WORKERS: '1.5' }, '"1.5". It must be a whole number.'],
  [{ HEAVY_AT_ONCE: '0' }, '"0". It must be 1 or more.'],
  [{ DATABASE_URL: 'localhost' }, '"localhost". It must be an address that begins with postgres:// or postgresql://.'],
  [{ PUBLIC_URL: 'pillar' }, '"pillar". It must be an address that begins with http:// or https://.'],
  [
    { PUBLIC_URL: 'https://a.example/b' },
    '"https://a.example/b". It is a name without a path, such as https://pillar.example.com.',
  ],
  [
    { SMTP_URL: 'smtp://' },
    '"smtp://". It must name a mail server, such as smtp://user:password@mail.example.com:587.',
  ],
  [{ MAIL_FROM: 'Pillar' }, '"Pillar". It must be an email address, with or without a name before it in <>.'],
  [{ MAIL_FROM: 'Pillar <>' }, '"Pillar <>". It must be an email address, with or without a name before it in <>.'],
  [
    { SMTP_URL: 'http://mail.example' },
    '"http://mail.example". It must be an address that begins with smtp:// or smtps://.',
  ],
  [{ SUPPORT_EMAIL: 'nobody' }, '"nobody". It must be an email address.'],
  [{ SMS_SENDER: '4' }, '"4". It must have 3 characters or more.'],
])('a wrong value is reported in words a person understands: %j', (source, words) => {
  const [name] = Object.keys(source)
  expect(() => readEnv(source as Record<string, string>)).toThrow(
    `The setting ${name} is not usable: ${words} See docs/operations.md.`,
  )
})

it('a secret, alone or inside an address, is not printed', () => {
  expect(() => readEnv({ SECRET: 'hunter2' })).toThrow(
    'The setting SECRET is not usable: "(7 characters)". It must have 32 characters or more.',
  )
  expect(() => readEnv({ TWILIO_AUTH_TOKEN: 'hunter2' })).toThrow('"(7 characters)"')
  for (const name of ['DATABASE_URL', 'SMTP_URL'])
    expect(() => readEnv({ [name]: 'ftp://me:hunter2@host/x' })).toThrow('"ftp://…@host/x"')
})

it.each([
  ['me:hunter2@host:5432/x', '…@host:5432/x'],
  ['host=db user=me password=hunter2 dbname=x', 'host=db user=me password=… dbname=x'],
  ["host=db password='hun ter2' user=me", 'host=db password=… user=me'],
  ['http://host/x?user=me&password=hunter2&sslmode=require', 'http://host/x?user=me&password=…&sslmode=require'],
  ['host:4318?api-key=hunter2', 'host:4318?api-key=…'],
])('nor is a password in an address with another notation: %s', (address, shown) => {
  for (const name of ['DATABASE_URL', 'DATABASE_OWNER_URL', 'DATABASE_REPLICA_URL', 'SMTP_URL'])
    expect(() => readEnv({ [name]: address })).toThrow(`The setting ${name} is not usable: "${shown}". It must`)
})

it.each(['hun/ter2', 'hun#ter2', 'hun?ter2', 'hun@/ter2'])(
  'a password with a character that an address cannot contain is not printed, and the refusal says how to write it: %s',
  (password) => {
    for (const [name, scheme] of [
      ['DATABASE_URL', 'postgres'],
      ['SMTP_URL', 'smtp'],
    ] as const) {
      const read = () => readEnv({ [name]: `${scheme}://me:${password}@host/x` })
      expect(read).toThrow(
        /"\w+:\/\/…@host\/x"\. It must be an address .* Signs such as \/ # \? in a password are written as %2F %23 %3F\./,
      )
    }
  },
)

it('the sender of letters is an address, with or without a name', () => {
  for (const from of ['a@b.example', 'Pillar <a@b.example>', '"Pillar, of ours" <a@b.example>', '<a@b.example>'])
    expect(readEnv({ MAIL_FROM: from }).MAIL_FROM).toBe(from)
})

it.each(['"/var/lib/pillar"', "'/var/lib/pillar'", '~/pillar'])(
  'a data folder that only a shell would expand is refused, not created beside the program: %s',
  (folder) => {
    expect(() => readEnv({ DATA_DIR: folder })).toThrow(
      `The setting DATA_DIR is not usable: "${folder}". It must be a path without quotes around it and without ~. See docs/operations.md.`,
    )
    expect(readEnv({ DATA_DIR: `./of "ours" ~` }).DATA_DIR).toBe(`./of "ours" ~`)
  },
)
