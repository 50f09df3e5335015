import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { campaign as calls } from '@pillar/contract/campaign'
import { formatNumber } from '@pillar/domain/locale'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useRead } from '../../api/client.ts'
import { usePages } from '../../api/pages.ts'
import { Icon } from '../../kit/Icon.tsx'
import { ListPane } from '../../kit/ListPane.tsx'
import { SearchField } from '../../kit/SearchField.tsx'
import { Segments } from '../../kit/Segments.tsx'
import { Failed, Loading, NothingMatches, NothingYet } from '../../kit/states.tsx'
import { TwoPane } from '../../kit/TwoPane.tsx'
import { WideDialog } from '../../kit/WideDialog.tsx'
import { useCountry } from '../../session/session.ts'
import { CampaignDetail } from './CampaignDetail.tsx'
import { CampaignDetailFoot, CampaignDetailFootLeft } from './CampaignDetailFoot.tsx'
import styles from './CampaignsDialog.module.css'
import { CampaignsDialogItem } from './CampaignsDialogItem.tsx'
import { liveEvery } from './campaign-status.ts'
import type { DialogProps } from './dialogs.tsx'

const STATUSES = [
  { value: 'all', label: 'All' },
  { value: 'active', label: 'Active' },
  { value: 'inactive', label: 'Inactive' },
] as const

/** Every campaign: the list, and what the picked one did and does. Search, filter and choice stand in the address bar. */
export function CampaignsDialog({ search, open, close }: DialogProps) {
  const country = useCountry()
  const [error, setError] = useState<string | null>(null)
  const { status } = search
  const find = String(search.search ?? '')
  const filters = { ...(status ? { active: status === 'active' } : {}), search_term: find }
  const pages = usePages(
    calls.list,
    filters,
    ({ campaigns }) => campaigns,
    ({ campaign_id }) => campaign_id,
    { every: liveEvery },
  )
  const id = search.campaign ?? pages.rows[0]?.campaign_id ?? null
  const info = useRead(calls.info, { id: id ?? '' }, { enabled: id !== null, every: (data) => infoEvery(data) })
  const campaign = info.data ?? pages.rows.find(({ campaign_id }) => campaign_id === id) ?? null
  const narrow = (change: { status?: typeof status; search?: string | undefined }) => {
    setError(null)
    open('campaigns', withoutEmpty({ status, search: find, ...change }))
  }
  const pick = (picked: string) => {
    setError(null)
    open('campaigns', withoutEmpty({ status, search: find, campaign: picked }))
  }
  const detail = campaign ? (
    <CampaignDetail key={campaign.campaign_id} campaign={campaign} country={country} open={open} />
  ) : info.isError ? (
    <Failed title="Could not load the campaign" error={info.error} onRetry={() => void info.refetch()} />
  ) : id !== null || pages.loading ? (
    <Loading />
  ) : null
  // A small screen shows the list alone until something is picked: no buttons for what is not in sight.
  const small = useMediaQuery('(max-width: 767px)')
  const footed = search.campaign !== undefined || !small ? campaign : null
  return (
    <WideDialog
      opened
      title="Campaigns"
      onClose={close}
      error={error}
      footLeft={
        footed ? (
          <CampaignDetailFootLeft
            campaign={footed}
            country={country}
            onError={setError}
            onDeleted={() => open('campaigns', withoutEmpty({ status, search: find }))}
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
        detailLabel={campaign?.name ?? 'Campaign'}
        showDetail={search.campaign !== undefined}
        onBack={() => open('campaigns', withoutEmpty({ status, search: find }))}
        detail={detail}
        list={
          <>
            <div className={styles.top}>
              <div className={styles.find}>
                <SearchField label="Find a campaign" value={find} onChange={(term) => narrow({ search: term })} />
                <Button variant="filled" leftSection={<Icon of={Plus} />} onClick={() => open('new-campaign')}>
                  New
                </Button>
              </div>
              <div className={styles.statuses}>
                <Segments
                  label="Status"
                  options={STATUSES}
                  value={status ?? 'all'}
                  onChange={(value) => narrow({ status: value === 'all' ? undefined : value })}
                />
                {pages.loading ? null : <span className={styles.total}>{formatNumber(country, pages.total)}</span>}
              </div>
            </div>
            <ListPane
              label="Campaigns"
              pages={pages}
              idOf={({ campaign_id }) => campaign_id}
              selected={id}
              onSelect={pick}
              failed="Could not load the campaigns"
              item={(row) => <CampaignsDialogItem campaign={row} country={country} />}
              empty={
                find || status ? (
                  <NothingMatches
                    title="No campaigns found"
                    filters={Number(Boolean(find)) + Number(Boolean(status))}
                    onClear={() => open('campaigns')}
                  />
                ) : (
                  <NothingYet title="No campaigns found">
                    Start one with New, or from what Pillar recommends.
                  </NothingYet>
                )
              }
            />
          </>
        }
      />
    </WideDialog>
  )
}

/** The address without what is not set. */
function withoutEmpty<T extends object>(about: T): T {
  return Object.fromEntries(Object.entries(about).filter(([, value]) => value !== undefined && value !== '')) as T
}

function infoEvery(data: unknown): number | false {
  return data ? liveEvery([data as Parameters<typeof liveEvery>[0][0]]) : false
}
