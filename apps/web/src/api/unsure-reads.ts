import type { Call } from '@pillar/contract'

/** What to read again, by the call that got no answer. */
const waiting = new Map<Call, () => void>()
let dialogs = 0

/**
 * Reads again what a write without an answer may have changed, so that no screen goes on showing the state before it. While a dialog is open,
 * which says that the outcome is unknown and offers to try again, this waits until it is closed.
 */
export function readAgain(call: Call, read: () => void): void {
  if (dialogs === 0) read()
  else waiting.set(call, read)
}

/** Marks a dialog as open. @returns marks it as closed, and does what waited for that */
export function dialogOpened(): () => void {
  dialogs += 1
  return () => {
    dialogs -= 1
    const reads = [...waiting.values()]
    waiting.clear()
    for (const read of reads) read()
  }
}
