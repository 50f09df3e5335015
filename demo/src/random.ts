/**
 * A small fast generator (sfc32) whose stream depends only on its seeds, so that every part of the demo world can be generated again
 * separately.
 */
export interface Random {
  /** Uniform in [0, 1). */
  next(): number
  /** Uniform integer in 0..n-1. */
  int(n: number): number
  /** Standard normal. */
  normal(): number
  /** Exponential with mean 1. */
  exponential(): number
}

function scramble(hash: number, value: number): number {
  let h = Math.imul(hash ^ value, 0x9e3779b1)
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  return (h ^ (h >>> 13)) >>> 0
}

/** A stream named by integers, such as (network seed, pharmacy, patient). Equal names give equal streams. */
export function randomFrom(...names: readonly number[]): Random {
  let a = 0x6a09e667
  let b = 0xbb67ae85
  let c = 0x3c6ef372
  let d = 1
  for (const name of names) {
    a = scramble(a, name)
    b = scramble(b ^ a, name + 0x51)
    c = scramble(c ^ b, name + 0xa7)
  }
  const next = (): number => {
    const t = (((a + b) | 0) + d) | 0
    d = (d + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (c << 21) | (c >>> 11)
    c = (c + t) | 0
    return (t >>> 0) / 4294967296
  }
  for (let i = 0; i < 12; i++) next()
  return {
    next,
    int: (n) => Math.floor(next() * n),
    normal: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(6.283185307179586 * next()),
    exponential: () => -Math.log(1 - next()),
  }
}

/** One element of a non-empty list. */
export function pick<T>(random: Random, list: readonly T[]): T {
  return list[random.int(list.length)] as T
}

/** An index drawn from cumulative weights by binary search. */
export function pickWeighted(random: Random, cumulative: Float64Array): number {
  const target = random.next() * (cumulative[cumulative.length - 1] ?? 0)
  let low = 0
  let high = cumulative.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if ((cumulative[middle] ?? 0) > target) high = middle
    else low = middle + 1
  }
  return low
}

/** Running sums of weights, for pickWeighted. */
export function cumulate(weights: readonly number[]): Float64Array {
  const sums = new Float64Array(weights.length)
  let sum = 0
  weights.forEach((weight, i) => {
    sum += weight
    sums[i] = sum
  })
  return sums
}
