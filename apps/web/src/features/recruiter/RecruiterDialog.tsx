import { contract } from '@pillar/contract'
import type { RecruiterProvider } from '@pillar/contract/trial/recruiter-admin'
import { RECRUITER_TYPES, type RecruiterType, recruiterProblems } from '@pillar/domain/trial/recruiter'
import { send } from '../../api/client.ts'
import { FormDialog } from '../../kit/dialog/FormDialog.tsx'
import { creating, editing } from '../../kit/dialog/form-words.ts'
import { SelectField, TextAreaField, TextField } from '../../kit/form/fields.tsx'

const calls = contract.recruiterProvider
const NOTHING = { name: '', description: '', recruiter_or_provider: '' as RecruiterType | '', logo_url: '', phone: '' }
const valuesOf = (row: RecruiterProvider | null) => ({
  ...{ ...NOTHING, email: '', website: '', privacy_policy_url: '', version: 0 },
  ...row,
})
const TYPES = [
  { value: '', label: 'Select' },
  ...Object.entries(RECRUITER_TYPES).map(([value, label]) => ({ value, label })),
]

interface RecruiterDialogProps {
  /** Null for a new one. */
  row: RecruiterProvider | null
  onClose: () => void
}

/** A recruiter, who looks for patients for clinical trials, or a provider, who runs them. */
export function RecruiterDialog({ row, onClose }: RecruiterDialogProps) {
  const id = row?.recruiter_provider_id ?? ''
  return (
    <FormDialog
      words={
        row
          ? editing('recruiter/provider', 'Recruiter/Provider Info Updated Successfully')
          : creating('recruiter/provider', 'Recruiter/Provider Created Successfully')
      }
      call={row ? calls.edit : calls.create}
      ask={row ? 'Patients see the new details on the consent pages of its trials.' : 'Trials can then choose it.'}
      initial={valuesOf(row)}
      input={({ recruiter_or_provider, ...values }) => ({
        ...values,
        recruiter_provider_id: id,
        recruiter_or_provider: recruiter_or_provider || null,
      })}
      check={recruiterProblems}
      latest={async () => valuesOf(await send(calls.info, { recruiter_provider_id: id }))}
      onClose={onClose}
    >
      {(f) => (
        <>
          <TextField {...f('name', 'Name')} required data-autofocus />
          <TextAreaField
            {...f('description', 'Eligibility criteria')}
            description="Whom its trials look for, in general."
            required
          />
          <SelectField {...f('recruiter_or_provider', 'Type')} required options={TYPES} />
          <TextField
            {...f('logo_url', 'Logo URL')}
            description="Starts with https://. Shown on the consent page."
            required
          />
          <TextField {...f('phone', 'Phone')} required />
          <TextField {...f('email', 'Email')} required />
          <TextField {...f('website', 'Website')} description="Starts with https://." required />
          <TextField
            {...f('privacy_policy_url', 'Privacy policy URL')}
            description="Starts with https://. Patients read it before they answer."
            required
          />
        </>
      )}
    </FormDialog>
  )
}
