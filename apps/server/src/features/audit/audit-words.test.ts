import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { everyCall } from '@pillar/contract/every-call'
import { actionWords } from '@pillar/domain/audit/action-words'
import { describe, expect, it } from 'vitest'

const SERVER = new URL('../..', import.meta.url).pathname

describe('the audit’s wording', () => {
  it('covers every write, and every read inside one company or pharmacy', () => {
    const logged = everyCall.flatMap(({ name, call }) =>
      call.kind === 'write' || typeof call.reach === 'object' ? [name] : [],
    )
    expect(logged.length).toBeGreaterThan(30)
    // Words come from packages/domain/src/audit/action-words.ts: a noun and a verb, or a complete sentence.
    expect(logged.filter((name) => actionWords(name) === null)).toEqual([])
  })

  it('covers every action that a handler or a job records itself', () => {
    const files = readdirSync(SERVER, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /(?<!\.test)\.ts$/.test(name),
    )
    const texts = files.map((name) => readFileSync(join(SERVER, name), 'utf8'))
    const groups = new Set(everyCall.map(({ name }) => name.split('.')[0]!))
    const actions = texts
      .filter((text) => /record(Audit|InLogs)\(/.test(text))
      .flatMap((text) => [...text.matchAll(/'([a-zA-Z\d]+)[.]([\w.-]+)'/g)])
      .flatMap(([, group = '', act]) => (groups.has(group) ? [`${group}.${act}`] : []))
    expect(actions.length).toBeGreaterThan(15)
    expect(actions.filter((action) => actionWords(action) === null)).toEqual([])
  })
})
