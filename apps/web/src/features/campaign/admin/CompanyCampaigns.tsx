import { contract } from '@pillar/contract'
import type { AdminCampaign, CampaignOutcome } from '@pillar/contract/campaign/campaign-admin'
import { type GoalType, goalText } from '@pillar/domain/campaign/goal'
import { useSearch } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { Status } from '../../../kit/display/status.tsx'
import type { Edited } from '../../../kit/list/bulk.ts'
import { ACTIVE, activeOf } from '../../../kit/list/chip/active.ts'
import { FilterChip } from '../../../kit/list/chip/FilterChip.tsx'
import { ListPage } from '../../../kit/list/ListPage.tsx'
import { useEdited } from '../../../kit/list/page/useEdited.tsx'
import { REMOVED } from '../../../kit/list/removed.ts'
import { only } from '../../../kit/list/selection.ts'
import { useList } from '../../../kit/list/useList.ts'
import { MessageInfoDialog } from '../../message-info/MessageInfoDialog.tsx'
import { datesWords } from '../campaign-words.ts'
import { CampaignDialog } from './CampaignDialog.tsx'
import { type Chosen, GOALS } from './campaign-admin.ts'
import { NameTags } from './NameTags.tsx'
import { Outcomes } from './Outcomes.tsx'
import { useCampaignActs } from './useCampaignActs.tsx'

/** Campaigns of all companies. */
export function CompanyCampaigns({ tabs }: { tabs: ReactNode }) {
  const search = useSearch({ strict: false }) as { goal?: GoalType; status?: string; removed?: string }
  const list = useList(contract.campaignAdmin.search, {
    id: 'campaign_id',
    one: 'campaign',
    many: 'campaigns',
    filters: {
      goal_type: search.goal,
      active: activeOf(search.status),
      removed: search.removed ? true : undefined,
    },
  })
  const [refused, setRefused] = useState<readonly CampaignOutcome[]>([])
  const [sent, setSent] = useState<AdminCampaign | null>(null)
  const edited = useEdited<Edited<AdminCampaign, Chosen>>('Create Campaign', (row, close) => (
    <CampaignDialog
      edited={row}
      onClose={(left = []) => {
        close()
        setRefused(left)
      }}
    />
  ))
  const acts = useCampaignActs({ edit: edited.edit, messages: setSent, tell: setRefused })
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
        actions={edited.button}
        filters={
          <>
            <FilterChip field="status" label="Status" options={ACTIVE} />
            <FilterChip field="goal" label="Goal type" options={GOALS} />
            <FilterChip field="removed" label="Deleted" options={REMOVED} />
          </>
        }
        menu={(row) => acts(only(row))}
        batch={acts}
      />
      {edited.dialog}
      {sent ? (
        <MessageInfoDialog filter={{ campaign_id: sent.campaign_id }} title={sent.name} onClose={() => setSent(null)} />
      ) : null}
      {refused.length > 0 ? <Outcomes refused={refused} onClose={() => setRefused([])} /> : null}
    </>
  )
}

const goalOf = ({ country, goal_type, measure_by, goal }: AdminCampaign) =>
  goalText(country, { type: goal_type, measureBy: measure_by, amount: goal })
