import { useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Tabs } from '../../kit/display/Tabs.tsx'
import { PharmacySequences } from './PharmacySequences.tsx'
import { RecommendedSequences } from './RecommendedSequences.tsx'
import { SequenceEvents } from './SequenceEvents.tsx'

const LISTS = [
  { name: 'recommended', label: 'Recommended', page: RecommendedSequences },
  { name: 'pharmacy', label: 'Pharmacy', page: PharmacySequences },
  { name: 'events', label: 'Events', page: SequenceEvents },
] as const

/** Sequences in the support console: recommended to pharmacies, of pharmacies, and the events they start with. */
export function SequencesPage({ tabs }: { tabs: ReactNode }) {
  const { list } = useSearch({ strict: false }) as { list?: string }
  const current = LISTS.find(({ name }) => name === list) ?? LISTS[0]
  const both = (
    <>
      {tabs}
      <Tabs
        small
        label="Sequences"
        tabs={LISTS.map(({ name, label }) => ({ label, search: { tab: 7, list: name }, on: name === current.name }))}
      />
    </>
  )
  return <current.page key={current.name} tabs={both} />
}
