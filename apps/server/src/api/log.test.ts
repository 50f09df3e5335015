import { globSync, readFileSync } from 'node:fs'
import { uploadKeyOf } from '@pillar/domain/upload/upload-key'
import { expect, test } from 'vitest'
import { openLog, placeOf, reasonOf } from './log.ts'

const KEY = uploadKeyOf(new Uint8Array(32).fill(99))

test('an upload key never reaches the log, whatever surrounds it', () => {
  const lines: string[] = []
  const log = openLog('trace', { write: (line) => void lines.push(line) })
  log.info({ key: KEY }, 'a field of its own')
  log.info({ request: { authorization: `Bearer ${KEY}` } }, 'a header')
  log.warn({ reason: `no pharmacy for ${KEY}` }, 'a reason')
  log.error(new Error(`refused ${KEY}`), `with ${KEY}`)
  log.child({ upload: KEY }).debug('a child')
  log.info({ argv: ['--key', KEY.slice(0, 50)] }, 'a cut one')
  expect(lines).toHaveLength(6)
  for (const line of lines) {
    expect(line).not.toContain(KEY.slice(14, 30))
    expect(JSON.parse(line)).toHaveProperty('level')
  }
  expect(lines[2]).toContain('no pharmacy for pillar_upload_[redacted]')
})

test('an object that is logged as a whole reveals nothing about a person or a request', () => {
  const lines: string[] = []
  const log = openLog('trace', { write: (line) => void lines.push(line) })
  log.info({ first_name: 'Canary', last_name: 'Canary', mobile: 'Canary', email: 'Canary', address: 'Canary' })
  log.info({ name: 'Canary', phone_number: 'Canary', password: 'Canary', token: 'Canary', key: 'Canary' })
  log.info({ body: { x: 'Canary' }, headers: { cookie: 'Canary' }, req: { url: 'Canary' }, res: { x: 'Canary' } })
  log.info({
    authorization: 'Canary',
    cookie: 'Canary',
    login: { password: 'Canary', email: 'Canary', mobile: 'Canary' },
  })
  log.info({ one: { key: 'Canary', authorization: 'Canary', cookie: 'Canary' } })
  log.error({ err: { detail: 'Canary', parameters: ['Canary'], where: 'Canary' } })
  expect(lines).toHaveLength(6)
  expect(lines.join('')).not.toContain('Canary')
})

test('the reason of a failure quotes neither a row of the database nor a text that could not be read', () => {
  const refused = Object.assign(new Error('(Canary) already exists'), {
    code: '23505',
    table: 'login',
    constraint: 'one',
  })
  const jsonError = new SyntaxError('Unexpected token "Canary"')
  expect([refused, jsonError, new Error('no room')].map(reasonOf)).toEqual([
    '23505 login one',
    'SyntaxError',
    'no room',
  ])
  const posing = new Error('Canary\n    at Canary (canary.ts:1:1)')
  expect(placeOf(posing)).toMatch(/^at .*log\.test\.ts/)
  expect(placeOf(posing)).not.toContain('Canary')
  expect(placeOf({ message: 'Canary', stack: 'another Canary'.slice(0, 7) })).toBe('')
})

test('no line of the server gives a field a name that the log hides: a count of emails is read as a count', () => {
  const lines: string[] = []
  const log = openLog('trace', { write: (line) => void lines.push(line) })
  const sources = globSync('src/**/*.ts', { cwd: new URL('../..', import.meta.url).pathname })
  const fields = sources
    .filter((file) => !file.endsWith('.test.ts'))
    .flatMap((file) => loggedFields(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')))
  expect(fields).toContain('upload')
  for (const field of new Set(fields)) log.info({ [field]: 'seen' })
  expect(lines.filter((line) => !line.includes('seen'))).toEqual([])
})

/** The fields of each object that a text of TypeScript logs, as far as the object itself has no inner one before them. */
const loggedFields = (source: string): string[] =>
  [...source.matchAll(/log\??\.(?:debug|info|warn|error)\(\s*\{([^}]*)\}/g)].flatMap(([, inside]) =>
    [...inside!.matchAll(/(?:^|,)\s*(\w+)\s*(?=[:,]|$)/g)].map(([, field]) => field!),
  )
