import type { Logger } from 'pino'
import { expect, it } from 'vitest'
import { repeat } from './repeat.ts'

it('a round that fails again and again for one reason is logged once, not each time', async () => {
  const lines: unknown[] = []
  let rounds = 0
  const log = { error: (about: unknown, what: string) => void lines.push([about, what]) } as unknown as Logger
  const stop = repeat({ log }, 'counting', 1, async () => {
    rounds++
    throw Object.assign(new Error('gone'), { code: rounds < 20 ? '08006' : '57014' })
  })
  await expect.poll(() => rounds).toBeGreaterThan(40)
  await stop()
  expect(lines).toEqual([
    [{ reason: '08006' }, 'counting'],
    [{ reason: '57014' }, 'counting'],
  ])
})
