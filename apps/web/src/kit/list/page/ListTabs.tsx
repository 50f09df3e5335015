import { useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Tabs } from '../../display/Tabs.tsx'

interface ListTabsProps {
  /** The tabs of the page, shown above these. */
  tabs: ReactNode
  /** The number of the page's own tab. */
  tab: number
  label: string
  /** The first list is open unless the address names another. */
  lists: readonly [ListTab, ...ListTab[]]
}
interface ListTab {
  /** Its name in the address bar. */
  name: string
  label: string
  page: (props: { tabs: ReactNode }) => ReactNode
}

/** A page of several lists, one open at a time. */
export function ListTabs({ tabs, tab, label, lists }: ListTabsProps) {
  const { list } = useSearch({ strict: false }) as { list?: string }
  const open = lists.find(({ name }) => name === list) ?? lists[0]
  const inner = lists.map((one) => ({ label: one.label, search: { tab, list: one.name }, on: one === open }))
  return (
    <open.page
      key={open.name}
      tabs={
        <>
          {tabs}
          <Tabs small label={label} tabs={inner} />
        </>
      }
    />
  )
}
