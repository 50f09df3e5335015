import type { Span } from '../time/period.ts'
import { GUILD_LEAST, GUILD_MOST_SHARE } from './choices.ts'

/** A pharmacy that may enter the Guild's figures. */
export interface Placed {
  readonly id: number
  readonly state: string | null
  readonly postcode: string | null
}
/** The area a pharmacy is counted in: a postcode that is shown, or the hidden rest of its state (''). */
export interface Area {
  readonly id: number
  readonly state: string
  readonly postcode: string
}

/** A pharmacy's part of a figure. */
export interface Part {
  readonly id: number
  readonly amount: number
}
/** The pharmacies behind a figure: the total, and the three with the largest parts, largest first (fewer if there are fewer). */
export interface Behind {
  readonly total: number
  readonly top: readonly Part[]
}

/** What stands behind a figure with these parts. Negative amounts (refunds, differences) count by their size. */
export function behindOf(parts: readonly Part[], least = GUILD_LEAST): Behind {
  const there = parts.filter(({ amount }) => amount !== 0).map(({ id, amount }) => ({ id, amount: Math.abs(amount) }))
  there.sort((a, b) => b.amount - a.amount || a.id - b.id)
  return { total: there.reduce((sum, { amount }) => sum + amount, 0), top: there.slice(0, least) }
}

/**
 * Whether the sum of some figures may be shown: nobody stands behind it, or at least three pharmacies do, none with more than half. A pharmacy
 * that is not among the three largest of a figure counts with the third largest amount, since it has no more.
 */
export function isSafeSum(figures: readonly Behind[], least = GUILD_LEAST): boolean {
  const total = figures.reduce((sum, figure) => sum + figure.total, 0)
  if (total === 0) return true
  const ids = new Set(figures.flatMap(({ top }) => top.map(({ id }) => id)))
  if (ids.size < least) return false
  const mostOf = (id: number, { top }: Behind) =>
    top.find((part) => part.id === id)?.amount ?? (top.length < least ? 0 : top.at(-1)!.amount)
  return [...ids].every(
    (id) => figures.reduce((sum, figure) => sum + mostOf(id, figure), 0) <= total * GUILD_MOST_SHARE,
  )
}

/**
 * The groups the Guild may see: safe states, and the safe postcodes in them. The rest of a state without its shown postcodes is empty or safe as
 * well; otherwise the smallest postcode is hidden with the rest. Pharmacies of other states are left out.
 * @param safes whether pharmacies together may be shown; a state for which the first leaves nothing is tried with the next
 */
export function areasOf(
  pharmacies: readonly Placed[],
  safes: readonly ((ids: readonly number[]) => boolean)[] = [(ids) => ids.length >= GUILD_LEAST],
): Area[] {
  return [...Map.groupBy(pharmacies, ({ state }) => state)].flatMap(([state, own]) => {
    if (!state) return []
    for (const isSafe of safes) {
      const areas = areasOfState(state, own, isSafe)
      if (areas.length > 0) return areas
    }
    return []
  })
}

function areasOfState(state: string, own: readonly Placed[], isSafe: (ids: readonly number[]) => boolean): Area[] {
  const idsOf = (some: readonly Placed[]) => some.map(({ id }) => id)
  const shown = [...Map.groupBy(own, ({ postcode }) => postcode ?? '')]
    .filter(([postcode, those]) => postcode !== '' && those.length >= GUILD_LEAST && isSafe(idsOf(those)))
    .sort(([a, those], [b, others]) => others.length - those.length || a.localeCompare(b))
  const names = new Set(shown.map(([postcode]) => postcode))
  const rest = () => own.filter(({ postcode }) => !names.has(postcode ?? ''))
  while (rest().length > 0 && !isSafe(idsOf(rest()))) {
    const smallest = shown.pop()
    if (!smallest) return []
    names.delete(smallest[0])
  }
  return own.map(({ id, postcode }) => ({ id, state, postcode: names.has(postcode ?? '') ? postcode! : '' }))
}

/** What stands behind a column of a state, by area and kind of figure. */
export interface GuildColumn {
  readonly id: number
  /** If more must be hidden, the smallest column goes first. */
  readonly size: number
  readonly behind: ReadonlyMap<string, Behind>
}

/** Whether these columns together are safe in every area and kind of figure. */
export function isSafe(columns: readonly GuildColumn[], least = GUILD_LEAST): boolean {
  const figures = new Map<string, Behind[]>()
  for (const column of columns)
    for (const [key, behind] of column.behind) figures.set(key, [...(figures.get(key) ?? []), behind])
  return [...figures.values()].every((own) => isSafeSum(own, least))
}

/** Whether a base shares a day with one shown before. The difference of the two would reveal a pharmacy that is in only one of them. */
export const sharesDays = (base: Span, shown: Span): boolean => base.from <= shown.to && base.to >= shown.from

/**
 * The columns that may be shown of the parts of a whole: each is safe, and so is the remainder of the whole without them. Everything shown then
 * consists of safe blocks, and so does every sum or difference.
 */
export function shownColumns(parts: readonly GuildColumn[], least = GUILD_LEAST): Set<number> {
  const shown = parts.filter((part) => isSafe([part], least)).sort((a, b) => b.size - a.size || a.id - b.id)
  const hidden = parts.filter((part) => !shown.includes(part))
  while (shown.length > 0 && !isSafe(hidden, least)) hidden.push(shown.pop()!)
  return new Set(shown.map(({ id }) => id))
}

/** The conditions and molecules that may be shown: a molecule only within a shown condition, and only if the remainder is safe. */
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
