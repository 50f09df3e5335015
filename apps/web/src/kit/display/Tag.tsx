import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Icon } from './Icon.tsx'
import styles from './Tag.module.css'

export type Tone = 'good' | 'info' | 'active' | 'caution' | 'bad' | 'neutral' | 'outline'

interface TagProps {
  tone: Tone
  icon?: LucideIcon
  children: ReactNode
}

/** A status word of 22 px with its icon; colour never adds anything to the word. */
export function Tag({ tone, icon, children }: TagProps) {
  return (
    <span className={`${styles.tag} ${styles[tone]}`}>
      {icon ? <Icon of={icon} size={14} /> : null}
      {children}
    </span>
  )
}

/** '?' after a button's words, where what it counts or lists could not be read; `why` says so. */
export function Unknown({ why }: { why: string }) {
  return (
    <span className={`${styles.tag} ${styles.caution} ${styles.unknown}`} title={why}>
      ?<span className="sr"> {why}</span>
    </span>
  )
}
