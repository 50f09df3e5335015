import { Modal } from '@mantine/core'
import { ArrowLeft, CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import dialog from './Dialog.module.css'
import { useDialogStack } from './dialog-stack.ts'
import { Icon } from './Icon.tsx'
import styles from './TwoPane.module.css'
import { useEscape } from './useEscape.ts'
import { useOpener } from './useOpener.ts'

interface TwoPaneProps {
  onClose: () => void
  title: ReactNode
  /** The left pane, 344 wide: search and filters, then the list. */
  list: ReactNode
  /** The right pane. */
  detail: ReactNode
  /** Small screens show one pane: the detail when something was picked, with Back. */
  showDetail: boolean
  onBack: () => void
  /** Buttons of the picked thing, primary last; far left the destructive one. */
  foot?: ReactNode
  footLeft?: ReactNode
  /** What the server said, shown above the foot. */
  error?: string | null
}

/** A dialog of 1240×800 with a list and what was picked from it. Below 768 px: the list, then the detail with Back. */
export function TwoPane(props: TwoPaneProps) {
  const { onClose, title, list, detail, showDetail, onBack, foot, footLeft, error } = props
  const cover = useDialogStack(true, true)
  useOpener(true)
  useEscape(true, onClose)
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      size={1240}
      returnFocus={false}
      closeOnEscape={false}
      closeOnClickOutside={cover === 'none'}
      styles={cover === 'wide' ? { root: { visibility: 'hidden' } } : undefined}
      classNames={{
        header: dialog.head,
        title: dialog.title,
        inner: styles.inner,
        content: `${dialog.content} ${styles.content}`,
        body: styles.body,
      }}
    >
      <div className={styles.panes} data-detail={showDetail || undefined}>
        <section className={styles.list} aria-label="List">
          {list}
        </section>
        <section className={styles.detail} aria-label="Details">
          <button type="button" className={styles.back} onClick={onBack}>
            <Icon of={ArrowLeft} /> Back
          </button>
          {detail}
        </section>
      </div>
      <div className={styles.end} data-detail={showDetail || undefined}>
        {error ? (
          <div className={`${dialog.error} ${styles.error}`} role="alert">
            <Icon of={CircleAlert} /> <span>{error}</span>
          </div>
        ) : null}
        {foot || footLeft ? (
          <div className={dialog.foot}>
            {footLeft ? <div className={dialog.left}>{footLeft}</div> : null}
            {foot}
          </div>
        ) : null}
      </div>
    </Modal>
  )
}
