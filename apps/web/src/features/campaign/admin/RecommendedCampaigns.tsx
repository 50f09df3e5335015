import { Button } from '@mantine/core'
import { contract } from '@pillar/contract'
import type { AdminCampaignRecommendation as Row } from '@pillar/contract/campaign/campaign-recommendation-admin'
import { type GoalType, goalText } from '@pillar/domain/campaign/goal'
import { formatNumber } from '@pillar/domain/time/locale'
import { useSearch } from '@tanstack/react-router'
import { Pencil, Plus, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { send, useWrite } from '../../../api/client.ts'
import { dayOf } from '../../../kit/display/dates.ts'
import { Icon } from '../../../kit/display/Icon.tsx'
import type { Act } from '../../../kit/list/acts.tsx'
import { FilterChip } from '../../../kit/list/chip/FilterChip.tsx'
import { ListPage } from '../../../kit/list/ListPage.tsx'
import { isRemoved, REMOVED, restoring, toastDeleted } from '../../../kit/list/removed.ts'
import { chosenOf, only } from '../../../kit/list/selection.ts'
import { useList } from '../../../kit/list/useList.ts'
import type { Selected } from '../../../kit/list/useSelection.ts'
import { useCountry } from '../../../session/session.ts'
import { campaigns, type Edited, GOALS } from './campaign-admin.ts'
import { MadeFrom } from './MadeFrom.tsx'
import { NameTags } from './NameTags.tsx'
import { RecommendedCampaignDialog } from './RecommendedCampaignDialog.tsx'

const calls = contract.campaignRecommendationAdmin

/** Campaigns that Pillar recommends to every company. */
export function RecommendedCampaigns({ tabs }: { tabs: ReactNode }) {
  const country = useCountry()
  const { goal, removed } = useSearch({ strict: false }) as { goal?: GoalType; removed?: string }
  const list = useList(calls.search, {
    id: 'campaign_recommendation_id',
    one: 'recommended campaign',
    many: 'recommended campaigns',
    filters: { goal_type: goal, removed: removed ? true : undefined } as { goal_type?: GoalType; removed?: boolean },
  })
  const [edited, setEdited] = useState<Edited<Row> | 'new' | null>(null)
  const acts = useRecommendedActs(setEdited)
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
        actions={
          <Button leftSection={<Icon of={Plus} />} onClick={() => setEdited('new')}>
            Create Recommended Campaign
          </Button>
        }
        filters={
          <>
            <FilterChip field="goal" label="Goal type" options={GOALS} />
            <FilterChip field="removed" label="Deleted" options={REMOVED} />
          </>
        }
        menu={(row) => acts(only(row))}
        batch={acts}
      />
      {edited ? (
        <RecommendedCampaignDialog edited={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />
      ) : null}
    </>
  )
}

const NOUN = ['campaign', 'campaigns'] as const

/** What can be done to recommended campaigns, one or many. */
function useRecommendedActs(edit: (edited: Edited<Row>) => void) {
  const restore = useWrite(calls.restoreMany)
  const remove = useWrite(calls.remove, {
    ask: (input) => ({
      title: `Withdraw ${campaigns(input)}?`,
      consequence: (
        <MadeFrom chosen={input}>No company is offered it any more. It can be restored for 30 days.</MadeFrom>
      ),
      button: `Withdraw ${campaigns(input)}`,
      danger: true,
    }),
  })
  return (selected: Pick<Selected<Row, object>, 'rows' | 'filter' | 'count' | 'clear'>): Act[] => {
    const chosen = chosenOf('campaign_ids', selected, (row: Row) => row.campaign_recommendation_id)
    const { rows, filter, clear } = selected
    if (isRemoved(selected)) return restoring(() => restore.mutateAsync(chosen).finally(clear), NOUN)
    return [
      {
        label: 'Edit',
        icon: Pencil,
        run: async () => {
          const all = filter ? (await send(calls.search, { ...filter, paginate: false })).results : rows
          edit({ rows: all, chosen, clear })
        },
      },
      {
        label: 'Delete',
        icon: Trash2,
        danger: true,
        run: async () => {
          const answer = await remove.mutateAsync(chosen)
          if (!answer) return
          clear()
          const { deleted, removed_at } = answer
          toastDeleted(
            `${campaigns({ expected_count: deleted })} withdrawn`,
            () => restore.mutateAsync({ removed_at }),
            NOUN,
          )
        },
      },
    ]
  }
}
