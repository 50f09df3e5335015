import { type Call, contract } from '@pillar/contract'
import { everyCall } from '@pillar/contract/every-call'
import type { FastifyRequest } from 'fastify'
import { expect, it } from 'vitest'
import type { z } from 'zod'
import { parseInput } from './parse.ts'

const parse = (call: Call, body: object) =>
  parseInput(call, { body, params: {}, headers: { 'content-type': 'application/json' } } as unknown as FastifyRequest)

it('a cleared filter finds everything, as null or as empty text, in every list', () => {
  const lists = everyCall.filter(({ call }) => call.kind === 'read' && 'page' in (call.input as z.ZodObject).shape)
  const filters = lists.flatMap(({ call, name }) =>
    Object.entries((call.input as z.ZodObject).shape).flatMap(([field, schema]) =>
      (schema as z.ZodType).safeParse(null).success ? [{ call, field, what: `${field} of ${name}` }] : [],
    ),
  )
  const wrong = filters.filter(({ call, field }) => {
    const { [field]: _, ...rest } = call.example as Record<string, unknown>
    const asked = (value: '' | null) => parse(call, { ...rest, [field]: value })
    return JSON.stringify(asked('')) !== JSON.stringify(asked(null)) && (asked('') as never)[field] !== ''
  })
  expect(filters.length).toBeGreaterThan(60)
  expect(wrong.map(({ what }) => what)).toEqual([])
})

it('the filter of a bulk call is read like that of its list; a write’s own fields are not', () => {
  const { editActiveStatus, edit } = contract.campaignAdmin
  const bulk = { filter: { active: '', goal_type: '', name: '' }, active: false }
  expect(parse(editActiveStatus, bulk)).toEqual({
    filter: { active: null, goal_type: null, name: '', search_term: '' },
    active: false,
  })
  expect(() => parse(edit, { ...bulk, goal_type: '' })).toThrow('Goal type: please choose')
  expect(() => parse(contract.campaignAdmin.search, { goal_type: 'x', ['__proto__']: '' })).toThrow('Goal type')
})

it('a long list is inspected like any other even if the call accepts any browser data', () => {
  const { verify } = contract.secondFactor
  const with_ = (last: unknown) => ({
    passkey: { id: 'x', type: 'public-key', list: [...Array(130_000).fill(1), last] },
  })
  expect(parse(verify, with_(1))).toMatchObject({ passkey: { id: 'x' } })
  expect(() => parse(verify, with_('nul \0'))).toThrow('The request holds a character that cannot be stored.')
})
