/** The scripts that a group's product average shows, by subcategory id. */
export interface ShownScripts {
  readonly molecules: ReadonlySet<number>
  readonly drugTypes: ReadonlySet<number>
  readonly conditions: ReadonlySet<number>
}

/**
 * The part of a product average that a reader can tell a molecule's scripts belong to: its own if shown, else the remainder of its drug type and
 * condition. No sum or difference of shown figures separates two molecules of one part, because hidden ones lie in bundles that a shown drug
 * type or condition contains whole (decision 032).
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
