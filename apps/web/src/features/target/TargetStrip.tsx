import { TARGET_FIGURES } from '@pillar/domain/target/target'
import type { Country } from '@pillar/domain/time/locale'
import type { PeriodChoice } from '@pillar/domain/time/period'
import styles from './Target.module.css'
import { TargetNote } from './TargetNote.tsx'
import { useTargets } from './useTargets.ts'

interface TargetStripProps {
  choice: PeriodChoice
  /** Null for the company, undefined for a selection that has no targets. */
  pharmacyId: string | null | undefined
  country: Country
}

/** The targets of the period under the headline figures; nothing while none is set. */
export function TargetStrip({ choice, pharmacyId, country }: TargetStripProps) {
  const targets = useTargets(choice, pharmacyId)
  const set = TARGET_FIGURES.flatMap((figure) => targets[figure] ?? [])
  if (set.length === 0) return null
  return (
    <section className={styles.strip} aria-label="Targets">
      {set.map((one) => (
        <TargetNote key={one.id} target={one} country={country} named />
      ))}
    </section>
  )
}
