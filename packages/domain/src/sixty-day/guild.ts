import { GUILD_LEAST } from './choices.ts'

/** A pharmacy that may enter the Guild's figures. */
export interface Placed {
  readonly id: number
  readonly state: string | null
  readonly postcode: string | null
}
/** Where a pharmacy is counted: a postcode that is shown, or the rest of its state (''), which is not. */
export interface Area {
  readonly id: number
  readonly state: string
  readonly postcode: string
}

/**
 * The groups that the Guild may see: states of at least three pharmacies, and in them postcodes of at least three. What a state leaves when
 * its shown postcodes are taken away is nothing or at least three pharmacies: else the smallest postcode is hidden with the rest.
 * Pharmacies of a smaller state are left out.
 */
export function areasOf(pharmacies: readonly Placed[], least = GUILD_LEAST): Area[] {
  const areas: Area[] = []
  for (const [state, own] of Map.groupBy(pharmacies, ({ state }) => state)) {
    if (!state || own.length < least) continue
    const byPostcode = [...Map.groupBy(own, ({ postcode }) => postcode ?? '')].sort(
      ([a, those], [b, others]) => others.length - those.length || a.localeCompare(b),
    )
    const shown = byPostcode.filter(([postcode, those]) => postcode !== '' && those.length >= least)
    let rest = own.length - shown.reduce((sum, [, those]) => sum + those.length, 0)
    while (rest > 0 && rest < least) rest += shown.pop()?.[1].length ?? own.length
    const names = new Set(shown.map(([postcode]) => postcode))
    for (const { id, postcode } of own) areas.push({ id, state, postcode: names.has(postcode ?? '') ? postcode! : '' })
  }
  return areas
}

/**
 * Who stands behind a column of a state: for every area and every kind of figure the pharmacies with any of it. Three of them are enough to
 * name: more change nothing.
 */
export interface GuildColumn {
  readonly id: number
  /** Smallest first is hidden first where something more must be hidden. */
  readonly size: number
  readonly behind: ReadonlyMap<string, readonly number[]>
}

/** Whether nobody or at least three pharmacies stand behind each kind of figure in each area, of these columns together. */
export function isSafe(columns: readonly GuildColumn[], least = GUILD_LEAST): boolean {
  const behind = new Map<string, Set<number>>()
  for (const column of columns)
    for (const [key, ids] of column.behind) {
      const known = behind.get(key) ?? new Set()
      for (const id of ids) known.add(id)
      behind.set(key, known)
    }
  return [...behind.values()].every(({ size }) => size === 0 || size >= least)
}

/**
 * The columns that may be shown of parts that make up a whole: each is safe, and so is what the whole leaves when they are taken away.
 * Everything shown then consists of blocks of nobody or at least three pharmacies, and so does every sum and difference of it.
 */
export function shownColumns(parts: readonly GuildColumn[], least = GUILD_LEAST): Set<number> {
  const shown = parts.filter((part) => isSafe([part], least)).sort((a, b) => b.size - a.size || a.id - b.id)
  const hidden = parts.filter((part) => !shown.includes(part))
  while (shown.length > 0 && !isSafe(hidden, least)) hidden.push(shown.pop()!)
  return new Set(shown.map(({ id }) => id))
}

/** The conditions and molecules that may be shown: a molecule only in a condition that is, and with what is left of it safe. */
export function shownMolecules(
  conditions: readonly GuildColumn[],
  molecules: readonly (GuildColumn & { readonly condition: number })[],
  least = GUILD_LEAST,
): { conditions: Set<number>; molecules: Set<number> } {
  const shown = shownColumns(conditions, least)
  const byCondition = Map.groupBy(molecules, ({ condition }) => condition)
  const open = [...shown].flatMap((condition) => [...shownColumns(byCondition.get(condition) ?? [], least)])
  return { conditions: shown, molecules: new Set(open) }
}
