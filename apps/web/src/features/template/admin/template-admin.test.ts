import { expect, it } from 'vitest'
import { batchOf, changesOf, problemsOf, templates } from './template-admin.ts'

const flu = {
  name: 'Flu',
  type: 'sms' as const,
  message_kind: 'marketing' as const,
  subject: null,
  body: 'Hi, {Pharmacy Name}',
  version: 3,
  active: true,
}

it('a single template is edited as a whole, with its version', () => {
  const { values, differ, before, note } = batchOf({ rows: [flu] })
  expect([values.version, differ, note]).toEqual([3, [], ''])
  expect(changesOf(values, before)).toEqual({
    name: 'Flu',
    body: 'Hi, {Pharmacy Name}',
    subject: '',
    message_kind: 'marketing',
    communication_type: 'sms',
    version: 3,
  })
})

it('for several templates only equal fields are filled in, and blank ones stay unchanged', () => {
  const rows = [flu, { ...flu, name: 'Repeat', active: false, version: 1 }]
  const { values, differ, before, note } = batchOf({ rows })
  expect(note).toBe('Not all selected templates have the same name or active status.')
  expect([values.name, values.body, values.version]).toEqual(['', flu.body, null])
  expect(problemsOf(values, differ, 'company')).toEqual([])
  const kept = { name: null, body: null, subject: null, message_kind: null, communication_type: null, version: null }
  expect(changesOf(values, before)).toEqual(kept)
})

it('for several templates only changes are written, so what somebody else saves in one meanwhile stays', () => {
  const { values, before } = batchOf({
    rows: [
      { ...flu, subject: 'Flu' },
      { ...flu, subject: 'Flu', name: 'Repeat' },
    ],
  })
  const changed = changesOf({ ...values, type: 'both' }, before)
  expect(changed).toMatchObject({ body: null, subject: null, message_kind: null, communication_type: 'both' })
  expect(changesOf({ ...values, subject: ' ' }, before)).toMatchObject({ body: null, subject: '' })
})

it('a field in which they differ may stay blank, but what is typed there is checked', () => {
  const { values, differ } = batchOf({ rows: [flu, { ...flu, body: 'Come in, {Pharmacy Name}' }] })
  const words = (body: string) => problemsOf({ ...values, body }, differ, 'company').map((problem) => problem.words)
  expect([values.version, words(''), words('Come in')]).toEqual([
    ...[null, [], ['include {Pharmacy Name} in the message body']],
  ])
})

it('a field they have in common cannot be emptied', () => {
  const { values, differ } = batchOf({ rows: [flu, { ...flu, name: 'Repeat' }] })
  expect(problemsOf({ ...values, body: '' }, differ, 'company').map(({ words }) => words)).toEqual([
    'enter a message body',
    'include {Pharmacy Name} in the message body',
  ])
})

it('counts the selection, by ids or by filter', () => {
  expect(templates({ template_ids: ['a'] })).toBe('1 template')
  expect(templates({ filter: {}, expected_count: 23 })).toBe('23 templates')
})
