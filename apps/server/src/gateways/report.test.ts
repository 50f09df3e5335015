import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import type { HandOver } from './gateway.ts'
import { reporting } from './report.ts'

describe('a gateway that accepts no messages', () => {
  it('is logged once per minute and kind, without recipients', async () => {
    const lines: Record<string, unknown>[] = []
    const log = pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) })
    let [time, answer] = [0, { kind: 'accepted', gatewayRef: 'x' } as HandOver]
    const plain = { name: 'http', send: async (messages: readonly string[]) => messages.map(() => answer) }
    const gateway = reporting(plain, log, () => time)
    await gateway.send(['a'])
    expect(lines).toEqual([])
    answer = { kind: 'later', seconds: 1, reason: '450 <ada@example.com>: try +61 491 570 157 or 0491570157 later' }
    expect(await gateway.send(['a', 'b'])).toEqual([answer, answer])
    await gateway.send(['c'])
    time = 60_000
    await gateway.send(['d', 'e'])
    answer = { kind: 'unknown', reason: 'It hung' }
    await gateway.send(['f'])
    expect(lines.map(({ gateway: name, messages, reason }) => [name, messages, reason])).toEqual([
      ['http', 2, '450 <…>: try … or … later'],
      ['http', 3, '450 <…>: try … or … later'],
      ['http', 1, 'It hung'],
    ])
  })
})
