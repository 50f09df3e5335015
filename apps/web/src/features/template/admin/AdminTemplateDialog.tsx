import { contract } from '@pillar/contract'
import {
  type CompanyChoice,
  companyTemplateProblems,
  type TemplateUse,
  togglesOf,
} from '@pillar/domain/campaign/campaign-rule'
import { send, useRead } from '../../../api/client.ts'
import { FormDialog } from '../../../kit/dialog/FormDialog.tsx'
import { creating, editing } from '../../../kit/dialog/form-words.ts'
import { notLoaded } from '../../../kit/display/Loaded.tsx'
import { BatchNote } from '../../../kit/form/BatchNote.tsx'
import { MultiSelectField, SelectField } from '../../../kit/form/fields.tsx'
import { everyCompany, getsWords } from '../../company/company-words.ts'
import { TemplateFields } from '../TemplateFields.tsx'
import { EMPTY } from '../template-values.ts'
import { Affected } from './Affected.tsx'
import { batchOf, changesOf, type Edited, problemsOf, templates, valuesOf } from './template-admin.ts'

const calls = contract.templateAdmin
const CREATED = 'Template Created Successfully.'

/** Templates of companies or global ones, one or several. */
export function EditTemplates({ edited, use, onClose }: { edited: Edited; use: TemplateUse; onClose: () => void }) {
  const { values, differ, before, note } = batchOf(edited)
  const id = edited.rows.length === 1 ? edited.chosen.template_ids?.[0] : undefined
  return (
    <FormDialog
      size="M"
      keeps
      words={editing(edited.rows.length === 1 ? 'template' : 'templates', 'Template Updated Successfully.')}
      call={calls.edit}
      ask={(input) => ({
        title: `Update ${templates(input)}?`,
        consequence: <Affected chosen={edited.chosen}>Messages already queued won’t change.</Affected>,
        button: `Update ${templates(input)}`,
      })}
      initial={values}
      input={(now) => ({ ...edited.chosen, ...changesOf(now, before) })}
      check={(now) => problemsOf(now, differ, use)}
      {...(id ? { latest: async () => valuesOf(await send(calls.info, { id })) } : {})}
      onClose={(answer) => {
        if (answer) edited.clear()
        onClose()
      }}
    >
      {(f, now) => (
        <>
          <BatchNote>{note}</BatchNote>
          <TemplateFields f={f} values={now} use={use} />
        </>
      )}
    </FormDialog>
  )
}

/** A template without a company, for clinical trials and sequences. `onClose` gets the new one. */
export function CreateGlobalTemplate({ onClose }: { onClose: (made?: { id: string }) => void }) {
  const companies = useRead(contract.company.list, {}).data?.data.length
  return (
    <FormDialog
      size="M"
      keeps
      words={creating('global template', CREATED)}
      call={calls.createGlobal}
      ask={`Clinical trials and sequences of ${everyCompany(companies)} can use it once it is active.`}
      initial={EMPTY}
      input={(now) => ({
        ...changesOf(now, null),
        name: now.name,
        body: now.body,
        message_kind: now.message_kind || 'health_outreach',
      })}
      check={(now) => problemsOf(now, [], 'trial')}
      onClose={onClose}
    >
      {(f, now) => <TemplateFields f={f} values={now} use="trial" />}
    </FormDialog>
  )
}

const FOR_COMPANIES = { ...EMPTY, owner: 'enterprise', choice: 'specific' as CompanyChoice, companies: [] as string[] }

/** A template for the companies named, or for all of them. */
export function CreateCompanyTemplate({ onClose }: { onClose: () => void }) {
  const read = useRead(contract.company.list, {})
  const { data } = read
  const companies = data?.data ?? []
  return (
    <FormDialog
      size="M"
      keeps
      words={creating('company template', CREATED)}
      call={calls.create}
      ask={(input) => ({
        title: `Create ${input.name}?`,
        consequence:
          input.company_choice === 'all' && !data
            ? 'Every company gets it.'
            : getsWords(
                input.company_choice === 'all' ? companies.length : (input.companies?.length ?? 0),
                companies.length,
              ),
        button: 'Create template',
      })}
      initial={FOR_COMPANIES}
      input={({ owner, choice, companies: to, ...now }) => ({
        ...changesOf(now, null),
        name: now.name,
        body: now.body,
        message_kind: now.message_kind || 'health_outreach',
        enterprise_template: owner === 'enterprise',
        company_choice: choice,
        companies: choice === 'all' ? [] : to,
      })}
      check={({ choice, companies: to, ...now }) =>
        companyTemplateProblems({ ...now, ...togglesOf(now.type) }, choice, to.length)
      }
      onClose={onClose}
    >
      {(f, now) => (
        <>
          <SelectField {...f('owner', 'Type')} options={OWNERS} />
          <SelectField {...f('choice', 'Companies')} options={CHOICES} />
          {now.choice === 'specific' ? (
            <MultiSelectField
              {...f('companies', 'Selected companies')}
              placeholder={data ? 'None' : 'Loading…'}
              failed={notLoaded('the companies', read)}
              options={companies.map(({ uuid, name }) => ({ value: uuid, label: name }))}
            />
          ) : null}
          <TemplateFields f={f} values={now} />
        </>
      )}
    </FormDialog>
  )
}

const OWNERS = [
  { value: 'enterprise', label: 'Enterprise' },
  { value: 'pharmacy', label: 'Pharmacy' },
] as const
const CHOICES = [
  { value: 'specific', label: 'Specific companies' },
  { value: 'all', label: 'All companies' },
] as const
