import type { ReactNode } from 'react'
import { ListTabs } from '../../kit/list/page/ListTabs.tsx'
import { PharmacySequences } from './PharmacySequences.tsx'
import { RecommendedSequences } from './RecommendedSequences.tsx'
import { SequenceEvents } from './SequenceEvents.tsx'

/** Sequences in the support console: those recommended to pharmacies, pharmacies' own, and the events they start with. */
export function SequencesPage({ tabs }: { tabs: ReactNode }) {
  return (
    <ListTabs
      {...{ tabs, tab: 7, label: 'Sequences' }}
      lists={[
        { name: 'recommended', label: 'Recommended', page: RecommendedSequences },
        { name: 'pharmacy', label: 'Pharmacy', page: PharmacySequences },
        { name: 'events', label: 'Events', page: SequenceEvents },
      ]}
    />
  )
}
