import { ActionIcon, NativeSelect } from '@mantine/core'
import { type Country, formatNumber } from '@pillar/domain/time/locale'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { Icon } from '../display/Icon.tsx'
import styles from './Pager.module.css'

interface PagerProps {
  country: Country
  page: number
  pages: number
  perPage: number
  /** Null while unknown: the pager then shows neither numbers nor arrows. */
  total: number | null
  /** There may be more rows than were counted. */
  uncounted?: boolean
  onPage: (page: number) => void
  /** The selectable numbers of rows per page, if any. */
  sizes?: readonly number[]
  onSize?: (size: number) => void
}

/** The rows of a page among all: '41–44 of 44'; '0 of 0' for none. */
export function placeWords(
  country: Country,
  { page, perPage, total }: { page: number; perPage: number; total: number },
): string {
  const first = (page - 1) * perPage + 1
  const last = Math.min(total, page * perPage)
  const number = (value: number) => formatNumber(country, value)
  return `${first > last ? 0 : `${number(first)}–${number(last)}`} of ${number(total)}`
}

/** '1–20 of 44' at the left, ‹ Page 1 of 3 › at the right. */
export function Pager(props: PagerProps) {
  const { country, page, pages, perPage, total, uncounted = false, onPage, sizes = [], onSize } = props
  const number = (value: number) => formatNumber(country, value)
  const more = uncounted ? '+' : ''
  // Read out when somebody turns the page; after a search, the count beside the search field is read out instead.
  const [turned, setTurned] = useState<number | null>(null)
  const turn = (to: number) => {
    setTurned(total)
    onPage(to)
  }
  return (
    <nav className={styles.pager} aria-label="Pages">
      {sizes.length > 0 ? (
        <span className={styles.size}>
          Rows
          <NativeSelect
            size="xs"
            aria-label="Rows a page"
            value={String(perPage)}
            data={sizes.toSorted((a, b) => a - b).map(String)}
            onChange={(event) => onSize?.(Number(event.currentTarget.value))}
          />
        </span>
      ) : null}
      <span aria-live={turned === total ? 'polite' : 'off'}>
        {total === null ? null : `${placeWords(country, { page, perPage, total })}${more}`}
      </span>
      {total === null ? null : (
        <span className={styles.steps}>
          <ActionIcon
            variant="default"
            size={28}
            aria-label="Previous page"
            disabled={page <= 1}
            onClick={() => turn(page - 1)}
          >
            <Icon of={ChevronLeft} />
          </ActionIcon>
          <span>
            Page <b>{number(page)}</b> of {number(Math.max(1, pages))}
            {more}
          </span>
          <ActionIcon
            variant="default"
            size={28}
            aria-label="Next page"
            disabled={page >= pages}
            onClick={() => turn(page + 1)}
          >
            <Icon of={ChevronRight} />
          </ActionIcon>
        </span>
      )}
    </nav>
  )
}
