import { useLayoutEffect, useRef } from 'react'

/**
 * Gives focus back to whatever had it when a dialog opened, also to one that is made open or taken away while open.
 * An opener that is gone by then (a menu's item) is left alone.
 */
export function useOpener(opened: boolean): void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useLayoutEffect(() => {
    if (!opened) return
    // Development runs effects twice: the give-back of the first run must not take the focus from the second.
    clearTimeout(timer.current)
    const opener = document.activeElement
    return () => {
      timer.current = setTimeout(() => {
        if (opener instanceof HTMLElement && opener !== document.body && opener.isConnected) {
          opener.focus({ preventScroll: true })
        }
      })
    }
  }, [opened])
}
