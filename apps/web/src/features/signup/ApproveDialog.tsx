import { contract } from '@pillar/contract'
import type { Signup } from '@pillar/contract/company/signup-admin'
import { newCompanyProblems } from '@pillar/domain/company/company'
import { addressLine } from '@pillar/domain/pharmacy/address'
import { GUILD_ACCESS_UNTIL, startsWithoutGuild } from '@pillar/domain/signup/signup'
import { softwareWarning } from '@pillar/domain/signup/signup-software'
import { isolated } from '@pillar/domain/text/sentence'
import { formatDay } from '@pillar/domain/time/day'
import { FormDialog } from '../../kit/dialog/FormDialog.tsx'
import { dayOf } from '../../kit/display/dates.ts'
import { SwitchField, TextField } from '../../kit/form/fields.tsx'
import { useCountry } from '../../session/session.ts'
import { todayOf } from '../../shared/today.ts'

/** Turns a sign-up into an account in one step: company, pharmacy with an upload key, and login. */
export function ApproveDialog({ row, onClose }: { row: Signup; onClose: () => void }) {
  const country = useCountry()
  const { first_name, last_name, email } = row
  return (
    <FormDialog
      words={{
        ...{ title: 'Create account', button: 'Create account', busy: 'Creating...', done: 'Account created' },
        what: 'this account',
      }}
      call={contract.signupAdmin.approve}
      ask={`${row.pharmacy_name} becomes a company with one pharmacy, and ${first_name} ${last_name} can sign in. An email to ${email} says so.`}
      initial={{
        name: row.pharmacy_name,
        username: row.username,
        no_guild_consent: startsWithoutGuild(formatDay(todayOf(country))),
      }}
      input={({ name, ...values }) => ({ ...values, company_name: name, uuid: row.uuid })}
      check={({ name, username }) =>
        newCompanyProblems({ name, username, email, first_name, last_name }).filter(
          (one): one is typeof one & { field: 'name' | 'username' } => one.field === 'name' || one.field === 'username',
        )
      }
      onClose={() => onClose()}
    >
      {(f) => (
        <>
          <p>
            {isolated(row.pharmacy_name)}, {addressLine(row)}. Call {row.pharmacy_phone} if you are not sure that it
            exists.
          </p>
          {row.sources.map((key) => (softwareWarning(key) ? <p key={key}>{softwareWarning(key)}</p> : null))}
          <TextField {...f('name', 'Company name')} data-autofocus />
          <TextField
            {...f('username', 'Username')}
            description={`Of ${first_name} ${last_name}, ${email}.`}
            maxLength={254}
          />
          <SwitchField
            {...f('no_guild_consent', 'No Guild consent')}
            description={`Leave it on unless the owner asked to be in the Guild’s figures: its access was stated until ${dayOf(country, GUILD_ACCESS_UNTIL)}.`}
          />
        </>
      )}
    </FormDialog>
  )
}
