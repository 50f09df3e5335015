import { PUBLISHED_AFTER_DAYS } from '@pillar/domain/sixty-day/base'
import { areasOf, type GuildColumn, shownColumns, shownMolecules } from '@pillar/domain/sixty-day/guild'
import type { Span } from '@pillar/domain/time/period'
import { dayIn, zoneOf } from '@pillar/domain/time/zone'
import type { Services } from '../../api/context.ts'
import { categoryId } from '../metrics/subcategory.queries.ts'
import {
  type AreaFigures,
  type Between,
  insertMembers,
  insertPublication,
  isPublished,
  lockGuild,
  readBetween,
  readCandidates,
  readConditions,
  readFigures,
} from './guild.queries.ts'
import { currentLists } from './list.queries.ts'

const [CONDITION, AGE, MOLECULE] = [categoryId('Condition'), categoryId('Age Group'), categoryId('Molecule')]

/**
 * Writes down for good what the Guild may see of a base (docs/decisions/044): from eight days after its end, once. Nothing is written while no
 * state has three pharmacies. @returns whether it was written now
 */
export async function publishGuild({ pools, now }: Pick<Services, 'pools' | 'now'>, base: Span): Promise<boolean> {
  if (dayIn(zoneOf('AU', null), now()) < base.to + PUBLISHED_AFTER_DAYS) return false
  return pools.system.transaction().execute(async (tx) => {
    await lockGuild(tx)
    if (await isPublished(tx, base)) return false
    const areas = areasOf(await readCandidates(tx, base))
    if (areas.length === 0) return false
    await insertMembers(tx, base, areas)
    const figures = await readFigures(tx, base)
    const between = await readBetween(tx, base)
    const conditions = await readConditions(tx)
    const shown = [...Map.groupBy(figures, ({ state }) => state)].flatMap(([state, own]) =>
      shownOf(
        own,
        between.filter((one) => one.state === state),
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

/**
 * The rows of one state that may be shown: of the state (postcode '') and of its postcodes, the total and every column that is safe in each
 * of its areas. None when the total is not.
 */
export function shownOf(
  figures: readonly AreaFigures[],
  between: readonly Between[],
  conditions: ReadonlyMap<number, number | null>,
): AreaFigures[] {
  const columns = columnsOf(figures, between)
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

type Column = GuildColumn & { category: number; behind: Map<string, number[]> }

/** Who stands behind each column: by area, tranche and kind of figure; and behind what all tranches and the first differ by. */
function columnsOf(figures: readonly AreaFigures[], between: readonly Between[]): Map<string, Column> {
  const columns = new Map<string, Column>()
  const columnOf = (category: number, id: number): Column => {
    const key = `${category} ${id}`
    const known = columns.get(key) ?? { category, id, size: 0, behind: new Map<string, number[]>() }
    columns.set(key, known)
    return known
  }
  for (const row of figures) {
    const column = columnOf(row.category_id, row.subcategory_id) as Column & { size: number }
    column.size += row.tranche === 0 ? row.sums.scripts : 0
    for (const [kind, ids] of [
      ['all', row.dispensing],
      ['affected', row.affected],
    ] as const)
      column.behind.set(`${row.postcode} ${row.tranche} ${kind}`, [...(ids ?? [])])
  }
  for (const row of between)
    columnOf(row.category_id, row.subcategory_id).behind.set(`${row.postcode} between`, [...row.differing])
  return columns
}

/** The areas of a state added up, a row for each tranche and column. */
function stateRows(figures: readonly AreaFigures[]): AreaFigures[] {
  const groups = Map.groupBy(figures, (one) => `${one.tranche} ${one.category_id} ${one.subcategory_id}`)
  return [...groups.values()].map((own) => {
    const sums = { ...own[0]!.sums }
    for (const { sums: more } of own.slice(1))
      for (const name of Object.keys(sums) as (keyof typeof sums)[]) sums[name] += more[name]
    return { ...own[0]!, postcode: '', sums }
  })
}
