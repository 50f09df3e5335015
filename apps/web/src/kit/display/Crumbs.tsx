import { ChevronRight } from 'lucide-react'
import { Children, type ReactNode } from 'react'
import { Icon } from './Icon.tsx'
import styles from './Page.module.css'

/** The heading of one thing: links to what it belongs to, each with an arrow to the next, then its name. */
export function Crumbs({ up, children }: { up: ReactNode; children: ReactNode }) {
  return (
    <span className={styles.crumbs}>
      {Children.map(up, (link) => (
        <>
          {link} <Icon of={ChevronRight} />
        </>
      ))}{' '}
      {children}
    </span>
  )
}
