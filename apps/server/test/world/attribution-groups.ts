import type { Line } from './attribution-world.ts'

/** Dollars of a group's people in the days that count, and in the same days a year before. */
export interface People {
  ids: string[]
  post: number[]
  pre: number[]
}

let seed = 42
/** Repeatable noise of about -25..25 dollars. */
function noise(): number {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
  return Math.round((seed / 2 ** 32 - 0.5) * 5000) / 100
}

/** What was dispensed to the people of all groups. */
export const GROUP_LINES: Line[] = []

function people(word: string, count: number, post: () => number, pre: (() => number) | null): People {
  const group: People = { ids: [], post: [], pre: [] }
  for (let at = 0; at < count; at++) {
    const id = `${word}${at}`
    const now = Math.round(post() * 100) / 100
    const before = pre ? Math.round(pre() * 100) / 100 : 0
    GROUP_LINES.push([id, '2026-09-20', 'D', now])
    if (pre) GROUP_LINES.push([id, '2025-09-20', 'D', before])
    group.ids.push(id)
    group.post.push(now)
    group.pre.push(before)
  }
  return group
}

const about = (dollars: number) => () => dollars + noise()

/** People to compare with each other: those of the worked example of domain.md section 6, and others who spend with noise. */
export const GROUPS = {
  treated: people('a', 900, () => 58.2, null),
  withheld: people('b', 100, () => 52, null),
  // Those who cannot be reached spend less in both years: their level must not matter, only its change.
  reached: people('c', 260, about(75), about(62)),
  unreached: people('d', 180, about(45), about(40)),
  nothing: people('e', 300, about(60), about(60)),
  nothingKept: people('f', 200, about(60), about(60)),
}
