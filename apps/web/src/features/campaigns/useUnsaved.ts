import { useBlocker } from '@tanstack/react-router'
import { useRef } from 'react'
import { confirm } from '../../kit/confirm.tsx'

/**
 * Asks before unsaved work is left, whichever way: Cancel, Esc, the browser's Back, another page, closing the tab.
 * `leave()` lets the next step pass unasked, once what was written is saved.
 */
export function useUnsaved(dirty: boolean, noun: string): { leave: () => void } {
  const saved = useRef(false)
  useBlocker({
    shouldBlockFn: async () => {
      if (saved.current) return false
      const leaving = await confirm({
        title: `Leave without saving the ${noun}?`,
        consequence: 'What you have written here has not been saved and will be lost.',
        label: 'Leave without saving',
        danger: true,
        act: async () => {},
      })
      return !leaving
    },
    enableBeforeUnload: () => dirty && !saved.current,
    disabled: !dirty,
  })
  return {
    leave: () => {
      saved.current = true
    },
  }
}
