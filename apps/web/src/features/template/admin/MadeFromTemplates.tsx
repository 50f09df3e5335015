import { contract } from '@pillar/contract'
import { counted } from '@pillar/domain/text/sentence'
import { useRead } from '../../../api/client.ts'
import { Loaded } from '../../../kit/display/Loaded.tsx'
import type { Chosen } from './template-admin.ts'

/** Shown before recommended templates are changed or deleted: what it does, and what companies made from them. */
export function MadeFromTemplates({ chosen, children }: { chosen: Chosen; children: string }) {
  const read = useRead(contract.templateRecommendation.affected, chosen, { staleTime: 0 })
  return (
    <>
      <p>{children}</p>
      <Loaded read={read} what="where they are used" rows={2}>
        {({ companies, adopted, templates, campaigns }) => (
          <p className={templates === 0 ? 'muted' : undefined}>
            Offered to {counted(companies, 'company', 'companies')}.{' '}
            {templates === 0
              ? 'None has made a template from it yet.'
              : `${adopted} made ${counted(templates, 'template', 'templates')} from it, in ${counted(campaigns, 'active campaign', 'active campaigns')}. Those stay as they are.`}
          </p>
        )}
      </Loaded>
    </>
  )
}
