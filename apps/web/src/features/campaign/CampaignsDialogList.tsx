import { Button } from '@mantine/core'
import type { Campaign } from '@pillar/contract/campaign/campaign'
import type { Country } from '@pillar/domain/time/locale'
import { Plus } from 'lucide-react'
import type { Pages } from '../../api/pages.ts'
import { Icon } from '../../kit/display/Icon.tsx'
import { NothingMatches, NothingYet } from '../../kit/display/states.tsx'
import { Segments } from '../../kit/form/Segments.tsx'
import { ListPane } from '../../kit/list/pane/ListPane.tsx'
import { ListTotal } from '../../kit/list/pane/ListTotal.tsx'
import { SearchField } from '../../kit/list/SearchField.tsx'
import styles from './CampaignsDialog.module.css'
import { CampaignsDialogItem } from './CampaignsDialogItem.tsx'

/** The list's filters: names containing `search`, and one status or all. */
export interface ListFilters {
  status?: 'active' | 'inactive' | undefined
  search?: string | undefined
}

interface CampaignsDialogListProps {
  pages: Pages<Campaign>
  selected: string | null
  filters: ListFilters
  country: Country
  onFilters: (filters: ListFilters) => void
  onSelect: (id: string) => void
  onNew: () => void
}

const STATUSES = [
  { value: 'all', label: 'All' },
  { value: 'active', label: 'Active' },
  { value: 'inactive', label: 'Inactive' },
] as const

/** The left pane: New, search, status, and the campaigns, newest first; the next page loads at the end. */
export function CampaignsDialogList(props: CampaignsDialogListProps) {
  const { pages, selected, filters, country, onFilters, onSelect, onNew } = props
  const { status, search = '' } = filters
  const set = Number(search !== '') + Number(status !== undefined)
  return (
    <>
      <div className={styles.top}>
        <div className={styles.find}>
          <SearchField
            label="Find a campaign"
            value={search}
            onChange={(term) => onFilters({ status, search: term })}
          />
          <Button variant="filled" leftSection={<Icon of={Plus} />} onClick={onNew}>
            New
          </Button>
        </div>
        <div className={styles.statuses}>
          <Segments
            label="Status"
            options={STATUSES}
            value={status ?? 'all'}
            onChange={(value) => onFilters({ status: value === 'all' ? undefined : value, search })}
          />
          <ListTotal total={pages.total} one="campaign" many="campaigns" />
        </div>
      </div>
      <ListPane
        label="Campaigns"
        pages={pages}
        idOf={({ campaign_id }) => campaign_id}
        selected={selected}
        onSelect={onSelect}
        what="the campaigns"
        item={(row) => <CampaignsDialogItem campaign={row} country={country} />}
        empty={
          set > 0 ? (
            <NothingMatches title="No campaigns found" filters={set} onClear={() => onFilters({})} />
          ) : (
            <NothingYet title="No campaigns found">Start one with New, or from what Pillar recommends.</NothingYet>
          )
        }
      />
    </>
  )
}
