import type { AskOf } from '@pillar/contract'
import type { fakePatient } from '@pillar/contract/message/fake-patient-admin'
import { reasonText } from '@pillar/domain/cohort/held-back'
import {
  FAKE_LEVEL_DEFAULT,
  type FakePatientDraft,
  fakePatientProblems,
  NO_CONTACT_REASONS,
  type NoContactReason,
} from '@pillar/domain/message/fake-patient'
import type { Problem } from '@pillar/domain/text/sentence'

/** The form's fields; figures as typed. */
export interface FakeValues extends Record<string, unknown> {
  id: number
  first_name: string
  last_name: string
  age: string
  sex: '' | 'Male' | 'Female'
  mobile: string
  email: string
  address: string
  medicare: string
  dva: string
  adherence_level: string
  loyalty_level: string
  leaked_scripts: string
  total_scripts: string
  sms_nocontact_reason: '' | NoContactReason
  email_nocontact_reason: '' | NoContactReason
}

/** The initial values of a new fake patient. */
export const newFakeValues = (id: number): FakeValues => ({
  ...{ id, first_name: '', last_name: '', age: '', sex: '', mobile: '', email: '', address: '', medicare: '', dva: '' },
  ...{ adherence_level: String(FAKE_LEVEL_DEFAULT), loyalty_level: String(FAKE_LEVEL_DEFAULT) },
  ...{ leaked_scripts: '0', total_scripts: '0', sms_nocontact_reason: '', email_nocontact_reason: '' },
})

const figure = (typed: string) => (typed.trim() === '' ? Number.NaN : Number(typed))

const numbersOf = (values: FakeValues) => ({
  age: values.age.trim() === '' ? null : figure(values.age),
  adherence_level: figure(values.adherence_level),
  loyalty_level: figure(values.loyalty_level),
  leaked_scripts: figure(values.leaked_scripts),
  total_scripts: figure(values.total_scripts),
})

/** What is wrong with the form. */
export function fakeProblems(values: FakeValues): Problem<keyof FakePatientDraft>[] {
  return fakePatientProblems({ ...values, ...numbersOf(values) })
}

/** The form in the format of the call. */
export function fakeInput(id: string, values: FakeValues): AskOf<typeof fakePatient.add> {
  const { sex, sms_nocontact_reason, email_nocontact_reason } = values
  return {
    id,
    patient: {
      ...values,
      ...numbersOf(values),
      sex: sex || null,
      sms_nocontact_reason: sms_nocontact_reason || null,
      email_nocontact_reason: email_nocontact_reason || null,
    },
  }
}

/** Why a test holds their messages back: nothing, or a reason that applies to real patients. */
export const reasonOptions = (channel: 'sms' | 'email') => [
  { value: '', label: 'None: they are messaged' },
  ...NO_CONTACT_REASONS.map((value) => ({ value, label: reasonText(value, channel) })),
]
