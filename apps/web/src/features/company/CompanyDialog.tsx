import { contract } from '@pillar/contract'
import type { Company } from '@pillar/contract/company-admin'
import { companyProblems, newCompanyProblems } from '@pillar/domain/company'
import { send } from '../../api/client.ts'
import { FormDialog } from '../../kit/dialog/FormDialog.tsx'
import { creating, editing } from '../../kit/dialog/form-words.ts'
import { PasswordField, SwitchField, TextField } from '../../kit/form/fields.tsx'

const calls = contract.company

export const FEATURES = [
  { name: 'sixty_day_signup', label: '60 Day Signup' },
  { name: 'cloud_ecdr', label: 'Cloud eCDR' },
  { name: 'ad_dashboard', label: 'Advertisement Dashboard' },
  { name: 'supplier_dashboard', label: 'Supplier Dashboard' },
] as const

const FLAGS_OFF = { sixty_day_signup: false, cloud_ecdr: false, ad_dashboard: false, supplier_dashboard: false }
const NEW = { company_name: '', username: '', email: '', first_name: '', last_name: '', password: '' }
const BLANK = { name: '', version: 0, ...FLAGS_OFF, ...NEW }
const valuesOf = (row: Company | null) => ({ ...BLANK, ...row })

/** A company's name and features; a new one (no row) gets its first user as well. */
export function CompanyDialog({ row, onClose }: { row: Company | null; onClose: () => void }) {
  return (
    <FormDialog
      words={
        row
          ? { ...editing('company', 'Company Edited Successfully.'), button: 'Confirm' }
          : creating('company', 'Company Created Successfully')
      }
      call={row ? calls.edit : calls.create}
      ask={
        row
          ? {
              title: `Update ${row.name}?`,
              consequence: 'What is switched off disappears from its screens.',
              button: 'Update company',
            }
          : {
              title: 'Create the company?',
              consequence: 'Its first user can sign in at once.',
              button: 'Create company',
            }
      }
      initial={valuesOf(row)}
      input={(values) => values}
      check={(now) =>
        row
          ? companyProblems(now)
          : newCompanyProblems({ ...now, name: now.company_name }).map(({ field, words }) => ({
              field: field === 'name' ? 'company_name' : field,
              words,
            }))
      }
      latest={async () => valuesOf(await send(calls.info, { id: row?.uuid ?? '' }))}
      onClose={onClose}
    >
      {(f) => (
        <>
          <TextField {...f(row ? 'name' : 'company_name', 'Company name')} data-autofocus />
          {row ? null : (
            <>
              <TextField {...f('username', 'Username')} description="Of the company’s first user." />
              <TextField {...f('email', 'Email')} />
              <TextField {...f('first_name', 'First name')} maxLength={100} />
              <TextField {...f('last_name', 'Last name')} maxLength={100} />
              <PasswordField {...f('password', 'Password')} />
            </>
          )}
          {FEATURES.map(({ name, label }) => (
            <SwitchField key={name} {...f(name, label)} />
          ))}
        </>
      )}
    </FormDialog>
  )
}
