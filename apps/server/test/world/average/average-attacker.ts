import load from 'highs'

/**
 * Reads every published average and puts all of it into one linear program: what could each pharmacy's figures be, given that none is
 * negative, that the parts of each way of counting add up to the same whole, and what was published? The attacker even knows which
 * pharmacies are behind a figure, and which ones do not sell something.
 */
export interface Attacker {
  /** Declares an unknown amount. @returns its name */
  unknown: () => string
  /** States that two sums of amounts are equal. */
  same: (some: readonly string[], others: readonly string[]) => void
  /** States that a weighted sum of amounts lies between two numbers. */
  between: (terms: readonly Term[], low: number, high: number) => void
  /** The smallest and the largest possible value of a sum of amounts. */
  bounds: (amounts: readonly string[], largestAlone: (largest: number) => boolean) => { low: number; high: number }
}
export interface Term {
  amount: string
  weight: number
}

// Its types are for a different module format than the one loaded.
const highs = await (load as unknown as typeof load.default)()
const TERMS_A_LINE = 8

export function openAttacker(): Attacker {
  let amounts = 0
  const rows: string[] = []
  const written = (terms: readonly Term[]) => {
    const texts = terms.map(({ amount, weight }) => `${weight < 0 ? '-' : '+'} ${Math.abs(weight)} ${amount}`)
    const lines: string[] = []
    for (let at = 0; at < texts.length; at += TERMS_A_LINE) lines.push(texts.slice(at, at + TERMS_A_LINE).join(' '))
    return lines.join('\n ')
  }
  const plain = (names: readonly string[], weight = 1) => names.map((amount) => ({ amount, weight }))
  const add = (terms: readonly Term[], comparison: string) => {
    rows.push(` r${rows.length}: ${written(terms)} ${comparison}`)
  }
  const solve = (aim: 'Maximize' | 'Minimize', names: readonly string[]): number => {
    const text = `${aim}\n obj: ${written(plain(names))}\nSubject To\n${rows.join('\n')}\nEnd\n`
    const { Status, ObjectiveValue } = highs.solve(text, { output_flag: false })
    if (Status === 'Unbounded' || Status === 'Primal infeasible or unbounded') return Number.POSITIVE_INFINITY
    if (Status !== 'Optimal') throw new Error(`The published figures contradict each other: ${Status}`)
    return ObjectiveValue
  }
  return {
    unknown: () => `x${amounts++}`,
    same: (some, others) => add([...plain(some), ...plain(others, -1)], '= 0'),
    between(terms, low, high) {
      if (terms.length === 0) return
      add(terms, `>= ${low}`)
      add(terms, `<= ${high}`)
    },
    bounds(names, largestAlone) {
      const high = solve('Maximize', names)
      return { low: largestAlone(high) ? 0 : solve('Minimize', names), high }
    },
  }
}

/** The range of values that round to a figure of three digits. */
export function beforeRounding(value: number): { low: number; high: number } {
  const unit = value === 0 ? 0 : 10 ** (Math.floor(Math.log10(Math.abs(value))) - 2)
  return { low: value - unit / 2, high: value + unit / 2 }
}
