import { Button } from '@mantine/core'
import { contract } from '@pillar/contract'
import type { AdminCampaign, CampaignOutcome } from '@pillar/contract/campaign/campaign-admin'
import { type GoalType, goalText } from '@pillar/domain/campaign/goal'
import { useSearch } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Icon } from '../../../kit/display/Icon.tsx'
import { Status } from '../../../kit/display/status.tsx'
import { FilterChip } from '../../../kit/list/chip/FilterChip.tsx'
import { ListPage } from '../../../kit/list/ListPage.tsx'
import { REMOVED } from '../../../kit/list/removed.ts'
import { only } from '../../../kit/list/selection.ts'
import { useList } from '../../../kit/list/useList.ts'
import { MessageInfoDialog } from '../../message-info/MessageInfoDialog.tsx'
import { datesWords } from '../campaign-words.ts'
import { CampaignDialog } from './CampaignDialog.tsx'
import { type Edited, GOALS } from './campaign-admin.ts'
import { NameTags } from './NameTags.tsx'
import { Outcomes } from './Outcomes.tsx'
import { useCampaignActs } from './useCampaignActs.tsx'

const STATUS = [
  { value: 'active', label: 'Active' },
  { value: 'inactive', label: 'Inactive' },
] as const

/** Campaigns of all companies. */
export function CompanyCampaigns({ tabs }: { tabs: ReactNode }) {
  const search = useSearch({ strict: false }) as { goal?: GoalType; status?: string; removed?: string }
  const list = useList(contract.campaignAdmin.search, {
    id: 'campaign_id',
    one: 'campaign',
    many: 'campaigns',
    filters: {
      goal_type: search.goal,
      active: search.status && search.status === 'active',
      removed: search.removed ? true : undefined,
    } as { goal_type?: GoalType; active?: boolean; removed?: boolean },
  })
  const [edited, setEdited] = useState<Edited<AdminCampaign> | 'new' | null>(null)
  const [refused, setRefused] = useState<readonly CampaignOutcome[]>([])
  const [sent, setSent] = useState<AdminCampaign | null>(null)
  const acts = useCampaignActs({ edit: setEdited, messages: setSent, tell: setRefused })
  return (
    <>
      <ListPage
        title="Settings"
        tabs={tabs}
        list={list}
        columns={[
          { label: 'Name', sort: 'name', cell: ({ name }) => name },
          { label: 'Company', sort: 'company', cell: ({ company }) => company },
          { label: 'Goal', cell: goalOf },
          {
            label: 'Templates',
            cell: ({ templates }) => <NameTags names={templates.map((one) => one.template_name)} />,
          },
          {
            label: 'Made goal',
            num: true,
            cell: ({ num_made_goal, locations }) => `${num_made_goal} of ${locations.length}`,
          },
          { label: 'Dates', sort: 'start_date', cell: (row) => datesWords(row, row.country) },
          { label: 'Status', sort: 'active', cell: ({ active }) => <Status word={active ? 'Active' : 'Inactive'} /> },
        ]}
        empty="Create a campaign for a company."
        actions={
          <Button variant="filled" leftSection={<Icon of={Plus} />} onClick={() => setEdited('new')}>
            Create Campaign
          </Button>
        }
        filters={
          <>
            <FilterChip field="status" label="Status" options={STATUS} />
            <FilterChip field="goal" label="Goal type" options={GOALS} />
            <FilterChip field="removed" label="Deleted" options={REMOVED} />
          </>
        }
        menu={(row) => acts(only(row))}
        batch={acts}
      />
      {edited ? (
        <CampaignDialog
          edited={edited === 'new' ? null : edited}
          onClose={(left = []) => {
            setEdited(null)
            setRefused(left)
          }}
        />
      ) : null}
      {sent ? (
        <MessageInfoDialog filter={{ campaign_id: sent.campaign_id }} title={sent.name} onClose={() => setSent(null)} />
      ) : null}
      {refused.length > 0 ? <Outcomes refused={refused} onClose={() => setRefused([])} /> : null}
    </>
  )
}

const goalOf = ({ country, goal_type, measure_by, goal }: AdminCampaign) =>
  goalText(country, { type: goal_type, measureBy: measure_by, amount: goal })
