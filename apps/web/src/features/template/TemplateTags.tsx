import { CircleCheck } from 'lucide-react'
import { Icon } from '../../kit/display/Icon.tsx'
import styles from './Template.module.css'

/** Active or inactive, and whether it came from a recommendation: plain words, with a green tick if it is active. */
export function TemplateTags({ active, recommended }: { active: boolean; recommended: boolean }) {
  return (
    <>
      <span className={active ? styles.active : styles.state}>
        {active ? <Icon of={CircleCheck} size={14} /> : null}
        {active ? 'Active' : 'Inactive'}
      </span>
      {recommended ? <span className={styles.state}>Recommended</span> : null}
    </>
  )
}
