export interface Ingredients {
  /** ATC code, to as many levels as known. */
  readonly atc: string | null
  /** Active ingredients. */
  readonly components: readonly string[]
}

/** For each molecule, the positions of those that replace it: others of the same ATC level 4, and combinations containing all its ingredients. */
export function replacements(molecules: readonly Ingredients[]): number[][] {
  const level4 = ({ atc }: Ingredients) => (atc !== null && atc.length >= 5 ? atc.slice(0, 5) : null)
  const groups = Map.groupBy(molecules.keys(), (at) => level4(molecules[at] as Ingredients))
  const combinations = [...molecules.keys()].filter((at) => (molecules[at] as Ingredients).components.length > 1)
  return molecules.map((old, at) => {
    const group = level4(old)
    const found = new Set(group === null ? [] : groups.get(group))
    for (const other of combinations) {
      const { components } = molecules[other] as Ingredients
      if (old.components.every((one) => components.includes(one))) found.add(other)
    }
    found.delete(at)
    return [...found]
  })
}
