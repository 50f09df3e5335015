import { Button } from '@mantine/core'
import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { Icon } from '../../display/Icon.tsx'
import styles from './TwoPane.module.css'

interface TwoPaneProps {
  /** The left pane, 344 wide: search and filters, then a `ListPane`. */
  list: ReactNode
  listLabel: string
  /** The right pane; it scrolls inside itself. */
  detail: ReactNode
  detailLabel: string
  /** Small screens show one pane: the detail once an item is selected, with Back. */
  showDetail: boolean
  onBack: () => void
}

/** The inside of a wide dialog: a list, and the selected item. Below 768 px the list, then the detail with Back. */
export function TwoPane({ list, listLabel, detail, detailLabel, showDetail, onBack }: TwoPaneProps) {
  return (
    <div className={styles.panes} data-detail={showDetail || undefined}>
      <section className={styles.list} aria-label={listLabel}>
        {list}
      </section>
      <section className={styles.detail} aria-label={detailLabel}>
        <Button className={styles.back} variant="subtle" leftSection={<Icon of={ArrowLeft} />} onClick={onBack}>
          Back to the list
        </Button>
        {detail}
      </section>
    </div>
  )
}
