import { subscribe } from 'node:diagnostics_channel'
import { readdirSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Held } from './held.ts'

/**
 * Loaded before a process's own code, prints every TELL_MS milliseconds what the process holds, after a full collection of garbage. With
 * LEAK_BYTES it keeps so much of every request: a leak that the soak must find.
 */
const EVERY_MS = Number(process.env.TELL_MS)

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

const tell = () => {
  const began = performance.now()
  const residentBefore = process.memoryUsage.rss()
  collect()
  const { heapUsed, external, rss } = process.memoryUsage()
  const held: Held = {
    ...{ at: Date.now(), living: heapUsed + external, resident: rss, residentBefore },
    files: readdirSync('/proc/self/fd').length,
    timers: process.getActiveResourcesInfo().filter((what) => what === 'Timeout').length,
  }
  process.stderr.write(`held ${JSON.stringify(held)}\n`)
  // On a busy machine a collection takes long: the process must get to its work between two of them.
  setTimeout(tell, Math.max(EVERY_MS, 4 * (performance.now() - began))).unref()
}
setTimeout(tell, EVERY_MS).unref()

const kept: number[][] = []
const leak = Number(process.env.LEAK_BYTES ?? 0)
if (leak > 0) subscribe('http.server.request.start', () => void kept.push(new Array(leak / 8).fill(0)))
