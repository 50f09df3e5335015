import type { CohortForecast } from '@pillar/contract/campaign/cohort'
import { TriangleAlert } from 'lucide-react'
import { Icon } from '../../kit/display/Icon.tsx'
import { useCountry } from '../../session/session.ts'
import styles from './Warnings.module.css'
import { blankWords, refusedWords, unverifiedWords } from './warning-words.ts'

/** Warns, before anything is sent, about pharmacies whose sender name networks do not deliver or phones do not trust, or whose messages would have a gap. */
export function Warnings({ pharmacies }: Pick<CohortForecast, 'pharmacies'>) {
  const country = useCountry()
  const all = [refusedWords(country, pharmacies), unverifiedWords(pharmacies), ...blankWords(pharmacies)]
  return all.map((words) =>
    words === null ? null : (
      <p key={words} className={styles.warning}>
        <Icon of={TriangleAlert} size={14} />
        <span>{words}</span>
      </p>
    ),
  )
}
