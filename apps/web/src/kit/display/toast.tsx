import { notifications } from '@mantine/notifications'
import { CircleCheck, CircleX } from 'lucide-react'
import { newId } from '../../shared/new-id.ts'
import { Icon } from './Icon.tsx'
import styles from './toast.module.css'

const SHOWN_MS = 6000

interface ToastOptions {
  /** A link at the right, such as Undo or Show; pressing it closes the toast. */
  action?: { label: string; run: () => void }
}

function show(message: string, failed: boolean, { action }: ToastOptions): void {
  const id = newId()
  notifications.show({
    id,
    message: (
      <span className={styles.line}>
        <Icon of={failed ? CircleX : CircleCheck} /> <span>{message}</span>
        {action ? (
          <button
            type="button"
            className={styles.action}
            onClick={() => {
              notifications.hide(id)
              action.run()
            }}
          >
            {action.label}
          </button>
        ) : null}
      </span>
    ),
    // An error stays until it is closed, because it must not go unseen.
    autoClose: failed ? false : SHOWN_MS,
    role: failed ? 'alert' : 'status',
    classNames: { root: styles.root, description: styles.text, closeButton: styles.close },
    closeButtonProps: { 'aria-label': 'Close' },
  })
}

/** A short message at the bottom left for 6 seconds, longer while hovered. */
export function toast(message: string, options: ToastOptions = {}): void {
  show(message, false, options)
}

/** The same for a failure; it stays until closed. */
export function toastFailure(message: string, options: ToastOptions = {}): void {
  show(message, true, options)
}
