import load from 'highs'

/**
 * Somebody who reads every published average and puts all of it into one linear program: what could each pharmacy's figures be, given
 * that none is negative, that the parts of each way of counting add up to the same whole, and what was published? The attacker even knows
 * which pharmacies stand behind a figure, and who sells none of something.
 */
export interface Attacker {
  /** Declares an amount nobody else knows. @returns its name */
  unknown: () => string
  /** Two sums of amounts that are equal. */
  same: (some: readonly string[], others: readonly string[]) => void
  /** A sum of amounts, each times a weight, that lies between two numbers. */
  between: (terms: readonly Term[], low: number, high: number) => void
  /** The smallest and the largest that a sum of amounts can be. */
  bounds: (amounts: readonly string[], largestAlone: (largest: number) => boolean) => { low: number; high: number }
}
export interface Term {
  amount: string
  weight: number
}

// Declared for another kind of module than the one that is loaded.
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

/** What a figure of three digits can have been before it was rounded. */
export function beforeRounding(value: number): { low: number; high: number } {
  const unit = value === 0 ? 0 : 10 ** (Math.floor(Math.log10(Math.abs(value))) - 2)
  return { low: value - unit / 2, high: value + unit / 2 }
}
