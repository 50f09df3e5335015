import type { ReactNode } from 'react'
import { ListTabs } from '../../../kit/list/page/ListTabs.tsx'
import { CompanyCampaigns } from './CompanyCampaigns.tsx'
import { RecommendedCampaigns } from './RecommendedCampaigns.tsx'

/** Campaigns in the support console: those recommended to companies, and companies' own. */
export function CampaignsPage({ tabs }: { tabs: ReactNode }) {
  return (
    <ListTabs
      {...{ tabs, tab: 3, label: 'Campaigns' }}
      lists={[
        { name: 'recommended', label: 'Recommended', page: RecommendedCampaigns },
        { name: 'company', label: 'Company', page: CompanyCampaigns },
      ]}
    />
  )
}
