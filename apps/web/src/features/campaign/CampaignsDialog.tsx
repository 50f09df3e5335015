import { campaign as calls } from '@pillar/contract/campaign/campaign'
import { useState } from 'react'
import { useRead } from '../../api/client.ts'
import { usePages } from '../../api/pages.ts'
import type { DialogProps } from '../../frame/dialog-address.ts'
import { WideDialog } from '../../kit/dialog/WideDialog.tsx'
import { IfNotRefreshed } from '../../kit/display/Loaded.tsx'
import { Failed, Loading } from '../../kit/display/states.tsx'
import { useSmall } from '../../kit/display/useSmall.ts'
import { TwoPane } from '../../kit/list/pane/TwoPane.tsx'
import { useCountry } from '../../session/session.ts'
import { CampaignsDialogList, type ListFilters } from './CampaignsDialogList.tsx'
import { liveEvery } from './campaign-status.ts'
import { CampaignDetail } from './detail/CampaignDetail.tsx'
import { CampaignDetailFoot, CampaignDetailFootLeft } from './detail/CampaignDetailFoot.tsx'

/** All campaigns: the list, with the selected one's settings and results. Search, filter and selection are in the address bar. */
export function CampaignsDialog({ search, open, close }: DialogProps) {
  const country = useCountry()
  const [error, setError] = useState<string | null>(null)
  const filters: ListFilters = { status: search.status, search: String(search.search ?? '') }
  const pages = useCampaigns(filters, search.campaign)
  const id = search.campaign ?? pages.rows[0]?.campaign_id ?? null
  const info = useRead(calls.info, { id: id ?? '' }, { enabled: id !== null })
  const campaign = info.data ?? pages.rows.find(({ campaign_id }) => campaign_id === id) ?? null
  // A small screen shows the list alone until something is selected, so it has no buttons for hidden panes.
  const small = useSmall()
  const footed = search.campaign !== undefined || !small ? campaign : null
  const go = (to: ListFilters & { campaign?: string }) => {
    setError(null)
    open('campaigns', Object.fromEntries(Object.entries(to).filter(([, value]) => value)))
  }
  return (
    <WideDialog
      opened
      title="Campaigns"
      onClose={close}
      error={error}
      footLeft={
        footed ? (
          <CampaignDetailFootLeft
            key={footed.campaign_id}
            campaign={footed}
            country={country}
            onError={setError}
            onDeleted={() => go(filters)}
          />
        ) : null
      }
      foot={
        footed ? (
          <CampaignDetailFoot key={footed.campaign_id} campaign={footed} country={country} onError={setError} />
        ) : null
      }
    >
      <TwoPane
        listLabel="Campaigns"
        list={
          <CampaignsDialogList
            pages={pages}
            selected={id}
            filters={filters}
            country={country}
            onFilters={go}
            onSelect={(picked) => go({ ...filters, campaign: picked })}
            onNew={() => open('new-campaign')}
          />
        }
        detailLabel={campaign?.name ?? 'Campaign'}
        showDetail={search.campaign !== undefined}
        onBack={() => go(filters)}
        detail={
          campaign ? (
            <>
              <IfNotRefreshed read={{ ...info, data: campaign }} what="the campaign" />
              <CampaignDetail key={campaign.campaign_id} campaign={campaign} country={country} open={open} />
            </>
          ) : info.isError ? (
            <Failed title="Could not load the campaign" error={info.error} onRetry={() => void info.refetch()} />
          ) : id !== null || pages.loading ? (
            <Loading />
          ) : null
        }
      />
    </WideDialog>
  )
}

/** The open campaign does not make the list refresh, because its run shows its state. */
function useCampaigns({ status, search }: ListFilters, opened: string | undefined) {
  const input = { ...(status ? { active: status === 'active' } : {}), search_term: search ?? '' }
  return usePages(
    calls.list,
    input,
    ({ campaigns }) => campaigns,
    ({ campaign_id }) => campaign_id,
    { every: (rows) => liveEvery(rows.filter(({ campaign_id }) => campaign_id !== (opened ?? rows[0]?.campaign_id))) },
  )
}
