import { contract } from '@pillar/contract'
import type { AdminCampaignRecommendation as Row } from '@pillar/contract/campaign/campaign-recommendation-admin'
import { type GoalType, goalText } from '@pillar/domain/campaign/goal'
import { formatNumber } from '@pillar/domain/time/locale'
import { useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { send, useWrite } from '../../../api/client.ts'
import { dayOf } from '../../../kit/display/dates.ts'
import type { Act } from '../../../kit/list/acts.tsx'
import { bulkActs, type Edited, type Selection } from '../../../kit/list/bulk.ts'
import { FilterChip } from '../../../kit/list/chip/FilterChip.tsx'
import { ListPage } from '../../../kit/list/ListPage.tsx'
import { useEdited } from '../../../kit/list/page/useEdited.tsx'
import { REMOVED } from '../../../kit/list/removed.ts'
import { chosenOf, only } from '../../../kit/list/selection.ts'
import { useList } from '../../../kit/list/useList.ts'
import { useCountry } from '../../../session/session.ts'
import { type Chosen, campaigns, GOALS } from './campaign-admin.ts'
import { MadeFrom } from './MadeFrom.tsx'
import { NameTags } from './NameTags.tsx'
import { RecommendedCampaignDialog } from './RecommendedCampaignDialog.tsx'

const calls = contract.campaignRecommendationAdmin
const idOf = (row: Row) => row.campaign_recommendation_id

/** Campaigns that Pillar recommends to every company. */
export function RecommendedCampaigns({ tabs }: { tabs: ReactNode }) {
  const country = useCountry()
  const { goal, removed } = useSearch({ strict: false }) as { goal?: GoalType; removed?: string }
  const list = useList(calls.search, {
    id: 'campaign_recommendation_id',
    one: 'recommended campaign',
    many: 'recommended campaigns',
    filters: { goal_type: goal, removed: removed ? true : undefined },
  })
  const edited = useEdited<Edited<Row, Chosen>>('Create Recommended Campaign', (row, close) => (
    <RecommendedCampaignDialog edited={row} onClose={close} />
  ))
  const acts = useRecommendedActs(edited.edit)
  return (
    <>
      <ListPage
        title="Settings"
        tabs={tabs}
        list={list}
        columns={[
          { label: 'Name', sort: 'name', cell: ({ name }) => name },
          {
            label: 'Goal',
            sort: 'goal_type',
            cell: (row) => goalText(country, { type: row.goal_type, measureBy: row.measure_by, amount: row.goal }),
          },
          {
            label: 'Templates',
            cell: (row) => <NameTags names={row.template_recommendations.map((one) => one.template_name)} />,
          },
          { label: 'Used by companies', num: true, cell: ({ companies }) => formatNumber(country, companies || null) },
          {
            label: 'Published',
            sort: 'published_at',
            num: true,
            cell: (row) => `${dayOf(country, row.published_at)}${row.new ? ' (new)' : ''}`,
          },
        ]}
        empty="Create one, then every company can start from it."
        actions={edited.button}
        filters={
          <>
            <FilterChip field="goal" label="Goal type" options={GOALS} />
            <FilterChip field="removed" label="Deleted" options={REMOVED} />
          </>
        }
        menu={(row) => acts(only(row))}
        batch={acts}
      />
      {edited.dialog}
    </>
  )
}

const NOUN = ['campaign', 'campaigns'] as const

/** What can be done to recommended campaigns, one or many. */
function useRecommendedActs(edit: (edited: Edited<Row, Chosen>) => void) {
  const restore = useWrite(calls.restoreMany)
  const remove = useWrite(calls.remove, {
    ask: (input) => ({
      title: `Delete ${campaigns(input)}?`,
      consequence: <MadeFrom chosen={input}>No longer offered to companies. Can be restored for 30 days.</MadeFrom>,
      button: `Delete ${campaigns(input)}`,
      danger: true,
    }),
  })
  return (selected: Selection<Row>): Act[] =>
    bulkActs({
      ...{ selected, edit, noun: NOUN, remove: remove.mutateAsync, restore: restore.mutateAsync },
      chosen: chosenOf('campaign_ids', selected, idOf),
      search: async (filter) => (await send(calls.search, { ...filter, paginate: false })).results,
      deleted: (count) => `${campaigns({ expected_count: count })} deleted`,
    })
}
