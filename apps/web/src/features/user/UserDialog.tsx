import { contract } from '@pillar/contract'
import type { User } from '@pillar/contract/access/user'
import { newUserProblems, PERSON_NAME_LIMIT, userProblems } from '@pillar/domain/access/user'
import { SEXES } from '@pillar/domain/dispensing/category'
import { formatDay } from '@pillar/domain/time/day'
import { send } from '../../api/client.ts'
import { FormDialog } from '../../kit/dialog/FormDialog.tsx'
import { creating, editing } from '../../kit/dialog/form-words.ts'
import { DayField, PasswordField, SelectField, SwitchField, TextField } from '../../kit/form/fields.tsx'
import { LookupField } from '../../kit/form/LookupField.tsx'
import { useCountry } from '../../session/session.ts'
import { todayOf } from '../../shared/today.ts'
import { useCompanies } from '../company/company-options.ts'
import { ResetPassword } from './ResetPassword.tsx'
import { useRecruiters } from './useRecruiters.ts'
import { inputOf, valuesOf } from './user-values.ts'
import { firstSignIn } from './user-words.ts'

const calls = contract.user

interface UserDialogProps {
  /** Null for a new one. */
  user: User | null
  /** The company of a new user, if the screen knows it. */
  company?: { uuid: string; name: string }
  /** Gets the new user, if one was created. */
  onClose: (made?: User) => void
}

/** A user: the login, its permissions, and the person. */
export function UserDialog({ user, company, onClose }: UserDialogProps) {
  return user ? (
    <EditUser user={user} onClose={() => onClose()} />
  ) : (
    <CreateUser company={company ?? null} onClose={onClose} />
  )
}

const NEW = {
  ...{ company_id: '', username: '', email: '', first_name: '', last_name: '', password: '' },
  ...{ enterprise_login: true, account_creation_email: true },
}

function CreateUser({
  company,
  onClose,
}: {
  company: { uuid: string; name: string } | null
  onClose: (made?: User) => void
}) {
  return (
    <FormDialog
      words={creating('user', 'User Created Successfully')}
      call={calls.create}
      ask={({ password }) => ({
        title: 'Create user?',
        consequence: firstSignIn('They', password),
        button: 'Create user',
      })}
      initial={{ ...NEW, company_id: company?.uuid ?? '' }}
      input={(values) => values}
      check={newUserProblems}
      onClose={(answer) => onClose(answer?.data)}
    >
      {(f) => (
        <>
          {company ? null : (
            <LookupField
              {...f('company_id', 'Company')}
              placeholder="Find a company"
              useOptions={useCompanies}
              data-autofocus
            />
          )}
          <TextField {...f('username', 'Username')} data-autofocus={company ? true : undefined} />
          <TextField {...f('email', 'Email')} />
          <TextField {...f('first_name', 'First name')} maxLength={PERSON_NAME_LIMIT} />
          <TextField {...f('last_name', 'Last name')} maxLength={PERSON_NAME_LIMIT} />
          <PasswordField
            {...f('password', 'Password')}
            description="If blank, they choose one with the link in the email. A password you set must be changed at the first sign-in."
          />
          <SwitchField {...f('enterprise_login', 'Enterprise login')} description="Opens the head office’s pages." />
          <SwitchField
            {...f('account_creation_email', 'Account creation email')}
            description="Carries a one-time link to choose a password, never the password."
          />
        </>
      )}
    </FormDialog>
  )
}

function EditUser({ user, onClose }: { user: User; onClose: () => void }) {
  const today = formatDay(todayOf(useCountry()))
  const sexes = [{ value: '', label: 'Not given' }, ...SEXES.map((sex) => ({ value: sex, label: sex }))]
  return (
    <FormDialog
      words={editing('user', 'User Edited Successfully.')}
      call={calls.edit}
      ask="If the email address changes, the old address is notified. Access that is switched off ends at once."
      initial={valuesOf(user)}
      input={(values) => inputOf(user, values)}
      check={(values) => userProblems(values, today)}
      latest={async () => valuesOf(await send(calls.info, { uuid: user.uuid }))}
      onClose={onClose}
    >
      {(f, { clinical_trials_login }) => (
        <>
          <TextField {...f('username', 'Username')} data-autofocus />
          <TextField {...f('email', 'Email')} />
          <TextField {...f('first_name', 'First name')} maxLength={PERSON_NAME_LIMIT} />
          <TextField {...f('middle_name', 'Middle name')} maxLength={PERSON_NAME_LIMIT} />
          <TextField {...f('last_name', 'Last name')} maxLength={PERSON_NAME_LIMIT} />
          <TextField {...f('preferred_name', 'Preferred name')} maxLength={PERSON_NAME_LIMIT} />
          <DayField {...f('dob', 'Date of birth')} />
          <SelectField {...f('sex', 'Sex')} options={sexes} />
          <SwitchField {...f('enterprise_login', 'Enterprise login')} description="Opens the head office’s pages." />
          <SwitchField {...f('guild_login', 'Guild login')} />
          <SwitchField {...f('clinical_trials_login', 'Clinical trials login')} />
          {clinical_trials_login ? (
            <LookupField
              {...f('recruiter_id', 'Recruiter or provider')}
              first={user.recruiter?.recruiter_provider_name ?? ''}
              placeholder="Find a recruiter or provider"
              useOptions={useRecruiters}
            />
          ) : null}
          <ResetPassword user={user} />
        </>
      )}
    </FormDialog>
  )
}
