import { ActionIcon } from '@mantine/core'
import { type Country, formatNumber } from '@pillar/domain/locale'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { Icon } from '../display/Icon.tsx'
import styles from './Pager.module.css'

interface PagerProps {
  country: Country
  page: number
  pages: number
  perPage: number
  total: number
  onPage: (page: number) => void
}

/** '1–20 of 44' at the left, ‹ Page 1 of 3 › at the right. */
export function Pager({ country, page, pages, perPage, total, onPage }: PagerProps) {
  const number = (value: number) => formatNumber(country, value)
  const first = (page - 1) * perPage + 1
  const last = Math.min(total, page * perPage)
  return (
    <nav className={styles.pager} aria-label="Pages">
      <span aria-live="polite">
        {total === 0 || first > last ? '0' : `${number(first)}–${number(last)}`} of {number(total)}
      </span>
      <span className={styles.steps}>
        <ActionIcon
          variant="default"
          size={28}
          aria-label="Previous page"
          disabled={page <= 1}
          onClick={() => onPage(page - 1)}
        >
          <Icon of={ChevronLeft} />
        </ActionIcon>
        <span>
          Page <b>{number(page)}</b> of {number(Math.max(1, pages))}
        </span>
        <ActionIcon
          variant="default"
          size={28}
          aria-label="Next page"
          disabled={page >= pages}
          onClick={() => onPage(page + 1)}
        >
          <Icon of={ChevronRight} />
        </ActionIcon>
      </span>
    </nav>
  )
}
