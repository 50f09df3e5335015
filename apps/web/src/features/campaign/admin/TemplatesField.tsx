import { Button } from '@mantine/core'
import { contract } from '@pillar/contract'
import type { AdminTemplate } from '@pillar/contract/template/template-admin'
import type { AdminTemplateRecommendation } from '@pillar/contract/template/template-recommendation-admin'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { usePages } from '../../../api/pages.ts'
import type { Bound } from '../../../kit/dialog/useFormDialog.ts'
import { Icon } from '../../../kit/display/Icon.tsx'
import { type Found, LookupManyField } from '../../../kit/form/LookupManyField.tsx'
import type { SelectOption } from '../../../kit/form/multi-select-model.ts'
import { InlineTemplate, type InlineTemplateFor } from '../../template/admin/InlineTemplate.tsx'
import styles from './CampaignAdmin.module.css'

interface TemplatesFieldProps extends Bound {
  /** The company whose templates are offered; null until one is selected, 'recommended' for recommended templates only. */
  of: InlineTemplateFor | null
  /** The refusal, shown beside the field. */
  onProblem: (words: string) => void
}

/** What a campaign sends: templates found on the server, page by page, or a new one created here. */
export function TemplatesField({ of, onProblem, ...field }: TemplatesFieldProps) {
  const [making, setMaking] = useState(false)
  const company = of !== null && of !== 'recommended' ? of.uuid : null
  const [term, setTerm] = useState('')
  const found = useTemplateOptions(term, company, of !== null)
  const chosen: readonly SelectOption[] = field.value
  return (
    <>
      <LookupManyField
        {...field}
        placeholder={of === null ? 'Select a company first' : 'None'}
        maxLabels={2}
        found={found}
        onSearch={setTerm}
        beside={
          <div className={styles.beside}>
            <Button
              variant="subtle"
              size="xs"
              leftSection={<Icon of={Plus} />}
              onClick={() => (of === null ? onProblem('Please select a company first') : setMaking(true))}
            >
              Create template
            </Button>
          </div>
        }
      />
      {making && of !== null ? (
        <InlineTemplate
          of={of}
          onClose={(made) => {
            setMaking(false)
            if (made) field.onChange([...chosen, made])
          }}
        />
      ) : null}
    </>
  )
}

/** The company's own templates page by page, followed by the recommended ones. */
function useTemplateOptions(term: string, company: string | null, enabled: boolean): Found {
  const own = usePages(
    contract.templateAdmin.search,
    { search_term: term, company, enterprise_template: true },
    ({ results }) => results,
    ({ uuid }: AdminTemplate) => uuid,
    { enabled: enabled && company !== null },
  )
  const read = company === null || (!own.loading && !own.more && !own.error)
  const recommended = usePages(
    contract.templateRecommendation.list,
    { search_term: term },
    ({ templates }) => templates,
    (row: AdminTemplateRecommendation) => row.template_recommendation_id,
    { enabled: enabled && read },
  )
  const options = [
    ...(company === null ? [] : own.rows).map(({ uuid, name, active }) => ({
      ...{ value: `own:${uuid}`, label: name },
      ...(active ? {} : { note: 'Inactive' }),
    })),
    ...(read ? recommended.rows : []).map(({ template_recommendation_id: id, name }) => ({
      ...{ value: `recommended:${id}`, label: name },
      ...(company === null ? {} : { note: 'Recommended' }),
    })),
  ]
  const failed = own.error ? own : recommended
  const growing = company !== null && own.more ? own : recommended
  return {
    options: enabled ? options : [],
    more: growing.more ? growing.loadMore : null,
    isFetching: own.loading || own.loadingMore || recommended.loading || recommended.loadingMore,
    failed: { error: failed.error, refetch: failed.retry },
  }
}
