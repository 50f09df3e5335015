import { contract } from '@pillar/contract'
import { counted } from '@pillar/domain/text/sentence'
import { useRead } from '../../../api/client.ts'
import { Failed, Loading } from '../../../kit/display/states.tsx'
import type { Chosen } from './template-admin.ts'

/** Before recommended templates are changed or withdrawn: what it does, and what companies made from them. */
export function MadeFromTemplates({ chosen, children }: { chosen: Chosen; children: string }) {
  const read = useRead(contract.templateRecommendation.affected, chosen, { staleTime: 0 })
  const { companies = 0, adopted = 0, templates = 0, campaigns = 0 } = read.data ?? {}
  return (
    <>
      <p>{children}</p>
      {read.isPending ? (
        <Loading rows={2} />
      ) : read.error ? (
        <Failed title="Could not load where they are used" error={read.error} onRetry={() => void read.refetch()} />
      ) : (
        <p className={templates === 0 ? 'muted' : undefined}>
          Offered to {counted(companies, 'company', 'companies')}.{' '}
          {templates === 0
            ? 'None has made a template from it yet.'
            : `${adopted} made ${counted(templates, 'template', 'templates')} from it, in ${counted(campaigns, 'active campaign', 'active campaigns')}. Those stay as they are.`}
        </p>
      )}
    </>
  )
}
