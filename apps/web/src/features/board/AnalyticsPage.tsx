import type { contract, ReplyOf } from '@pillar/contract'
import { board } from '@pillar/contract/board'
import { DASHBOARD_TYPES } from '@pillar/domain/dashboard/dashboard'
import { useRead } from '../../api/client.ts'
import { Loaded } from '../../kit/display/Loaded.tsx'
import { Page } from '../../kit/display/Page.tsx'
import { NothingYet } from '../../kit/display/states.tsx'
import { Tabs } from '../../kit/display/Tabs.tsx'
import { useListState } from '../../kit/list/useListState.ts'
import type { BoardSearch } from './board-search.ts'
import { Embedded } from './Embedded.tsx'

type Dashboards = ReplyOf<(typeof contract)['board']['list']>
const WAIT = 'Loading Analytics...'

/** Analytics: the company's dashboards, one at a time, edge to edge. */
export function AnalyticsPage() {
  const { state, change } = useListState<BoardSearch>()
  const dashboards = useRead(board.list, { active: true })
  const shown = dashboards.data?.find(({ id }) => id === state.dashboard) ?? dashboards.data?.[0]
  return (
    <Page title="Analytics Dashboard" heading="Analytics">
      <Loaded read={dashboards} what="the dashboards" rows={4} words={WAIT}>
        {(all) =>
          !shown ? (
            <NothingYet title="No dashboards yet">Support adds them for your company.</NothingYet>
          ) : (
            <>
              <Tabs label="Dashboards" tabs={tabsOf(all, shown.id)} />
              <Embedded
                key={shown.id}
                dashboard={shown}
                about={state.about}
                onAbout={(about) => change({ about }, 'replace')}
              />
            </>
          )
        }
      </Loaded>
    </Page>
  )
}

/** By type, and by name if there are several of one type. */
function tabsOf(dashboards: Dashboards, shown: string) {
  return dashboards.map(({ id, name, dashboard_type }) => {
    const alone = dashboards.filter((one) => one.dashboard_type === dashboard_type).length === 1
    const type = DASHBOARD_TYPES[dashboard_type]
    return { label: alone ? type : `${type}: ${name}`, search: { dashboard: id }, on: id === shown }
  })
}
