import type { Country } from '@pillar/domain/time/locale'
import { LedgerBar } from './LedgerBar.tsx'
import { type ProgressCounts, progressParts } from './progress-parts.ts'

interface ProgressBarProps {
  country: Country
  counts: ProgressCounts
  big?: boolean
}

/** The states of a run's messages, as parts of one sum. */
export function ProgressBar({ country, counts, big }: ProgressBarProps) {
  return <LedgerBar parts={progressParts(country, counts)} big={big} />
}
