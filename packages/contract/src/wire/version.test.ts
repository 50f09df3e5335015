import { expect, test } from 'vitest'
import { z } from 'zod'
import { everyCall } from '../every-call.ts'

/** Calls that change something another person may be editing: `…/edit`, `…/edit/enterprise`, `…/save`. */
const edits = everyCall.filter(({ call }) => /\/(?:edit|save)(?:\/|$)/.test(call.path))

test('some calls edit', () => {
  expect(edits.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['template.edit', 'campaign.edit', 'sending.saveRules']),
  )
})

test.each(edits)('$name accepts the version the editor loaded, and works without one', ({ call }) => {
  const { shape } = call.input as z.ZodObject
  expect(call.input).toBeInstanceOf(z.ZodObject)
  for (const fine of [3, null, undefined]) expect([fine, shape.version?.safeParse(fine).success]).toEqual([fine, true])
  for (const wrong of ['3', 1.5, {}]) expect([wrong, shape.version?.safeParse(wrong).success]).toEqual([wrong, false])
})
