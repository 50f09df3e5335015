import { contract } from '@pillar/contract'
import type { Company } from '@pillar/contract/company/company-admin'
import { companyProblems, newCompanyProblems } from '@pillar/domain/company/company'
import type { Country } from '@pillar/domain/time/locale'
import { send } from '../../api/client.ts'
import { FormDialog } from '../../kit/dialog/FormDialog.tsx'
import { creating, editing } from '../../kit/dialog/form-words.ts'
import { PasswordField, SelectField, SwitchField, TextField } from '../../kit/form/fields.tsx'
import { useCountry } from '../../session/session.ts'
import { firstSignIn } from '../user/user-words.ts'
import { COUNTRY_OPTIONS } from './company-options.ts'

const calls = contract.company

export const FEATURES = [
  { name: 'sixty_day_signup', label: '60 Day Signup' },
  { name: 'cloud_ecdr', label: 'Cloud eCDR' },
  { name: 'ad_dashboard', label: 'Advertisement Dashboard' },
  { name: 'supplier_dashboard', label: 'Supplier Dashboard' },
] as const

const OFF = { sixty_day_signup: false, cloud_ecdr: false, ad_dashboard: false, supplier_dashboard: false }
const FIRST_USER = { username: '', email: '', first_name: '', last_name: '', password: '' }
const valuesOf = (row: Company | null, country: Country) => ({
  ...{ name: '', country, version: 0, ...OFF, ...FIRST_USER },
  ...row,
})

/** 60 day dispensing exists in Australia only. */
const featuresOf = (country: Country) => FEATURES.filter(({ name }) => country === 'AU' || name !== 'sixty_day_signup')

/** A company's name and features; a new one (no row) also gets its country and first user. */
export function CompanyDialog({ row, onClose }: { row: Company | null; onClose: (saved?: Company) => void }) {
  const own = useCountry()
  const edited = { ...editing('company', 'Company Edited Successfully.'), button: 'Confirm' }
  return (
    <FormDialog
      words={row ? edited : creating('company', 'Company Created Successfully')}
      call={row ? calls.edit : calls.create}
      ask={
        row
          ? 'What is switched off disappears from its screens.'
          : (input: { password?: string | null }) => ({
              title: 'Create company?',
              consequence: firstSignIn('Its first user', input.password),
              button: 'Create company',
            })
      }
      initial={valuesOf(row, own)}
      input={(values) => ({
        ...values,
        company_name: values.name,
        sixty_day_signup: values.country === 'AU' && values.sixty_day_signup,
      })}
      check={row ? companyProblems : newCompanyProblems}
      latest={async () => valuesOf(await send(calls.info, { id: row?.uuid ?? '' }), own)}
      onClose={(saved) => onClose(saved)}
    >
      {(f, { country }) => (
        <>
          <TextField {...f('name', 'Company name')} data-autofocus />
          {row ? null : (
            <>
              <SelectField
                {...f('country', 'Country')}
                description="It decides currency, dates and addresses, and cannot be changed later."
                options={COUNTRY_OPTIONS}
              />
              <TextField {...f('username', 'Username')} description="Of the company’s first user." />
              <TextField {...f('email', 'Email')} />
              <TextField {...f('first_name', 'First name')} maxLength={100} />
              <TextField {...f('last_name', 'Last name')} maxLength={100} />
              <PasswordField
                {...f('password', 'Password')}
                description="If blank, the first user chooses one with the one-time link in the email. A password you set must be changed at the first sign-in."
              />
            </>
          )}
          {featuresOf(country).map(({ name, label }) => (
            <SwitchField key={name} {...f(name, label)} />
          ))}
        </>
      )}
    </FormDialog>
  )
}
