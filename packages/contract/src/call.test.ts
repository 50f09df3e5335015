import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type Call, contract, partsOf, read, subjectOf, write } from './index.ts'

const input = z.object({ id: z.string(), key: z.string().optional() })
const rest = { path: '/api/x/{id}', about: 'x', example: { id: 'a' }, input, output: z.object({}) }
const calls = Object.entries(contract).flatMap(([group, members]) =>
  (Object.entries(members) as [string, Call][]).map(([name, call]) => ({ name: `${group}.${name}`, call })),
)

describe('the reach of a support call', () => {
  it('is demanded by the type, and by nothing else', () => {
    // @ts-expect-error a call of the support console says whose data it touches
    read({ ...rest, needs: 'sr_login' })
    // @ts-expect-error also where another flag will do
    write({ ...rest, needs: ['data_analytics', 'sr_login'] })
    // @ts-expect-error nobody else has a reach
    read({ ...rest, needs: 'data_analytics', reach: 'platform' })
    // @ts-expect-error nor an invented one
    read({ ...rest, needs: 'sr_login', reach: 'everything' })
    read({ ...rest, needs: 'sr_login', reach: 'platform' })
    read({ ...rest, needs: 'sr_login', reach: { company: (asked: { id: string }) => asked.id } })
    read({ ...rest, needs: ['data_analytics', 'ecdr'] })
    expect(calls.filter(({ call }) => [call.needs].flat().includes('sr_login') !== (call.reach !== undefined))).toEqual(
      [],
    )
  })
})

describe('what every call declares', () => {
  it('has an example that it takes itself', () => {
    const wrong = calls.filter(({ call }) => !call.input.safeParse(call.example).success)
    expect(wrong.map(({ name }) => name)).toEqual([])
    // @ts-expect-error an example is not left out
    read({ path: '/api/x', needs: 'public', about: 'x', input, output: z.object({}) })
    // @ts-expect-error and is of the input's own kind
    read({ ...rest, needs: 'public', example: { id: 1 } })
  })

  it('refreshes reads of the contract, and only a write does', () => {
    const known = new Set(calls.map(({ call }) => call))
    for (const { name, call } of calls) {
      const stale = call.refreshes?.() ?? []
      expect([name, stale.every((one) => one.kind === 'read' && known.has(one))]).toEqual([name, true])
      if (call.kind === 'read') expect([name, stale.length]).toEqual([name, 0])
    }
  })

  it('names secret parts that are in its path, and a path and method once', () => {
    for (const { call } of calls) expect(partsOf(call.path)).toEqual(expect.arrayContaining([...(call.secret ?? [])]))
    const places = calls.map(({ call }) => `${call.method ?? 'POST'} ${call.path}`)
    expect(new Set(places).size).toBe(places.length)
  })
})

describe('what a call is about', () => {
  const about = (more: Partial<Call>, given: unknown) =>
    subjectOf({ ...rest, needs: 'public', kind: 'write', ...more } as Call, given)

  it('is the first part of its path, or nothing yet', () => {
    expect(about({}, { id: 'a' })).toBe('a')
    expect(about({ path: '/api/x' }, { id: 'a' })).toBe(null)
  })
  it('is never a secret', () => {
    expect(about({ path: '/api/key/{key}/module/{id}', secret: ['key'] }, { key: 's3cret', id: 'm1' })).toBe('m1')
    expect(about({ path: '/api/key/{key}', secret: ['key'] }, { key: 's3cret' })).toBe(null)
  })
  it('is a list in any order, or a filter', () => {
    const { remove } = contract.templateAdmin
    const of = (given: object) => subjectOf(remove, remove.input.parse(given))
    const [a, b] = ['01980000-0000-7000-8000-00000000000a', '01980000-0000-7000-8000-00000000000b']
    expect(of({ template_ids: [b, a] })).toBe(of({ template_ids: [a, b] }))
    expect(of({ template_ids: [a] })).toBe(a)
    expect(of({ filter: { name: 'flu' } })).toBe(of({ filter: { name: 'flu' }, expected_count: 12 }))
    expect(of({ filter: { name: 'flu' } })).not.toBe(of({ filter: { name: 'fly' } }))
  })
})
