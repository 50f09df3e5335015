import { Info } from 'lucide-react'
import { Icon } from '../display/Icon.tsx'
import styles from './BatchNote.module.css'

/** What differs between the records edited together; nothing if nothing does. */
export function BatchNote({ children }: { children: string }) {
  if (children === '') return null
  return (
    <p className={styles.note}>
      <Icon of={Info} /> <span>{children} Fields left blank stay as they are in each.</span>
    </p>
  )
}
