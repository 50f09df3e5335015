import { Link } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef } from 'react'
import { segmentAfter } from '../form/Segments.tsx'
import { scrollEdges } from './scroll-edges.ts'
import styles from './Tabs.module.css'

interface Tab {
  label: string
  /** The search part of its address; the rest of the address is dropped. */
  search: object
  on: boolean
}

/** Underlined links to the parts of a page; arrows move between them. `small`: parts within a part. */
export function Tabs({ label, tabs, small = false }: { label: string; tabs: readonly Tab[]; small?: boolean }) {
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const links = [...event.currentTarget.querySelectorAll('a')]
    const at = links.indexOf(document.activeElement as HTMLAnchorElement)
    const next = segmentAfter(
      event.key,
      at,
      links.map(() => ({})),
    )
    if (at < 0 || next === null) return
    event.preventDefault()
    links[next]?.focus()
  }
  const row = useRef<HTMLElement>(null)
  const current = tabs.findIndex(({ on }) => on)
  // On a phone the row is wider than the window, so it scrolls to the open tab.
  useLayoutEffect(() => {
    const link = row.current?.querySelectorAll('a')[current]
    if (!row.current || !link) return
    row.current.scrollLeft = link.offsetLeft - (row.current.clientWidth - link.offsetWidth) / 2
  }, [current])
  useEffect(() => scrollEdges(row.current), [])
  return (
    <nav
      ref={row}
      className={small ? `${styles.tabs} ${styles.small}` : styles.tabs}
      aria-label={label}
      onKeyDown={onKeyDown}
    >
      {tabs.map((tab) => (
        <Link
          key={tab.label}
          to="."
          search={tab.search as never}
          // An address with more parts than this one is a different tab.
          activeOptions={{ exact: true }}
          aria-current={tab.on ? 'page' : undefined}
        >
          {tab.label}
        </Link>
      ))}
    </nav>
  )
}
