import { SIXTY_DAY_SUMS } from '@pillar/domain/sixty-day/figure'
import {
  areasOf,
  type Behind,
  behindOf,
  type GuildColumn,
  isSafeSum,
  sharesDays,
  shownColumns,
  shownMolecules,
} from '@pillar/domain/sixty-day/guild'
import type { Span } from '@pillar/domain/time/period'
import type { Services } from '../../api/context.ts'
import { categoryId } from '../metrics/subcategory.queries.ts'
import {
  type AreaBehind,
  type AreaFigures,
  insertMembers,
  insertPublication,
  lockGuild,
  type OwnTotal,
  readBehind,
  readCandidates,
  readConditions,
  readFigures,
  readShown,
  readTotals,
} from './guild.queries.ts'
import { currentLists } from './list.queries.ts'

const [CONDITION, AGE, MOLECULE] = [categoryId('Condition'), categoryId('Age Group'), categoryId('Molecule')]

/**
 * Stores for good what the Guild may see of a base (docs/decisions/044): once, and only if it shares no day with a base shown before. Stores
 * nothing while no state may be shown. @returns whether it was stored now
 */
export async function publishGuild({ pools, now }: Pick<Services, 'pools' | 'now'>, base: Span): Promise<boolean> {
  return pools.system.transaction().execute(async (tx) => {
    await lockGuild(tx)
    if ((await readShown(tx)).some((shown) => sharesDays(base, shown))) return false
    const totals = await readTotals(tx, base)
    const areas = areasOf(await readCandidates(tx, base), [safeIn(totals, [0, 1, 2]), safeIn(totals, [0])])
    if (areas.length === 0) return false
    await insertMembers(tx, base, areas)
    const figures = await readFigures(tx, base)
    const behind = await readBehind(tx, base)
    const conditions = await readConditions(tx)
    const shown = [...Map.groupBy(figures, ({ state }) => state)].flatMap(([state, own]) =>
      shownOf(
        own,
        behind.filter((one) => one.state === state),
        conditions,
      ),
    )
    const counts = Map.groupBy(areas, ({ state }) => state)
    const cells = shown.map((row) => {
      const own = counts.get(row.state) ?? []
      return {
        ...row,
        pharmacies: row.postcode === '' ? own.length : own.filter((one) => one.postcode === row.postcode).length,
      }
    })
    const states = new Set(cells.map(({ state }) => state))
    const lists = await currentLists(tx)
    const pharmacies = areas.filter(({ state }) => states.has(state)).length
    await insertPublication(tx, base, cells, { pharmacies, shortages: lists.shortages !== null, now: now() })
    return true
  })
}

/** Whether the totals of pharmacies together may be shown: for all tranches (0), the first (1), and their difference (2). */
function safeIn(totals: readonly OwnTotal[], scopes: readonly number[]): (ids: readonly number[]) => boolean {
  const known = new Map(totals.map(({ id, tranche, amounts }) => [`${id} ${tranche}`, amounts]))
  const amountOf = (id: number, scope: number, sum: number): number =>
    scope === 2 ? amountOf(id, 0, sum) - amountOf(id, 1, sum) : (known.get(`${id} ${scope}`)?.[sum] ?? 0)
  return (ids) =>
    scopes.every((scope) =>
      SIXTY_DAY_SUMS.every((_, sum) =>
        isSafeSum([behindOf(ids.map((id) => ({ id, amount: amountOf(id, scope, sum) })))]),
      ),
    )
}

/**
 * The rows of one state that may be shown: of the state (postcode '') and of its postcodes, the total and every column that is safe in each
 * of its areas. If only the difference between all tranches and the first is unsafe, all tranches are shown and the first is not.
 */
export function shownOf(
  figures: readonly AreaFigures[],
  behind: readonly AreaBehind[],
  conditions: ReadonlyMap<number, number | null>,
): AreaFigures[] {
  const both = safeRows(figures, behind, conditions)
  if (both.length > 0) return both
  return safeRows(
    figures.filter(({ tranche }) => tranche === 0),
    behind.filter(({ scope }) => scope === 0),
    conditions,
  )
}

/** Empty if the total is not safe. */
function safeRows(
  figures: readonly AreaFigures[],
  behind: readonly AreaBehind[],
  conditions: ReadonlyMap<number, number | null>,
): AreaFigures[] {
  const columns = columnsOf(behind)
  const of = (category: number) => [...columns.values()].filter((column) => column.category === category)
  if (shownColumns(of(0)).size === 0) return []
  const open = shownMolecules(
    of(CONDITION),
    of(MOLECULE).flatMap((column) => {
      const condition = conditions.get(column.id)
      return condition == null ? [] : [{ ...column, condition }]
    }),
  )
  const shown = new Map([
    [0, new Set([0])],
    [CONDITION, open.conditions],
    [MOLECULE, open.molecules],
    [AGE, shownColumns(of(AGE))],
  ])
  const visible = figures.filter((one) => shown.get(one.category_id)?.has(one.subcategory_id))
  return [...stateRows(visible), ...visible.filter(({ postcode }) => postcode !== '')]
}

type Column = GuildColumn & { category: number; size: number; behind: Map<string, Behind> }

/** The people and pharmacies behind each column, by area, scope and kind of figure. A column's size is its scripts. */
function columnsOf(behind: readonly AreaBehind[]): Map<string, Column> {
  const columns = new Map<string, Column>()
  for (const { postcode, category_id: category, subcategory_id: id, scope, kind, total, top } of behind) {
    const key = `${category} ${id}`
    const column = columns.get(key) ?? { category, id, size: 0, behind: new Map() }
    columns.set(key, column)
    if (scope === 0 && kind === 'scripts') column.size += total
    column.behind.set(`${postcode} ${scope} ${kind}`, { total, top })
  }
  return columns
}

/** The sums of a state's areas, a row for each tranche and column. */
function stateRows(figures: readonly AreaFigures[]): AreaFigures[] {
  const groups = Map.groupBy(figures, (one) => `${one.tranche} ${one.category_id} ${one.subcategory_id}`)
  return [...groups.values()].map((own) => {
    const sums = { ...own[0]!.sums }
    for (const { sums: more } of own.slice(1))
      for (const name of Object.keys(sums) as (keyof typeof sums)[]) sums[name] += more[name]
    return { ...own[0]!, postcode: '', sums }
  })
}
