import type { ReactNode } from 'react'
import { ListTabs } from '../../kit/list/page/ListTabs.tsx'
import { RecruitersPage } from '../recruiter/RecruitersPage.tsx'
import { TrialsPage } from './TrialsPage.tsx'

/** Clinical trials in the support console, and their recruiters and providers. */
export function ClinicalTrialsPage({ tabs }: { tabs: ReactNode }) {
  return (
    <ListTabs
      {...{ tabs, tab: 5, label: 'Clinical Trials' }}
      lists={[
        { name: 'trials', label: 'Trials', page: TrialsPage },
        { name: 'recruiters', label: 'Recruiters and providers', page: RecruitersPage },
      ]}
    />
  )
}
