import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import { openDialogs } from './focus/useOpener.ts'

/**
 * A search dialog, opened by Ctrl+K (⌘K on a Mac), on the screen that contains what it finds. Typed text stays while the screen shows a part that
 * was just opened.
 * @param enabled false if the key belongs to another dialog, or to the browser
 */
export function useFind(
  Named: ComponentType<{ onClose: () => void }>,
  enabled = true,
): { open: () => void; dialog: ReactNode } {
  const [opened, setOpened] = useState(false)
  useEffect(() => {
    if (!enabled) return
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      // The browser's own search box must not open instead, even while Find is open.
      event.preventDefault()
      // An open form keeps what was typed, because its page is not left.
      if (openDialogs.count === 0) setOpened(true)
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [enabled])
  return {
    open: () => setOpened(true),
    dialog: opened ? <Named onClose={() => setOpened(false)} /> : null,
  }
}
