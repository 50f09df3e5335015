/**
 * Positions in ascending order of their `keys`, with ties in the order of `from`: a counting sort, several times faster than comparing. Sorting
 * again by another key makes that key the first criterion and the earlier key the second.
 * @param from positions in their present order; all of them, or some
 * @param keys a whole number for each position, in a range not much wider than the number of positions
 */
export function sortedBy(from: Uint32Array, keys: Int32Array): Uint32Array {
  let low = Number.POSITIVE_INFINITY
  let high = Number.NEGATIVE_INFINITY
  for (const at of from) {
    const key = keys[at] as number
    if (key < low) low = key
    if (key > high) high = key
  }
  const sorted = new Uint32Array(from.length)
  if (from.length === 0) return sorted
  const next = new Uint32Array(high - low + 2)
  for (const at of from) (next[(keys[at] as number) - low + 1] as number)++
  for (let key = 1; key < next.length; key++) next[key] = (next[key] as number) + (next[key - 1] as number)
  for (const at of from) {
    const key = (keys[at] as number) - low
    sorted[next[key] as number] = at
    next[key] = (next[key] as number) + 1
  }
  return sorted
}

/**
 * The same positions, with those of one group in ascending order of `keys`. The first key counts most, and ties keep their order. Groups are
 * small and mostly in order already, so this costs a tenth of sorting by every key.
 * @param groupOf the group of each position; those of one group lie together in `from`
 */
export function sortedWithin(from: Uint32Array, groupOf: Int32Array, keys: readonly Int32Array[]): Uint32Array {
  const sorted = from.slice()
  for (let start = 0, at = 1; at <= sorted.length; at++) {
    if (at < sorted.length && groupOf[sorted[at] as number] === groupOf[sorted[start] as number]) continue
    let next = start + 1
    while (next < at && apart(keys, sorted[next - 1] as number, sorted[next] as number) <= 0) next++
    if (next < at) sorted.subarray(start, at).sort((one, other) => apart(keys, one, other))
    start = at
  }
  return sorted
}

/** The difference of two positions by the first key in which they differ; 0 if they differ in none. */
function apart(keys: readonly Int32Array[], one: number, other: number): number {
  for (const key of keys) {
    const by = (key[one] as number) - (key[other] as number)
    if (by !== 0) return by
  }
  return 0
}

/** Position of the first entry from `from` to `to` of an ascending column that is at least `least`; `to` if there is none. */
export function firstFrom(column: Int32Array, from: number, to: number, least: number): number {
  let [low, high] = [from, to]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((column[middle] as number) < least) low = middle + 1
    else high = middle
  }
  return low
}

/** 0, 1, 2 … */
export function positions(count: number): Uint32Array {
  const all = new Uint32Array(count)
  for (let at = 0; at < count; at++) all[at] = at
  return all
}

/**
 * The start of each of `groups` in a list sorted by group: entry g to entry g + 1 (excluded) are its members.
 * @param groupOf the group of each member, ascending
 */
export function startsOf(groupOf: ArrayLike<number>, groups: number): Uint32Array {
  const starts = new Uint32Array(groups + 1)
  for (let at = 0; at < groupOf.length; at++) {
    const group = groupOf[at] as number
    starts[group + 1] = (starts[group + 1] as number) + 1
  }
  for (let group = 0; group < groups; group++)
    starts[group + 1] = (starts[group + 1] as number) + (starts[group] as number)
  return starts
}
