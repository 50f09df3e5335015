import type { Call } from '@pillar/contract'

/** What to read again, by the call that got no answer. */
const waiting = new Map<Call, () => void>()
let dialogs = 0

/**
 * Reads again what a write without an answer may have changed, so that no screen goes on showing the state before it. While a dialog is open,
 * this waits until the last one is closed: it says that the outcome is unknown and offers to try again, and reading again could take a form away.
 */
export function readAgain(call: Call, read: () => void): void {
  if (dialogs === 0) read()
  else waiting.set(call, read)
}

/** Marks a dialog as open. @returns marks it as closed, and does what waited for the last one */
export function dialogOpened(): () => void {
  dialogs += 1
  return () => {
    dialogs -= 1
    if (dialogs > 0) return
    const reads = [...waiting.values()]
    waiting.clear()
    for (const read of reads) read()
  }
}
