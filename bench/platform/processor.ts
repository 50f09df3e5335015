import { readdirSync, readFileSync } from 'node:fs'

/**
 * Milliseconds of processor time used by a process and all its descendants. On a shared machine this shows what a request costs, where the
 * clock shows how long it waited. Linux; 0 elsewhere.
 */
export function processorTime(pid: number): number {
  const children = new Map<number, number[]>()
  for (const name of entries('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const parent = Number(/\) \S (\d+)/.exec(read(`/proc/${name}/stat`))?.[1] ?? 0)
    children.set(parent, [...(children.get(parent) ?? []), Number(name)])
  }
  const family: number[] = [pid]
  for (const one of family) family.push(...(children.get(one) ?? []))
  return family.reduce((sum, one) => sum + ownTime(one), 0)
}

/** Over all threads, in ms: the kernel counts nanoseconds. */
function ownTime(pid: number): number {
  const threads = entries(`/proc/${pid}/task`)
  return threads.reduce((sum, id) => sum + Number(read(`/proc/${pid}/task/${id}/schedstat`).split(' ')[0]) / 1e6, 0)
}

function entries(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** Empty for a process that has ended. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
