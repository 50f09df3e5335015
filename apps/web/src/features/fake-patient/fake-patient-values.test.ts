import { fakePatient } from '@pillar/contract/message/fake-patient-admin'
import { expect, test } from 'vitest'
import { fakeInput, fakeProblems, newFakeValues } from './fake-patient-values.ts'

const named = { ...newFakeValues(-7), first_name: 'Testa', last_name: 'Person' }

test('a new fake patient has level 5 and nobody’s number, and the call accepts it', () => {
  expect(fakeProblems(named)).toEqual([])
  const input = fakeInput('01980000-0000-7000-8000-00000000000b', named)
  expect(input.patient).toMatchObject({ id: -7, age: null, sex: null, adherence_level: 5, mobile: '' })
  expect(fakePatient.add.input.safeParse(input).success).toBe(true)
})

test('text in place of a number is reported', () => {
  const fields = fakeProblems({ ...named, age: 'x', total_scripts: '', loyalty_level: '6' }).map(({ field }) => field)
  expect(fields).toEqual(['age', 'loyalty_level', 'total_scripts'])
})

test('each channel has its own reason', () => {
  const patient = (more: object) => fakeInput('a', { ...named, ...more }).patient
  expect(patient({ sms_nocontact_reason: 'opted_out' })).toMatchObject({
    ...{ sms_nocontact_reason: 'opted_out', email_nocontact_reason: null },
  })
  expect(patient({ email_nocontact_reason: 'deceased' })).toMatchObject({
    ...{ sms_nocontact_reason: null, email_nocontact_reason: 'deceased' },
  })
})
