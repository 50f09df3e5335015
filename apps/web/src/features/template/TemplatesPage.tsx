import { useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Tabs } from '../../kit/display/Tabs.tsx'
import { CompanyTemplates } from './CompanyTemplates.tsx'
import { RecommendedTemplates } from './RecommendedTemplates.tsx'

const LISTS = [
  { name: 'recommended', label: 'Recommended' },
  { name: 'company', label: 'Company' },
  { name: 'global', label: 'Global' },
] as const

/** Templates in the support console: recommended to companies, of companies, and global ones. */
export function TemplatesPage({ tabs }: { tabs: ReactNode }) {
  const { list } = useSearch({ strict: false }) as { list?: string }
  const current = LISTS.find(({ name }) => name === list)?.name ?? 'recommended'
  const both = (
    <>
      {tabs}
      <Tabs
        small
        label="Templates"
        tabs={LISTS.map(({ name, label }) => ({ label, search: { tab: 2, list: name }, on: name === current }))}
      />
    </>
  )
  if (current === 'recommended') return <RecommendedTemplates tabs={both} />
  return <CompanyTemplates key={current} tabs={both} global={current === 'global'} />
}
