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

const OFF = { sixty_day_signup: false, cloud_ecdr: false, ad_dashboard: false, supplier_dashboard: false }
const NEW = { company_name: '', username: '', email: '', first_name: '', last_name: '', password: '', ...OFF }

interface CompanyDialogProps {
  /** Null: a new one. */
  row: Company | null
  onClose: () => void
}

/** A company's name and features; a new one gets its first login as well. */
export function CompanyDialog({ row, onClose }: CompanyDialogProps) {
  return row ? <EditCompany row={row} onClose={onClose} /> : <CreateCompany onClose={onClose} />
}

const valuesOf = ({ name, sixty_day_signup, cloud_ecdr, ad_dashboard, supplier_dashboard, version }: Company) => ({
  ...{ name, sixty_day_signup, cloud_ecdr, ad_dashboard, supplier_dashboard, version },
})

function EditCompany({ row, onClose }: { row: Company; onClose: () => void }) {
  return (
    <FormDialog
      words={{ ...editing('company', 'Company Edited Successfully.'), button: 'Confirm' }}
      call={calls.edit}
      ask={({ name }) => ({
        title: `Update ${name}?`,
        consequence: 'Features that are switched off disappear from the company’s screens at the next sign-in.',
        button: 'Update company',
      })}
      initial={valuesOf(row)}
      input={(values) => ({ ...values, uuid: row.uuid })}
      check={companyProblems}
      latest={async () => valuesOf(await send(calls.info, { id: row.uuid }))}
      onClose={onClose}
    >
      {(f) => (
        <>
          <TextField {...f('name', 'Company name')} data-autofocus />
          {FEATURES.map(({ name, label }) => (
            <SwitchField key={name} {...f(name, label)} />
          ))}
        </>
      )}
    </FormDialog>
  )
}

function CreateCompany({ onClose }: { onClose: () => void }) {
  return (
    <FormDialog
      words={creating('company', 'Company Created Successfully')}
      call={calls.create}
      ask={({ company_name, username }) => ({
        title: `Create ${company_name}?`,
        consequence: `${username} can sign in at once and chooses a password of their own at the first sign-in.`,
        button: 'Create company',
      })}
      initial={NEW}
      input={(values) => values}
      check={(values) =>
        newCompanyProblems({ ...values, name: values.company_name }).map(({ field, words }) => ({
          field: field === 'name' ? ('company_name' as const) : field,
          words,
        }))
      }
      onClose={onClose}
    >
      {(f) => (
        <>
          <TextField {...f('company_name', 'Company name')} data-autofocus />
          <TextField {...f('username', 'Username')} description="Of the company’s first user." />
          <TextField {...f('email', 'Email')} />
          <TextField {...f('first_name', 'First name')} maxLength={100} />
          <TextField {...f('last_name', 'Last name')} maxLength={100} />
          <PasswordField {...f('password', 'Password')} />
          {FEATURES.map(({ name, label }) => (
            <SwitchField key={name} {...f(name, label)} />
          ))}
        </>
      )}
    </FormDialog>
  )
}
