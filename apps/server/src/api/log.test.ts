import { uploadKeyOf } from '@pillar/domain/upload/upload-key'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { LOG_HOOKS, REDACT } from './log.ts'

const KEY = uploadKeyOf(new Uint8Array(32).fill(99))

test('an upload key never reaches the log, whatever surrounds it', () => {
  const lines: string[] = []
  const log = pino(
    { level: 'trace', redact: REDACT, hooks: LOG_HOOKS, base: null },
    { write: (line) => void lines.push(line) },
  )
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
