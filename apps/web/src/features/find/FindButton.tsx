import { Button } from '@mantine/core'
import { Search } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { openDialogs } from '../../kit/dialog/useOpener.ts'
import { Icon } from '../../kit/display/Icon.tsx'
import styles from './Find.module.css'

const FindDialog = lazy(async () => ({ default: (await import('./FindDialog.tsx')).FindDialog }))

/** Opens Find, as Ctrl+K does anywhere in Settings (⌘K on a Mac). */
export function FindButton({ onOpen }: { onOpen: () => void }) {
  return (
    <Button
      className={styles.button}
      size="xs"
      variant="default"
      leftSection={<Icon of={Search} size={14} />}
      aria-keyshortcuts="Control+K Meta+K"
      onClick={onOpen}
    >
      Find <kbd className={styles.key}>Ctrl K</kbd>
    </Button>
  )
}

/** Find and its key, for the screen that outlives its tabs: what is typed stays while a tab that was just opened takes its place. */
export function useFind(): { open: () => void; dialog: ReactNode } {
  const [opened, setOpened] = useState(false)
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      // The browser's own search box must not open instead, also while Find is open.
      event.preventDefault()
      // A form that is open keeps what was typed into it: its page is not left.
      if (openDialogs.count === 0) setOpened(true)
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
  return {
    open: () => setOpened(true),
    dialog: opened ? (
      <Suspense fallback={null}>
        <FindDialog onClose={() => setOpened(false)} />
      </Suspense>
    ) : null,
  }
}
