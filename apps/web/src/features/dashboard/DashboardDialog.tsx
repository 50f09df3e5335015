import { contract, type ReplyOf } from '@pillar/contract'
import type { AdminDashboard } from '@pillar/contract/dashboard-admin'
import {
  DASHBOARD_TYPES,
  type DashboardType,
  dashboardProblems,
  productNames,
} from '@pillar/domain/dashboard/dashboard'
import { send, useRead } from '../../api/client.ts'
import { FormDialog } from '../../kit/dialog/FormDialog.tsx'
import { creating, editing } from '../../kit/dialog/form-words.ts'
import { ReadDialog } from '../../kit/dialog/ReadDialog.tsx'
import { SelectField, SwitchField, TextAreaField, TextField } from '../../kit/form/fields.tsx'
import { LookupField } from '../../kit/form/LookupField.tsx'
import { useCompanies } from '../company/company-options.ts'

const calls = contract.dashboard
export const TYPES = Object.entries(DASHBOARD_TYPES).map(([value, label]) => ({ value, label }))
const SELECT = { value: '', label: 'Select' }
const STAGES = [SELECT, { value: 'yes', label: 'Production' }, { value: 'no', label: 'Not production' }]

const valuesOf = (row: AdminDashboard | null, domain_url: string) => ({
  name: row?.name ?? '',
  company_id: row?.company_id ?? '',
  dashboard_type: (row?.dashboard_type ?? '') as DashboardType | '',
  dashboard_id: row?.dashboard_id ?? '',
  domain_url: row?.domain_url ?? domain_url,
  production: row === null || row.production ? 'yes' : 'no',
  products: (row?.products ?? []).join('\n'),
  active: row?.active ?? true,
  names: row ? { [row.company_id]: row.company } : {},
  version: row?.version ?? 0,
})
type Values = ReturnType<typeof valuesOf>

const sent = ({ company_id, dashboard_type, production, products, names: _, ...values }: Values) => ({
  ...values,
  products: productNames(products),
  company_id: company_id || null,
  dashboard_type: dashboard_type || null,
  production: production === '' ? null : production === 'yes',
})

interface DashboardDialogProps {
  /** Null for a new one. */
  row: AdminDashboard | null
  onClose: () => void
}

/** A company's dashboard, or a new one. */
export function DashboardDialog(props: DashboardDialogProps) {
  const { title } = wordsOf(props.row)
  return (
    <ReadDialog title={title} read={useRead(calls.options, {})} what="the form" onClose={props.onClose}>
      {(options) => <DashboardForm {...props} options={options} />}
    </ReadDialog>
  )
}

const wordsOf = (row: AdminDashboard | null) =>
  row ? editing('dashboard', 'Dashboard Updated Successfully') : creating('dashboard', 'Dashboard Created Successfully')

function DashboardForm({ row, options, onClose }: DashboardDialogProps & { options: ReplyOf<typeof calls.options> }) {
  const { hosts, domain_url } = options
  const id = row?.id ?? ''
  return (
    <FormDialog
      words={wordsOf(row)}
      call={row ? calls.edit : calls.create}
      ask="Only the selected company sees it, under Analytics, while it is active."
      initial={valuesOf(row, domain_url)}
      input={(values) => ({ id, ...sent(values) })}
      check={(values) => dashboardProblems({ ...sent(values), company_id: values.company_id }, hosts)}
      latest={async () => valuesOf(await send(calls.info, { id }), domain_url)}
      onClose={onClose}
    >
      {(f) => (
        <>
          <TextField {...f('name', 'Dashboard name')} data-autofocus />
          <LookupField {...f('company_id', 'Company')} first={row?.company ?? ''} useOptions={useCompanies} />
          <SelectField {...f('dashboard_type', 'Dashboard type')} options={[SELECT, ...TYPES]} />
          <TextField
            {...f('dashboard_id', 'Dashboard ID')}
            description="The UUID under which the analytics server embeds it."
          />
          <TextField {...f('domain_url', 'Domain URL')} description={`https, on ${hosts.join(' or ')}.`} />
          <TextAreaField
            {...f('products', 'Own products')}
            description="For a supplier: what its product names begin with, one per line. Pillar’s boards compare them with the rest of the class."
          />
          <SelectField {...f('production', 'Production status')} options={STAGES} />
          <SwitchField {...f('active', 'Active')} />
        </>
      )}
    </FormDialog>
  )
}
