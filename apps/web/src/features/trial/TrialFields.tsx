import { Button } from '@mantine/core'
import { contract } from '@pillar/contract'
import type { ClinicalTrial } from '@pillar/contract/trial/trial-admin'
import { LOCALES } from '@pillar/domain/time/locale'
import type { RecruiterType } from '@pillar/domain/trial/recruiter'
import { REBATE_TYPES } from '@pillar/domain/trial/trial'
import { useRead } from '../../api/client.ts'
import { useHomeCountry } from '../../frame/title.ts'
import type { Bind } from '../../kit/dialog/useFormDialog.ts'
import { notLoaded } from '../../kit/display/Loaded.tsx'
import {
  DayField,
  MoneyField,
  MultiSelectField,
  SelectField,
  TextAreaField,
  TextField,
} from '../../kit/form/fields.tsx'
import { LookupField } from '../../kit/form/LookupField.tsx'
import styles from './Trial.module.css'
import type { TrialValues } from './trial-values.ts'

const REBATES = [
  { value: '', label: 'Select' },
  ...Object.entries(REBATE_TYPES).map(([value, label]) => ({ value, label })),
]

interface TrialFieldsProps {
  f: Bind<TrialValues>
  values: TrialValues
  trial: ClinicalTrial | null
  product: string
  /** Opens the form of a new template; its argument adds the template to the selection. */
  onNewTemplate: (add: (id: string) => void) => void
}

/** A trial's description, partners, rebates and dates. */
export function TrialFields({ f, values, trial, product, onNewTemplate }: TrialFieldsProps) {
  const symbol = LOCALES[useHomeCountry()].currencySymbol
  const templates = f('template_ids', 'Templates')
  return (
    <>
      <TextField {...f('name', 'Name')} required data-autofocus />
      <TextAreaField {...f('note', 'Note')} rows={2} description="Internal note. Patients don’t see it." />
      <TextAreaField
        {...f('eligibility_criteria', 'Eligibility criteria')}
        required
        description="In words, for staff to read."
      />
      <div className={styles.pair}>
        <LookupField
          {...f('recruiter_id', 'Recruiter')}
          first={trial?.recruiter.name ?? ''}
          required
          useOptions={useRecruiters}
        />
        <LookupField
          {...f('provider_id', 'Provider')}
          first={trial?.provider.name ?? ''}
          required
          useOptions={useProviders}
        />
        <MoneyField {...f('refer_rebate', 'Referral rebate')} symbol={symbol} required />
        <MoneyField {...f('enroll_rebate', 'Enrolment rebate')} symbol={symbol} required />
        <MoneyField {...f('sr_refer_rebate', `${product} AI referral rebate`)} symbol={symbol} required />
        <MoneyField {...f('sr_enroll_rebate', `${product} AI enrolment rebate`)} symbol={symbol} required />
      </div>
      <SelectField
        {...f('rebate_type', 'Rebate type')}
        required
        options={REBATES}
        description="What rebates are paid for."
      />
      <MultiSelectField {...templates} {...useTemplates()} placeholder="None" maxLabels={2} />
      <div>
        <Button size="xs" onClick={() => onNewTemplate((id) => templates.onChange([...values.template_ids, id]))}>
          Create a template
        </Button>
      </div>
      <div className={styles.pair}>
        <DayField {...f('start_date', 'Start date')} description="If blank, starts on activation." />
        <DayField {...f('end_date', 'End date')} description="If blank, runs until deactivated." />
      </div>
    </>
  )
}

const useRecruiters = (term: string) => usePartners('recruiter', term)
const useProviders = (term: string) => usePartners('provider', term)

/** Recruiters or providers, searched by name: the first page. */
function usePartners(type: RecruiterType, name: string) {
  const read = useRead(contract.recruiterProvider.search, { name, recruiter_provider: type }, { keepPrevious: true })
  return {
    options: (read.data?.data ?? []).map((one) => ({ value: one.recruiter_provider_id, label: one.name })),
    read,
  }
}

/** Templates without a company, the only ones that can invite patients of every pharmacy. */
function useTemplates() {
  const read = useRead(contract.templateAdmin.search, { global_template: true, paginate: false })
  const options = (read.data?.results ?? []).map(({ uuid, name }) => ({ value: uuid, label: name }))
  return { options, failed: notLoaded('the templates', read) }
}
