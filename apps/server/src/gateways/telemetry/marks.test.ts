import { expect, test } from 'vitest'
import { attributesOf } from './marks.ts'
import type { Marks } from './trace.ts'

test('only marks of the list are sent, as our own words and as numbers (T37)', () => {
  expect(attributesOf({ call: 'upload.send', status: 200, error: '55P03', run: 7 })).toEqual({
    'pillar.call': 'upload.send',
    'http.response.status_code': 200,
    'error.type': '55P03',
    'pillar.run.id': 7,
  })
  for (const told of ['Ada Hill', 'ada@mail.example', '0477123987', 'x'.repeat(61), '/u/abc', ''])
    expect(attributesOf({ call: told, gateway: told, outcome: told }), told).toEqual({})
  const others = { name: 'Ada', company: 'Ada', run: '0477123987', rows: Number.NaN } as unknown as Marks
  expect(attributesOf(others)).toEqual({})
})
