import { TARGET_FIGURES, type TargetFigure } from '@pillar/domain/target/target'
import type { Country } from '@pillar/domain/time/locale'
import styles from './Target.module.css'
import { TargetNote } from './TargetNote.tsx'
import type { Targets } from './useTargets.ts'

interface TargetStripProps {
  targets: Targets
  /** Figures whose cards say their target themselves. */
  carded: readonly TargetFigure[]
  country: Country
}

/** The targets of figures without a card, under the headline figures; nothing while none is set. */
export function TargetStrip({ targets, carded, country }: TargetStripProps) {
  const set = TARGET_FIGURES.flatMap((figure) => (carded.includes(figure) ? [] : (targets[figure] ?? [])))
  if (set.length === 0) return null
  return (
    <section className={styles.strip} aria-label="Targets">
      {set.map((one) => (
        <TargetNote key={one.id} target={one} country={country} named />
      ))}
    </section>
  )
}
