import { ActionIcon, Button, Menu } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { campaign } from '@pillar/contract/campaign/campaign'
import { location } from '@pillar/contract/company/location'
import { attribution } from '@pillar/contract/message/attribution'
import { sending } from '@pillar/contract/message/sending'
import type { Country } from '@pillar/domain/time/locale'
import { CircleHelp, Ellipsis, LayoutTemplate, List, MessageSquareText, Plus, SlidersHorizontal } from 'lucide-react'
import { type ComponentProps, useMemo } from 'react'
import { type ReadOf, useRead } from '../../api/client.ts'
import { usePages } from '../../api/pages.ts'
import { type OpenDialog, useDialogs } from '../../frame/dialog-address.ts'
import { Icon } from '../../kit/display/Icon.tsx'
import { Page } from '../../kit/display/Page.tsx'
import { AsAt } from '../../kit/display/PageHead.tsx'
import { Failed, Loading } from '../../kit/display/states.tsx'
import { useListState } from '../../kit/list/useListState.ts'
import { useCountry } from '../../session/session.ts'
import { todayOf } from '../../shared/today.ts'
import { MessageStats } from '../attribution/MessageStats.tsx'
import { MessageTableSection } from '../attribution/MessageTableSection.tsx'
import { ageTexts, type StatsReply } from '../attribution/message-words.ts'
import { ActiveList } from '../campaign/ActiveList.tsx'
import { WaitingApprovals } from '../campaign/approval/WaitingApprovals.tsx'
import { liveEvery } from '../campaign/campaign-status.ts'
import { RepliesButton } from '../inbound/RepliesButton.tsx'
import { RecommendedList } from '../recommendation/RecommendedList.tsx'
import { CampaignsFilterBar } from './CampaignsFilterBar.tsx'
import styles from './CampaignsPage.module.css'
import { Dialogs } from './dialogs.tsx'
import { type CampaignsSearch, filtersOf, pickedOf } from './search.ts'

/** While messages go out, their figures refresh at this interval, because they cost more than the cards do. */
const STATS_EVERY_MS = 15_000

/** Campaigns and Marketing: recommendations, running campaigns, and the results of each pharmacy's messages. */
export function CampaignsPage() {
  const { state, change } = useListState<CampaignsSearch>()
  const { open } = useDialogs()
  const country = useCountry()
  const today = todayOf(country)
  const filters = useMemo(() => filtersOf(state, today), [state, today])
  const wide = useMediaQuery('(min-width: 64em)', true, { getInitialValueInEffect: false })
  const rules = useRead(sending.rules, {})
  const named = useRead(location.pharmacies, {})
  const pharmacies = named.data?.data ?? NONE
  const chosen = useMemo(() => pickedOf(pharmacies, filters.chosen), [pharmacies, filters.chosen])
  // A link's pharmacies are only known once the names load; figures of all of them would be wrong.
  const unknown = filters.chosen !== null && !named.data
  const ids = chosen.length === pharmacies.length ? null : chosen.map(({ uuid }) => uuid)
  const campaigns = usePages(
    campaign.list,
    { active: true, search_term: '' },
    (answer) => answer.campaigns,
    ({ campaign_id }) => campaign_id,
    // A dialog over the page refreshes its own data.
    { every: (rows) => !state.dialog && liveEvery(rows) },
  )
  const live = liveEvery(campaigns.rows) !== false
  const stats = useRead(
    attribution.stats,
    {
      ...filters.choice,
      pharmacy_ids: ids,
      page: filters.page,
      search_term: filters.find,
      sort_field: filters.sort.field,
      sort_order: filters.sort.order,
    },
    { enabled: !unknown, keepPrevious: true, every: () => live && !state.dialog && STATS_EVERY_MS },
  )
  const lists = <Lists key="lists" {...{ campaigns, country, open }} />
  const figures = unknown ? named : stats
  const table = <MessageTableSection key="table" {...{ filters, ids, country, change, figures }} stats={stats} />
  return (
    <Page
      title="Campaigns and Marketing"
      heading="Campaigns"
      asAt={stats.data ? <AsAt texts={ageTexts(country, stats.data, stats.isError)} /> : null}
      actions={<Actions open={open} />}
    >
      <CampaignsFilterBar
        {...{ filters, pharmacies, chosen, country, today, change, open }}
        rules={rules}
        named={named}
      />
      <WaitingApprovals country={country} />
      <Strip stats={stats} figures={figures} country={country} />
      {/* Side by side the lists come first; stacked, the table does, because the lists grow at their end. */}
      <div className={styles.columns}>{wide ? [lists, table] : [table, lists]}</div>
      <Dialogs search={state} />
    </Page>
  )
}

const NONE: never[] = []

function Lists({ campaigns, country, open }: ComponentProps<typeof ActiveList>) {
  return (
    <div className={styles.lists}>
      <RecommendedList country={country} open={open} />
      <ActiveList campaigns={campaigns} country={country} open={open} />
    </div>
  )
}

interface StripProps {
  stats: ReadOf<StatsReply>
  /** What the stats wait for: themselves, or the names that identify the pharmacies. */
  figures: Pick<ReadOf<unknown>, 'isError' | 'error' | 'refetch'>
  country: Country
}

function Strip({ stats, figures, country }: StripProps) {
  if (stats.data) {
    return (
      <div className={stats.isPlaceholderData ? `${styles.strip} ${styles.dimmed}` : styles.strip}>
        <MessageStats stats={stats.data} country={country} />
      </div>
    )
  }
  return (
    <div className={styles.waiting}>
      {figures.isError ? (
        <Failed title="Could not load the message stats" error={figures.error} onRetry={() => void figures.refetch()} />
      ) : (
        <Loading rows={1} words="" />
      )}
    </div>
  )
}

function Actions({ open }: { open: OpenDialog }) {
  return (
    <>
      <RepliesButton onClick={() => open('replies')} />
      <Button leftSection={<Icon of={LayoutTemplate} />} onClick={() => open('templates')}>
        Templates
      </Button>
      <Button leftSection={<Icon of={List} />} onClick={() => open('campaigns')}>
        All campaigns
      </Button>
      <Button variant="filled" leftSection={<Icon of={Plus} />} onClick={() => open('new-campaign')}>
        New campaign
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon aria-label="More">
            <Icon of={Ellipsis} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<Icon of={SlidersHorizontal} />} onClick={() => open('sending-rules')}>
            Sending rules
          </Menu.Item>
          <Menu.Item leftSection={<Icon of={MessageSquareText} />} onClick={() => open('sms-cost')}>
            How parts are counted
          </Menu.Item>
          <Menu.Item leftSection={<Icon of={CircleHelp} />} onClick={() => open('ai-help')}>
            AI help
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  )
}
