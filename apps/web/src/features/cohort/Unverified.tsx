import type { CohortForecast } from '@pillar/contract/campaign/cohort'
import { TriangleAlert } from 'lucide-react'
import { Icon } from '../../kit/display/Icon.tsx'
import { unverifiedWords } from './sender-words.ts'
import styles from './Unverified.module.css'

/** Warns, before anything is sent, about pharmacies whose sender name phones do not trust. */
export function Unverified({ pharmacies }: Pick<CohortForecast, 'pharmacies'>) {
  const words = unverifiedWords(pharmacies)
  if (words === null) return null
  return (
    <p className={styles.unverified}>
      <Icon of={TriangleAlert} size={14} />
      <span>{words}</span>
    </p>
  )
}
