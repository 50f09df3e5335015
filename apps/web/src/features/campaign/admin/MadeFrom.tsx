import { contract } from '@pillar/contract'
import { counted } from '@pillar/domain/text/sentence'
import { useRead } from '../../../api/client.ts'
import { Loaded } from '../../../kit/display/Loaded.tsx'
import type { Chosen } from './campaign-admin.ts'

/** Shown before recommended campaigns are changed or deleted: what it does, and what companies made from them. */
export function MadeFrom({ chosen, children }: { chosen: Chosen; children: string }) {
  const read = useRead(contract.campaignRecommendationAdmin.affected, chosen, { staleTime: 0 })
  return (
    <>
      <p>{children}</p>
      <Loaded read={read} what="where they are used" rows={2}>
        {({ companies, adopted, campaigns, active }) =>
          campaigns === 0 ? (
            <p className="muted">
              Offered to {counted(companies, 'company', 'companies')}. None has made a campaign from it yet.
            </p>
          ) : (
            <p>
              {adopted} of {counted(companies, 'company', 'companies')} made{' '}
              {counted(campaigns, 'campaign', 'campaigns')} from it, {active} of them active. Those stay as they are.
            </p>
          )
        }
      </Loaded>
    </>
  )
}
