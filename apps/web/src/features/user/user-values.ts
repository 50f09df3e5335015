import type { User } from '@pillar/contract/access/user'
import type { SEXES } from '@pillar/domain/dispensing/category'

/** A user as the fields of its form. */
export const valuesOf = (user: User) => {
  const { dob, sex, middle_name, preferred_name, ...names } = user.person.personal_information
  return {
    ...{ ...names, username: user.name, email: user.email, version: user.version },
    ...{
      dob: dob ?? '',
      sex: (sex ?? '') as (typeof SEXES)[number] | '',
      middle_name: middle_name ?? '',
      preferred_name: preferred_name ?? '',
    },
    ...{ enterprise_login: user.enterprise_login, guild_login: user.guild_login },
    clinical_trials_login: user.clinical_trials_login,
    recruiter_id: user.recruiter?.recruiter_provider_id ?? '',
    names: user.recruiter ? { [user.recruiter.recruiter_provider_id]: user.recruiter.recruiter_provider_name } : {},
  }
}

/** The form in the call's format. */
export const inputOf = ({ uuid, login_id }: User, { username, names: _, ...values }: ReturnType<typeof valuesOf>) => ({
  ...values,
  ...{ name: username, uuid, login_id },
})
