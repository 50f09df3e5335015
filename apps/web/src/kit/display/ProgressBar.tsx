import type { Country } from '@pillar/domain/locale'
import { LedgerBar } from './LedgerBar.tsx'
import { type ProgressCounts, progressParts } from './progress-parts.ts'

interface ProgressBarProps {
  country: Country
  counts: ProgressCounts
  big?: boolean
}

/** Where the messages of a run stand, as parts of one sum. */
export function ProgressBar({ country, counts, big }: ProgressBarProps) {
  return <LedgerBar parts={progressParts(country, counts)} big={big} />
}
