import { subscribe } from 'node:diagnostics_channel'
import { readdirSync } from 'node:fs'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Held } from './held.ts'

/**
 * Loaded before a process's own code, prints every TELL_MS milliseconds what the process holds after a full garbage collection. With
 * LEAK_BYTES it keeps that many bytes of every request, and a timer: leaks that the soak must find.
 */
const EVERY_MS = Number(process.env.TELL_MS)

/** As V8 does before it runs out of memory: an ordinary collection leaves caches and what depends on them, which fill for hours. */
const ALL = { type: 'major', execution: 'sync', flavor: 'last-resort' }

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as (how: object) => void

/** Where V8 stores compiled code: that grows for hours, as ever rarer functions have run often enough. */
const CODE = /^(shared_)?(code|trusted)_/

/** Bytes of live objects. */
const objects = () =>
  getHeapSpaceStatistics()
    .filter(({ space_name }) => !CODE.test(space_name))
    .reduce((sum, { space_used_size }) => sum + space_used_size, 0)

const tell = () => {
  const began = performance.now()
  const residentBefore = process.memoryUsage.rss()
  collect(ALL)
  const { external, rss } = process.memoryUsage()
  const held: Held = {
    ...{ at: Date.now(), living: objects() + external, resident: rss, residentBefore },
    files: readdirSync('/proc/self/fd').length,
    timers: process.getActiveResourcesInfo().filter((what) => what === 'Timeout').length,
  }
  process.stderr.write(`held ${JSON.stringify(held)}\n`)
  // On a busy machine a collection takes long: the process needs time for its work between two of them.
  setTimeout(tell, Math.max(EVERY_MS, 4 * (performance.now() - began))).unref()
}
setTimeout(tell, EVERY_MS).unref()

const kept: number[][] = []
const leak = Number(process.env.LEAK_BYTES ?? 0)
const timers: NodeJS.Timeout[] = []
if (leak > 0)
  subscribe('http.server.request.start', () => {
    kept.push(new Array(leak / 8).fill(0))
    timers.push(setTimeout(() => {}, 24 * 60 * 60_000))
  })
// Otherwise it would never end.
process.once('SIGTERM', () => timers.forEach(clearTimeout))
