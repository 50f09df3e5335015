import { setTimeout as sleep } from 'node:timers/promises'

/** The longest wait for another caller's look-up, whose connection may be dead. */
const PATIENCE_MS = 100

/**
 * Runs one look-up per key at a time and gives its answer to everyone who asked before it started. Callers who ask while one is running
 * wait for the next, so no answer is older than its question. Fifty simultaneous requests of one session cost two look-ups instead of
 * fifty.
 */
export function gathered<T>(look: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const running = new Map<string, Promise<T>>()
  const next = new Map<string, Promise<T>>()
  const start = (key: string): Promise<T> => {
    const made = look(key).finally(() => {
      if (running.get(key) === made) running.delete(key)
    })
    running.set(key, made)
    return made
  }
  const after = async (before: Promise<T>, key: string): Promise<T> => {
    await Promise.race([before.catch(() => {}), sleep(PATIENCE_MS, undefined, { ref: false })])
    next.delete(key)
    return start(key)
  }
  return (key) => {
    const waiting = next.get(key)
    if (waiting) return waiting
    const before = running.get(key)
    if (!before) return start(key)
    const made = after(before, key)
    next.set(key, made)
    return made
  }
}
