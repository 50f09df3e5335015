import { useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Tabs } from '../../../kit/display/Tabs.tsx'
import { CompanyCampaigns } from './CompanyCampaigns.tsx'
import { RecommendedCampaigns } from './RecommendedCampaigns.tsx'

const LISTS = [
  { name: 'recommended', label: 'Recommended' },
  { name: 'company', label: 'Company' },
] as const

/** Campaigns in the support console: recommended to companies, and of companies. */
export function CampaignsPage({ tabs }: { tabs: ReactNode }) {
  const { list } = useSearch({ strict: false }) as { list?: string }
  const current = LISTS.find(({ name }) => name === list)?.name ?? 'recommended'
  const both = (
    <>
      {tabs}
      <Tabs
        small
        label="Campaigns"
        tabs={LISTS.map(({ name, label }) => ({ label, search: { tab: 3, list: name }, on: name === current }))}
      />
    </>
  )
  return current === 'recommended' ? <RecommendedCampaigns tabs={both} /> : <CompanyCampaigns tabs={both} />
}
