import { type Call, contract } from '@pillar/contract'
import { everyCall } from '@pillar/contract/every-call'
import { issueSentence } from '@pillar/contract/wire/wording'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { around, inputSchema } from './every-call-values.ts'

/** Words of validators and programmers. */
const JARGON =
  /invalid|expected|received|undefined|\bnull\b|\bNaN\b|too (small|big)|unrecogni[sz]ed|zod|regex|pattern|enum|\[object|[{}|<>]|>=|<=/i

const told = (call: Call, body: unknown): string[] => {
  const parsed = call.input.safeParse(body, { error: issueSentence })
  return parsed.success ? [] : parsed.error.issues.map((issue) => issue.message)
}
/** Removes one field at a time, and puts nonsense in its place. */
const spoilt = (call: Call): unknown[] => {
  const keys = Object.keys(inputSchema(call).properties ?? {})
  const nonsense = [
    undefined,
    null,
    1,
    -1,
    1e12,
    '',
    'x'.repeat(50_000),
    true,
    [],
    {},
    [[]],
    [{}],
    [null],
    '31/12/2026',
  ]
  return keys.flatMap((key) => nonsense.map((value) => ({ ...(call.example as object), [key]: value })))
}

describe('bad input', () => {
  it('is refused with sentences, never with validator messages', () => {
    const wrong = new Set<string>()
    let sentences = 0
    for (const { name, call } of everyCall) {
      const random = fc.sample(around(inputSchema(call), ['not-a-uuid']), { numRuns: 50, seed: 7 })
      for (const body of [{}, ...spoilt(call), ...random]) {
        for (const message of told(call, body)) {
          sentences++
          // A field's name is allowed.
          if (JARGON.test(message.replace(/^[^:]*: /, '')) || !/^[A-Z].*[.]$/.test(message))
            wrong.add(`${name}: ${message}`)
        }
      }
    }
    expect([...wrong]).toEqual([])
    expect(sentences).toBeGreaterThan(5_000)
  })

  it('has the specification’s sentence if there is one', () => {
    const said = 'Username and password are required.'
    for (const body of [{}, { name: 'x' }, { name: '', password: '' }, { name: 5, password: null }]) {
      expect(told(contract.session.login, body)[0]).toBe(said)
    }
    expect(told(contract.report.messageHistory, { from: '2026-10-01', to: '2026-10-31' })).toEqual([
      'Please select at least one pharmacy.',
    ])
  })

  it('says which field, what is missing and how much is too much', () => {
    const { create, search } = contract.company
    expect(told(create, { company_name: 'x'.repeat(201) })).toEqual([
      'Company name: please use at most 200 characters.',
    ])
    expect(told(create, { cloud_ecdr: 'yes' })).toEqual(['Cloud ecdr: please choose yes or no.'])
    expect(told(search, { sort_field: 'x' })).toEqual([
      'Sort field: please choose name, created_at, locations, or logins.',
    ])
    expect(told(contract.templateAdmin.remove, { template_ids: [] })).toEqual(['Please select at least one template.'])
  })
})
