import { useEffect, useId, useSyncExternalStore } from 'react'

interface Entry {
  id: string
  wide: boolean
}

let stack: readonly Entry[] = []
const listeners = new Set<() => void>()

function put(next: readonly Entry[]): void {
  stack = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** What lies above a dialog in a stack: nothing, a small dialog that leaves it in view, or a wide one that takes its place. */
export function coverOf(entries: readonly Entry[], id: string): 'none' | 'small' | 'wide' {
  const at = entries.findIndex((entry) => entry.id === id)
  const above = at < 0 ? [] : entries.slice(at + 1)
  if (above.length === 0) return 'none'
  return above.some((entry) => entry.wide) ? 'wide' : 'small'
}

/** Puts an open dialog on the stack of open dialogs and says what covers it: only the topmost listens to Esc. */
export function useDialogStack(opened: boolean, wide: boolean): 'none' | 'small' | 'wide' {
  const id = useId()
  useEffect(() => {
    if (!opened) return
    put([...stack, { id, wide }])
    return () => put(stack.filter((entry) => entry.id !== id))
  }, [opened, id, wide])
  return useSyncExternalStore(subscribe, () => coverOf(stack, id))
}

/** Whether any dialog is open. */
export function isDialogOpen(): boolean {
  return stack.length > 0
}
