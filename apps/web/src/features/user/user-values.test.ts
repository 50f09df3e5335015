import { contract } from '@pillar/contract'
import type { User } from '@pillar/contract/access/user'
import { expect, test } from 'vitest'
import { inputOf, valuesOf } from './user-values.ts'

const ids = { uuid: '0198c0de-0000-7000-8000-000000000001', login_id: '0198c0de-0000-7000-8000-000000000002' }
const recruiter_provider_id = '0198c0de-0000-7000-8000-000000000003'
const person = {
  ...{ first_name: 'Maeve', middle_name: 'Aoife', last_name: 'Tran', preferred_name: 'May' },
  ...{ dob: '1980-02-01', sex: 'Female' },
}
const access = { enterprise_login: true, guild_login: false, clinical_trials_login: true }
const user = {
  ...{ ...ids, name: 'maeve.tran', email: 'maeve@saltbush.example', version: 7, ...access },
  ...{
    person: { personal_information: person },
    recruiter: { recruiter_provider_id, recruiter_provider_name: 'Acme' },
  },
} as unknown as User

test('a user saved unchanged keeps everything: names, birth, access and recruiter', () => {
  expect(contract.user.edit.input.parse(inputOf(user, valuesOf(user)))).toEqual({
    ...{ ...ids, name: 'maeve.tran', email: 'maeve@saltbush.example', version: 7 },
    ...{ ...person, ...access, recruiter_id: recruiter_provider_id },
  })
})
