import { expect, it } from 'vitest'
import { fakePatient } from './fake-patient-admin.ts'

it('takes a fake patient whose empty fields are null or empty text, as a form sends them', () => {
  const none = { mobile: null, email: null, address: null, medicare: null, dva: null, sms_nocontact_reason: '' }
  const more = { email_nocontact_reason: '', adherence_level: null, leaked_scripts: null, total_scripts: null }
  const patient = { id: -48213, first_name: 'Testa', last_name: null, ...none, ...more }
  const { data } = fakePatient.add.input.safeParse({ ...fakePatient.add.example, patient })
  expect(data?.patient).toEqual({
    ...{ id: -48213, first_name: 'Testa', last_name: '', mobile: '', email: '', address: '', medicare: '', dva: '' },
    ...{ sms_nocontact_reason: null, email_nocontact_reason: null, adherence_level: 5, loyalty_level: 5 },
    ...{ leaked_scripts: 0, total_scripts: 0 },
  })
})
