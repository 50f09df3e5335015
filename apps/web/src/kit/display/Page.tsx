import type { ReactNode } from 'react'
import { useTitle } from '../../frame/title.ts'
import styles from './Page.module.css'

interface PageProps {
  /** The heading, and the document's title as '<title> - <product>'. */
  title: string
  /** A shorter heading than the document's title. */
  heading?: ReactNode
  /** The data's age and any late pharmacies; separate parts with ' · '. */
  asAt?: ReactNode
  /** Right side of the header: at most one primary button. */
  actions?: ReactNode
  children: ReactNode
}

/** A screen of the portal: header of 60 px, then the content, which fills the window and scrolls inside itself. */
export function Page({ title, heading, asAt, actions, children }: PageProps) {
  useTitle(title)
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <h1>{heading ?? title}</h1>
        {asAt ? <div className={styles.asAt}>{asAt}</div> : null}
        {actions ? <div className={styles.actions}>{actions}</div> : null}
      </header>
      <div className={styles.body}>{children}</div>
    </div>
  )
}
