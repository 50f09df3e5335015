import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { everyCall } from '../every-call.ts'
import { type Call, contract, partsOf, read, subjectOf, write } from '../index.ts'
import { chosenSubject, isChosen } from './chosen.ts'

const input = z.object({ id: z.string(), key: z.string().optional() })
const rest = { path: '/api/x/{id}', about: 'x', example: { id: 'a' }, input, output: z.object({}) }

describe('the reach of a support call', () => {
  it('is required by the type', () => {
    // @ts-expect-error a support call declares whose data it touches
    read({ ...rest, needs: 'sr_login' })
    // @ts-expect-error the same with a second flag
    write({ ...rest, needs: ['data_analytics', 'sr_login'] })
    // @ts-expect-error other calls have no reach
    read({ ...rest, needs: 'data_analytics', reach: 'platform' })
    // @ts-expect-error nor may the reach be an unknown one
    read({ ...rest, needs: 'sr_login', reach: 'everything' })
    read({ ...rest, needs: 'sr_login', reach: 'platform' })
    read({ ...rest, needs: 'sr_login', reach: { company: (asked: { id: string }) => asked.id } })
    read({ ...rest, needs: 'sr_login', reach: { location: (asked: { id: string }) => asked.id } })
    // @ts-expect-error nor may it name a company beside the pharmacy: a pharmacy belongs to only one
    read({ ...rest, needs: 'sr_login', reach: { pharmacy: (asked: { id: string }) => asked.id } })
    read({ ...rest, needs: ['data_analytics', 'ecdr'] })
    expect(
      everyCall.filter(({ call }) => [call.needs].flat().includes('sr_login') !== (call.reach !== undefined)),
    ).toEqual([])
  })
})

describe('every call', () => {
  it('accepts its own example', () => {
    const wrong = everyCall.filter(({ call }) => !call.input.safeParse(call.example).success)
    expect(wrong.map(({ name }) => name)).toEqual([])
    // @ts-expect-error an example is required
    read({ path: '/api/x', needs: 'public', about: 'x', input, output: z.object({}) })
    // @ts-expect-error and it has the type of the input
    read({ ...rest, needs: 'public', example: { id: 1 } })
  })

  it('refreshes reads only if it writes, and only reads of the contract', () => {
    const known = new Set(everyCall.map(({ call }) => call))
    for (const { name, call } of everyCall) {
      const stale = call.refreshes?.() ?? []
      expect([name, stale.every((one) => one.kind === 'read' && known.has(one))]).toEqual([name, true])
      if (call.kind === 'read') expect([name, stale.length]).toEqual([name, 0])
    }
  })

  it('has its secret parts in the path, and a unique path and method', () => {
    for (const { call } of everyCall)
      expect(partsOf(call.path)).toEqual(expect.arrayContaining([...(call.secret ?? [])]))
    const places = everyCall.map(({ call }) => `${call.method ?? 'POST'} ${call.path}`)
    expect(new Set(places).size).toBe(places.length)
  })
})

describe('the subject of a call', () => {
  const about = (more: Partial<Call>, given: unknown) =>
    subjectOf({ ...rest, needs: 'public', kind: 'write', ...more } as Call, given)

  it('is the first part of its path, or null', () => {
    expect(about({}, { id: 'a' })).toBe('a')
    expect(about({ path: '/api/x' }, { id: 'a' })).toBe(null)
  })
  it('is what the call itself names: one object, several in any order, or nothing yet', () => {
    expect(about({ subject: () => 'the company' }, { id: 'a' })).toBe('the company')
    expect(about({ subject: () => ['b', 'a'] }, { id: 'a' })).toBe('a,b')
    expect(about({ subject: () => null }, { id: 'a' })).toBe(null)
  })
  it('is never a secret', () => {
    expect(about({ path: '/api/key/{key}/module/{id}', secret: ['key'] }, { key: 's3cret', id: 'm1' })).toBe('m1')
    expect(about({ path: '/api/key/{key}', secret: ['key'] }, { key: 's3cret' })).toBe(null)
  })
  it('is a sorted list or a filter', () => {
    const { remove } = contract.templateAdmin
    const of = (given: object) => subjectOf(remove, remove.input.parse(given))
    const [a, b] = ['01980000-0000-7000-8000-00000000000a', '01980000-0000-7000-8000-00000000000b']
    expect(of({ template_ids: [b, a] })).toBe(of({ template_ids: [a, b] }))
    expect(of({ template_ids: [a] })).toBe(a)
    expect(of({ filter: { name: 'flu' } })).toBe(of({ filter: { name: 'flu' }, expected_count: 12 }))
    expect(of({ filter: { name: 'flu' } })).not.toBe(of({ filter: { name: 'fly' } }))
    const [once, again] = ['2026-11-20T03:14:00Z', '2026-11-20T03:15:00Z'].map((removed_at) =>
      chosenSubject({ removed_at }),
    )
    expect(once).not.toBe(again)
  })
  it('is chosen in one way only: by ids, by a filter, or by what was deleted at once', () => {
    const [ids, filter, removed_at] = [{ template_ids: ['a'] }, { filter: {} }, { removed_at: '2026-11-20T03:14:00Z' }]
    expect([ids, filter, removed_at].map(isChosen)).toEqual([true, true, true])
    const unclear = [
      {},
      { template_ids: [] },
      { ...ids, ...filter },
      { ...ids, ...removed_at },
      { ...filter, ...removed_at },
    ]
    expect(unclear.map(isChosen)).toEqual([false, false, false, false, false])
  })
})
