import { useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Tabs } from '../../kit/display/Tabs.tsx'
import { RecruitersPage } from '../recruiter/RecruitersPage.tsx'
import { TrialsPage } from './TrialsPage.tsx'

const LISTS = [
  { name: 'trials', label: 'Trials' },
  { name: 'recruiters', label: 'Recruiters and providers' },
] as const

/** Clinical trials in the support console, and who looks for patients for them. */
export function ClinicalTrialsPage({ tabs }: { tabs: ReactNode }) {
  const { list } = useSearch({ strict: false }) as { list?: string }
  const current = LISTS.find(({ name }) => name === list)?.name ?? 'trials'
  const both = (
    <>
      {tabs}
      <Tabs
        small
        label="Clinical Trials"
        tabs={LISTS.map(({ name, label }) => ({ label, search: { tab: 5, list: name }, on: name === current }))}
      />
    </>
  )
  return current === 'recruiters' ? <RecruitersPage tabs={both} /> : <TrialsPage tabs={both} />
}
