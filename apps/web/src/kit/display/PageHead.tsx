import { ChevronRight, Clock } from 'lucide-react'
import { Children, type ReactNode } from 'react'
import { Icon } from './Icon.tsx'
import styles from './Page.module.css'

/** The heading of an item: links to what it belongs to, separated by arrows, then its name. */
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

/** The age of a page's figures, in its header: one or several statements. */
export function AsAt({ texts }: { texts: readonly string[] }) {
  return (
    <>
      <Icon of={Clock} size={15} />
      {texts.map((text, index) => (
        <span key={text}>
          {text}
          {index < texts.length - 1 ? <span className="faint"> ·</span> : null}
        </span>
      ))}
    </>
  )
}
