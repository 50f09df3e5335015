import { Modal } from '@mantine/core'
import { CircleAlert } from 'lucide-react'
import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'
import { dialogOpened } from '../../api/unsure-reads.ts'
import { Icon } from '../display/Icon.tsx'
import { useScrollFocus } from '../display/useScrollFocus.ts'
import styles from './Dialog.module.css'
import { keepFocus, useDialog } from './DialogStack.tsx'
import { startInside } from './focus/start-inside.ts'
import { InAddress } from './useBackCloses.ts'

const WIDTH = { S: 440, confirm: 560, M: 720 } as const

interface DialogProps {
  opened: boolean
  onClose: () => void
  title: ReactNode
  size?: keyof typeof WIDTH
  /** Buttons, primary last. */
  foot?: ReactNode
  /** Far left in the foot: the destructive button, or a few words. */
  footLeft?: ReactNode
  /** The server's message, shown above the foot. */
  error?: string | null
  /** False while work must not be interrupted: Esc, × and the backdrop then do nothing. */
  closable?: boolean
  children: ReactNode
}

/** A dialog: head 56, scrolling body, foot 64. Traps the focus and returns it to the opener. */
export function Dialog(props: DialogProps) {
  const { opened, onClose, title, size = 'S', foot, footLeft, error, closable = true, children } = props
  const close = () => closable && onClose()
  const { stackId, clickCloses } = useDialog(opened, close)
  useEffect(() => (opened ? dialogOpened() : undefined), [opened])
  return (
    <Modal
      stackId={stackId}
      opened={opened}
      onClose={close}
      title={title}
      size={WIDTH[size]}
      returnFocus={false}
      onMouseDown={keepFocus}
      closeOnClickOutside={closable && clickCloses}
      withCloseButton={closable}
      classNames={{ header: styles.head, title: styles.title, content: styles.content, body: styles.outer }}
    >
      <DialogBody error={error}>
        <InAddress value={false}>{children}</InAddress>
      </DialogBody>
      {error ? (
        <div className={styles.error} role="alert">
          <Icon of={CircleAlert} /> <span>{error}</span>
        </div>
      ) : null}
      {foot || footLeft ? (
        <div className={styles.foot}>
          {footLeft ? <div className={styles.left}>{footLeft}</div> : null}
          {foot}
        </div>
      ) : null}
    </Modal>
  )
}

/** Scrolls between head and foot, also by keyboard if it contains only words. The focus starts inside it, or else in the foot. */
function DialogBody({ error, children }: Pick<DialogProps, 'error' | 'children'>) {
  const box = useRef<HTMLDivElement>(null)
  const scrolling = useScrollFocus(box, 'Content')
  useLayoutEffect(() => startInside(box.current?.parentElement ?? null), [])
  // The error above the foot takes room from the body: the field to correct stays in view.
  useLayoutEffect(() => {
    if (error && box.current?.contains(document.activeElement))
      document.activeElement?.scrollIntoView({ block: 'nearest' })
  }, [error])
  return (
    <div ref={box} className={styles.body} {...scrolling}>
      {children}
    </div>
  )
}
