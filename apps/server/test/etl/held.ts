import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** Bytes of live objects and texts of this process, after a collection. */
export function held(): number {
  collect()
  return process.memoryUsage().heapUsed
}
