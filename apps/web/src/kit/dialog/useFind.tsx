import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import { openDialogs } from './useOpener.ts'

/**
 * A dialog that finds things, opened by Ctrl+K (⌘K on a Mac) on the screen that outlives what is found: what is typed stays
 * while a part of it that was just opened takes its place.
 * @param enabled false where the key belongs to another, or to the browser
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
      // The browser's own search box must not open instead, also while Find is open.
      event.preventDefault()
      // A form that is open keeps what was typed into it: its page is not left.
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
