/** What a group's product average shows of scripts, by the ids of subcategories. */
export interface ShownScripts {
  readonly molecules: ReadonlySet<number>
  readonly drugTypes: ReadonlySet<number>
  readonly conditions: ReadonlySet<number>
}

/**
 * The part of a product average that a molecule's scripts are in for whoever reads it: its own where it is shown, else what those shown of
 * its drug type and condition leave. No sum or difference of shown figures tells two molecules of one part apart, because hidden ones lie
 * in bundles that a shown drug type or condition holds whole (decision 032).
 * @param parents drug type and condition of the molecule
 */
export function averagePart(
  molecule: number,
  parents: readonly [drugType: number, condition: number],
  shown: ShownScripts,
): string {
  if (shown.molecules.has(molecule)) return `molecule ${molecule}`
  const [drugType, condition] = parents
  const of = (ids: ReadonlySet<number>, id: number) => (ids.has(id) ? id : '')
  return `rest ${of(shown.drugTypes, drugType)} ${of(shown.conditions, condition)}`
}
