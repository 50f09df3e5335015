import { useSearch } from '@tanstack/react-router'
import { type ComponentType, lazy, type ReactNode, Suspense } from 'react'
import { Page } from '../../kit/display/Page.tsx'
import { Loading } from '../../kit/display/states.tsx'
import { Tabs } from '../../kit/display/Tabs.tsx'
import type { SettingsSearch } from './settings-search.ts'

export interface SettingsTab {
  /** The row of tabs, which stands under the header of each. */
  tabs: ReactNode
}

function fetched<N extends string>(load: () => Promise<Record<N, ComponentType<SettingsTab>>>, name: N) {
  return lazy(async () => ({ default: (await load())[name] }))
}

/** The tabs that exist, under the numbers the specification gives them. Each is downloaded when it is first opened. */
const TABS = [
  { number: 0, label: 'Companies', page: fetched(() => import('../company/CompaniesPage.tsx'), 'CompaniesPage') },
  { number: 2, label: 'Templates', page: fetched(() => import('../template/TemplatesPage.tsx'), 'TemplatesPage') },
  {
    number: 7,
    label: 'Sequences',
    page: fetched(() => import('../sequence/SequenceEventsPage.tsx'), 'SequenceEventsPage'),
  },
] as const

/** Settings, for support: one tab at a time. */
export function SettingsPage() {
  const { tab } = useSearch({ strict: false }) as SettingsSearch
  const current = TABS.find(({ number }) => number === tab) ?? TABS[0]
  const tabs = (
    <Tabs
      label="Settings"
      tabs={TABS.map(({ number, label }) => ({ label, search: { tab: number }, on: number === current.number }))}
    />
  )
  return (
    <Suspense
      key={current.number}
      fallback={
        <Page title="Settings">
          {tabs}
          <Loading />
        </Page>
      }
    >
      <current.page tabs={tabs} />
    </Suspense>
  )
}
