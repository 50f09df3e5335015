import type { ReactNode } from 'react'
import { ListTabs } from '../../../kit/list/page/ListTabs.tsx'
import { CompanyTemplates, GlobalTemplates } from './CompanyTemplates.tsx'
import { RecommendedTemplates } from './RecommendedTemplates.tsx'

/** Templates in the support console: those recommended to companies, companies' own, and global ones. */
export function TemplatesPage({ tabs }: { tabs: ReactNode }) {
  return (
    <ListTabs
      {...{ tabs, tab: 2, label: 'Templates' }}
      lists={[
        { name: 'recommended', label: 'Recommended', page: RecommendedTemplates },
        { name: 'company', label: 'Company', page: CompanyTemplates },
        { name: 'global', label: 'Global', page: GlobalTemplates },
      ]}
    />
  )
}
