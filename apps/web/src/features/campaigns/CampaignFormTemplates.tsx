import { template } from '@pillar/contract/template'
import { useRead } from '../../api/client.ts'
import { MultiSelect } from '../../kit/MultiSelect.tsx'
import type { CampaignDraft } from './campaign-draft.ts'

interface CampaignFormTemplatesProps {
  draft: CampaignDraft
  change: (part: Partial<CampaignDraft>) => void
  problem: string | undefined
}

/** What is sent. */
export function CampaignFormTemplates({ draft, change, problem }: CampaignFormTemplatesProps) {
  const list = useRead(template.list, {})
  const own = list.data?.templates ?? []
  return (
    <MultiSelect
      label="Templates"
      placeholder="Choose templates"
      options={own.map(({ template_id, name }) => ({ value: template_id, label: name }))}
      value={draft.templates.flatMap(({ template_id }) => template_id ?? [])}
      error={problem}
      onChange={(ids) =>
        change({
          templates: own
            .filter(({ template_id }) => ids.includes(template_id))
            .map(({ template_id, name, sms_template, email_template }) => ({
              template_id,
              template_recommendation_id: null,
              template_name: name,
              sms_template,
              email_template,
            })),
        })
      }
    />
  )
}
