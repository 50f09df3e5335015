import { contract } from '@pillar/contract'
import type { AdminCampaign, CampaignOutcome } from '@pillar/contract/campaign/campaign-admin'
import { useState } from 'react'
import { send, useRead } from '../../../api/client.ts'
import { FormDialog } from '../../../kit/dialog/FormDialog.tsx'
import { creating, editing } from '../../../kit/dialog/form-words.ts'
import type { Bind } from '../../../kit/dialog/useFormDialog.ts'
import { notLoaded } from '../../../kit/display/Loaded.tsx'
import { BatchNote } from '../../../kit/form/BatchNote.tsx'
import { MultiSelectField, SelectField } from '../../../kit/form/fields.tsx'
import { LookupField } from '../../../kit/form/LookupField.tsx'
import type { Edited } from '../../../kit/list/bulk.ts'
import { useCountry } from '../../../session/session.ts'
import type { todayOf } from '../../../shared/today.ts'
import { useCompanies } from '../../company/company-options.ts'
import { CampaignFields } from './CampaignFields.tsx'
import { type CampaignValues, type Chosen, campaigns, changesOf, valuesOf, wireOf } from './campaign-admin.ts'
import { campaignForm } from './campaign-form.ts'
import { TemplatesField } from './TemplatesField.tsx'

const calls = contract.campaignAdmin

interface CampaignDialogProps {
  /** Null for a new one. */
  edited: Edited<AdminCampaign, Chosen> | null
  /** Gets the refused campaigns if several were edited. */
  onClose: (refused?: readonly CampaignOutcome[]) => void
}

/** Creates a company's campaign, or edits one or several. */
export function CampaignDialog({ edited, onClose }: CampaignDialogProps) {
  const own = useCountry()
  const country = edited?.rows[0]?.country ?? own
  const { today, several, note, initial, check } = campaignForm({ edited, country, valuesOf, recommended: false })
  const id = edited && !several ? edited.rows[0]?.campaign_id : undefined
  const shared = {
    ...{ size: 'M' as const, keeps: true },
    ...{ initial, check },
    children: (f: Bind<CampaignValues>, now: CampaignValues) => (
      <>
        <BatchNote>{note}</BatchNote>
        <Fields f={f} values={now} row={edited?.rows[0] ?? null} several={several} today={today} />
      </>
    ),
  }
  if (!edited) {
    return (
      <FormDialog
        {...shared}
        words={creating('campaign', 'Campaign Created Successfully')}
        call={calls.create}
        ask="It is created inactive. Nothing is sent until it is activated."
        input={(now) => ({ ...wireOf(now), company_id: now.company_id, active: false })}
        onClose={() => onClose()}
      />
    )
  }
  return (
    <FormDialog
      {...shared}
      words={editing(several ? 'campaigns' : 'campaign', 'Campaign Updated Successfully')}
      call={calls.edit}
      ask={{
        title: `Update ${campaigns(edited.chosen)}?`,
        consequence: 'Messages already queued won’t change.',
        button: `Update ${campaigns(edited.chosen)}`,
      }}
      input={(now) => ({ ...edited.chosen, ...changesOf(now, initial, several), version: now.version as number })}
      done={({ updated }) => (several ? `${updated} Campaigns Updated Successfully` : 'Campaign Updated Successfully')}
      {...(id ? { latest: async () => valuesOf(await send(calls.info, { id })) } : {})}
      onClose={(answer) => {
        if (answer) edited.clear()
        onClose(answer?.outcomes.filter(({ done }) => !done))
      }}
    />
  )
}

const HOLDOUTS = [
  { value: 'company', label: 'The company’s share' },
  { value: 'none', label: 'Nobody' },
]

interface FieldsProps {
  f: Bind<CampaignValues>
  values: CampaignValues
  row: AdminCampaign | null
  several: boolean
  today: ReturnType<typeof todayOf>
}

/** The company, its pharmacies and its templates, among the fields every campaign has. With several campaigns they stay unchanged. */
function Fields({ f, values, row, several, today }: FieldsProps) {
  const own = useCountry()
  const [problem, setProblem] = useState('')
  const { company_id } = values
  const company = useRead(contract.company.info, { id: company_id }, { enabled: company_id !== '' })
  const pharmacies = useRead(contract.company.locations, { id: company_id }, { enabled: company_id !== '' })
  const [chosen, templates, locations] = [
    f('company_id', 'Company'),
    f('templates', 'Templates'),
    f('locations', 'Pharmacies'),
  ]
  const ofOne = company_id !== '' || row === null
  return (
    <CampaignFields
      f={f}
      values={values}
      today={today}
      country={row?.country ?? company.data?.country ?? own}
      several={several}
      about={
        row === null ? (
          <LookupField
            {...chosen}
            placeholder="Type a name"
            useOptions={useCompanies}
            onChange={(next: string) => {
              chosen.onChange(next)
              templates.onChange([])
              locations.onChange([])
              setProblem('')
            }}
          />
        ) : ofOne ? (
          <p className="muted">Company: {row.company}</p>
        ) : null
      }
    >
      {ofOne ? (
        <>
          <MultiSelectField
            {...locations}
            placeholder={company_id === '' ? 'Select a company first' : pharmacies.isPending ? 'Loading…' : 'None'}
            maxLabels={2}
            failed={notLoaded('the pharmacies', pharmacies)}
            options={pharmacies.data?.data.map(({ uuid, name }) => ({ value: uuid, label: name })) ?? []}
          />
          <TemplatesField
            {...templates}
            error={templates.error ?? (problem || undefined)}
            of={
              company_id === '' ? null : { uuid: company_id, name: company.data?.name ?? row?.company ?? 'The company' }
            }
            onProblem={setProblem}
          />
        </>
      ) : null}
      <SelectField
        {...f('holdout', 'Kept back at random')}
        description="Choose nobody for messages that patients’ health depends on."
        options={[...(several ? [{ value: '', label: 'As they are' }] : []), ...HOLDOUTS]}
      />
    </CampaignFields>
  )
}
