import { TARGET_FIGURES, type TargetFigure } from '@pillar/domain/target/target'
import type { Country } from '@pillar/domain/time/locale'
import type { ReactNode } from 'react'
import styles from './Target.module.css'
import { TargetNote } from './TargetNote.tsx'
import type { Targets } from './useTargets.ts'

interface TargetStripProps {
  targets: Targets
  /** Why they could not be read, shown in their place. */
  failed: ReactNode
  /** Figures whose cards show their own target. */
  carded: readonly TargetFigure[]
  country: Country
}

/** The targets of figures without a card, below the headline figures; nothing while none is set. */
export function TargetStrip({ targets, failed, carded, country }: TargetStripProps) {
  const set = TARGET_FIGURES.flatMap((figure) => (carded.includes(figure) ? [] : (targets[figure] ?? [])))
  if (set.length === 0 && !failed) return null
  return (
    <section className={styles.strip} aria-label="Targets">
      {failed ? <span className={styles.note}>{failed}</span> : null}
      {set.map((one) => (
        <TargetNote key={one.id} target={one} country={country} named />
      ))}
    </section>
  )
}
