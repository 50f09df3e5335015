import { Modal } from '@mantine/core'
import { CircleAlert } from 'lucide-react'
import type { CSSProperties, ReactNode } from 'react'
import { rem } from '../../shared/font-scale.ts'
import { Icon } from '../display/Icon.tsx'
import frame from './Dialog.module.css'
import { keepFocus, useDialog } from './DialogStack.tsx'
import { startInside } from './focus/start-inside.ts'
import { InAddress } from './useBackCloses.ts'
import styles from './WideDialog.module.css'

const SIZE = { two: [1240, 800], cohort: [1180, 796] } as const

interface WideDialogProps {
  opened: boolean
  onClose: () => void
  title: ReactNode
  /** Grey beside the title. */
  sub?: ReactNode
  /** 'two': list beside detail, 1240×800; 'cohort': fields beside a count, 1180×796. */
  size?: keyof typeof SIZE
  foot?: ReactNode
  /** Far left in the foot: the destructive button. */
  footLeft?: ReactNode
  /** The server's message, shown above the foot. */
  error?: string | null
  /** False while work must not be interrupted. */
  closable?: boolean
  /** Fills the space between head and foot, and scrolls inside itself. */
  children: ReactNode
}

/** A large dialog of fixed size; the whole window below 768. */
export function WideDialog(props: WideDialogProps) {
  const { opened, onClose, title, sub, size = 'two', foot, footLeft, error, closable = true, children } = props
  const close = () => closable && onClose()
  const { stackId, clickCloses } = useDialog(opened, close)
  const [width, height] = SIZE[size]
  const root: CSSProperties & { '--wide-height': string } = { '--wide-height': rem(height) }
  return (
    <Modal
      stackId={stackId}
      opened={opened}
      onClose={close}
      size={width}
      returnFocus={false}
      onMouseDown={keepFocus}
      closeOnClickOutside={closable && clickCloses}
      withCloseButton={closable}
      title={
        <>
          {title} {sub ? <span className={styles.sub}>{sub}</span> : null}
        </>
      }
      styles={{ root }}
      classNames={{
        inner: styles.inner,
        header: frame.head,
        title: `${frame.title} ${styles.title}`,
        content: `${frame.content} ${styles.content}`,
        body: frame.outer,
      }}
    >
      <div ref={startInside} className={styles.body}>
        <InAddress value={false}>{children}</InAddress>
      </div>
      {error ? (
        <div className={frame.error} role="alert">
          <Icon of={CircleAlert} /> <span>{error}</span>
        </div>
      ) : null}
      {foot || footLeft ? (
        <div className={frame.foot}>
          {footLeft ? <div className={frame.left}>{footLeft}</div> : null}
          {foot}
        </div>
      ) : null}
    </Modal>
  )
}
