import { setImmediate as breathe } from 'node:timers/promises'

/** After this long, other requests of the portal get their turn. */
const TURN_MS = 8

/** Calls `work` for each number up to `count`, and lets others have their turn in between. */
export async function inTurns(count: number, work: (at: number) => void): Promise<void> {
  let turn = performance.now()
  for (let at = 0; at < count; at++) {
    work(at)
    if (performance.now() - turn < TURN_MS) continue
    await breathe()
    turn = performance.now()
  }
}
