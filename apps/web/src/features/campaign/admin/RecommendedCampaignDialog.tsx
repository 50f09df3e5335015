import { contract } from '@pillar/contract'
import type { AdminCampaignRecommendation } from '@pillar/contract/campaign/campaign-recommendation-admin'
import { send, useRead } from '../../../api/client.ts'
import { FormDialog } from '../../../kit/dialog/FormDialog.tsx'
import { creating, editing } from '../../../kit/dialog/form-words.ts'
import type { Bind } from '../../../kit/dialog/useFormDialog.ts'
import { BatchNote } from '../../../kit/form/BatchNote.tsx'
import { TextAreaField } from '../../../kit/form/fields.tsx'
import type { Edited } from '../../../kit/list/bulk.ts'
import { useCountry } from '../../../session/session.ts'
import { everyCompany } from '../../company/company-words.ts'
import { CampaignFields } from './CampaignFields.tsx'
import {
  type CampaignValues,
  type Chosen,
  campaigns,
  changesOf,
  valuesOfRecommended,
  wireOf,
} from './campaign-admin.ts'
import { campaignForm } from './campaign-form.ts'
import { MadeFrom } from './MadeFrom.tsx'
import { TemplatesField } from './TemplatesField.tsx'

const calls = contract.campaignRecommendationAdmin
type Part = Partial<ReturnType<typeof wireOf>>

/** Templates by id; without company, pharmacies and holdout. */
const recommended = ({ templates, locations: _, no_holdout: __, ...rest }: Part) => ({
  ...rest,
  ...(templates ? { template_recommendations: templates.flatMap((one) => one.template_recommendation_id ?? []) } : {}),
})

interface DialogProps {
  /** Null for a new one. */
  edited: Edited<AdminCampaignRecommendation, Chosen> | null
  onClose: () => void
}

/** Creates a recommended campaign, or edits one or several. */
export function RecommendedCampaignDialog({ edited, onClose }: DialogProps) {
  const country = useCountry()
  const companies = useRead(contract.company.list, {}).data?.data.length
  const form = campaignForm({ edited, country, valuesOf: valuesOfRecommended, recommended: true })
  const { today, several, note, initial, check } = form
  const id = edited && !several ? edited.rows[0]?.campaign_recommendation_id : undefined
  const shared = {
    ...{ size: 'M' as const, keeps: true },
    ...{ initial, check },
    children: (f: Bind<CampaignValues>, now: CampaignValues) => (
      <>
        <BatchNote>{note}</BatchNote>
        <CampaignFields
          {...{ f, today, country, several }}
          values={now}
          about={<TextAreaField {...f('description', 'Description')} rows={2} />}
        >
          <TemplatesField {...f('templates', 'Templates')} of="recommended" onProblem={() => {}} />
        </CampaignFields>
      </>
    ),
  }
  if (!edited) {
    return (
      <FormDialog
        {...shared}
        words={creating('recommended campaign', 'Campaign created successfully')}
        call={calls.create}
        ask={({ name }) => ({
          title: `Recommend ${name}?`,
          consequence: `It is offered to ${everyCompany(companies)}. Nothing is sent until one of them activates it.`,
          button: 'Create recommended campaign',
        })}
        input={(now) => recommended(wireOf(now))}
        onClose={onClose}
      />
    )
  }
  return (
    <FormDialog
      {...shared}
      words={editing(several ? 'recommended campaigns' : 'recommended campaign', 'Campaign updated successfully')}
      call={calls.edit}
      ask={{
        title: `Update ${campaigns(edited.chosen)}?`,
        consequence: <MadeFrom chosen={edited.chosen}>Companies see the new version from now on.</MadeFrom>,
        button: `Update ${campaigns(edited.chosen)}`,
      }}
      input={(now) => ({
        ...edited.chosen,
        ...recommended(changesOf(now, initial, several)),
        version: now.version as number,
      })}
      done={({ ids }) => (several ? `${ids.length} Campaigns Updated Successfully` : 'Campaign updated successfully')}
      {...(id ? { latest: async () => valuesOfRecommended(await send(calls.info, { id })) } : {})}
      onClose={(answer) => {
        if (answer) edited.clear()
        onClose()
      }}
    />
  )
}
