import { AGE_BANDS, type Category, SEXES } from '@pillar/domain/dispensing/category'
import { PATIENT_TYPES } from '@pillar/domain/dispensing/patient-type'
import { asOwner, makeCompany, makeLocation, makeLogin, signIn } from '../../people.ts'
import type { TestServer } from '../../server.ts'
import { keyOf } from './average-installation.ts'
import { codeOf, numberOf, QUARTER, WAYS, type Way, type World, YEAR } from './average-world.ts'

type Counted = Way | 'Drug Type' | 'Condition'
const COUNTED: readonly Counted[] = [...WAYS, 'Drug Type', 'Condition']
const DAYS_A_MONTH = 22
const TOO_FEW_DAYS = 5

/** A small installation in the database, with people who read for its first two companies. */
export interface StoredWorld {
  /** Uuids of each company's pharmacies. */
  places: string[][]
  bearers: Record<string, string>[]
  /** The name of each cell, by its key. */
  names: Map<string, string>
  /** Writes what every pharmacy has uploaded by the date. */
  upload: (date: 0 | 1) => Promise<void>
}

const nameOf = (way: Counted, part: number): string => {
  if (way === 'Age Group') return AGE_BANDS[part]!.name
  if (way === 'Sex') return SEXES[part]!
  if (way === 'Patient Type') return PATIENT_TYPES[part]!
  return `${way} ${part}`
}

export async function storeWorld(server: TestServer, world: World): Promise<StoredWorld> {
  const ids = new Map<string, number>()
  const names = new Map<string, string>([['0 0', 'TOTAL']])
  for (const way of COUNTED) {
    for (let part = 0; part < (way === 'Drug Type' || way === 'Condition' ? 5 : world.parts[way]); part++) {
      ids.set(keyOf(way, part), await subcategory(server, way, nameOf(way, part)))
      names.set(keyOf(way, part), nameOf(way, part))
    }
  }
  for (const [at, { drugType, condition }] of world.molecules.entries()) {
    const parents = [keyOf('Drug Type', drugType), keyOf('Condition', condition), keyOf('Molecule', at)]
    await asOwner(
      server,
      `insert into molecule (key, name, components, drug_type_id, condition_id, molecule_id) values ($1, $1, array[$1], $2, $3, $4)`,
      [nameOf('Molecule', at), ...parents.map((key) => ids.get(key)!)],
    )
  }
  const companies: { id: number; bearer: Record<string, string> }[] = []
  for (let at = 0; at < world.companies; at++) {
    const { id } = await makeCompany(server)
    const login = at < 2 ? await makeLogin(server, id, { flags: ['data_analytics'] }) : null
    companies.push({ id, bearer: login ? (await signIn(server, login)).bearer : {} })
  }
  const places: { id: number; uuid: string }[] = []
  for (const { company } of world.pharmacies) places.push(await makeLocation(server, companies[company]!.id))
  return {
    places: companies.map((_, at) =>
      places.filter((_, pharmacy) => world.pharmacies[pharmacy]!.company === at).map(({ uuid }) => uuid),
    ),
    bearers: companies.map(({ bearer }) => bearer),
    names,
    async upload(date) {
      const totals = world.pharmacies.flatMap((_, at) => totalsOf(world, at, date, places[at]!.id))
      const cells = world.pharmacies.flatMap((_, at) => cellsOf(world, at, date, places[at]!.id, ids))
      await replace(server, totals, cells)
    },
  }
}

async function subcategory(server: TestServer, way: Category, name: string): Promise<number> {
  const rows = await asOwner<{ id: number }>(
    server,
    `insert into subcategory (category_id, name) values ($1, $2) on conflict (category_id, name) do update set name = excluded.name returning id`,
    [numberOf(way), name],
  )
  return Number(rows[0]!.id)
}

interface TotalRow {
  location_id: number
  period: number
  days: number
}
interface CellRow {
  location_id: number
  period: number
  category_id: number
  subcategory_id: number
  scripts: number
}

const isComplete = (world: World, pharmacy: number, month: number, date: number): boolean => {
  const from = world.pharmacies[pharmacy]!.complete[month]
  return from !== null && from !== undefined && from <= date
}

function totalsOf(world: World, pharmacy: number, date: number, location_id: number): TotalRow[] {
  return world.months.map((month, at) => ({
    ...{ location_id, period: codeOf(month) },
    days: isComplete(world, pharmacy, at, date) ? DAYS_A_MONTH : TOO_FEW_DAYS,
  }))
}

/** Every cell of every month, and the sums of these for the quarter and the year. */
function cellsOf(
  world: World,
  pharmacy: number,
  date: 0 | 1,
  location_id: number,
  ids: Map<string, number>,
): CellRow[] {
  const cells = new Map<string, CellRow>()
  const add = (period: number, category_id: number, subcategory_id: number, scripts: number) => {
    const key = `${period} ${category_id} ${subcategory_id}`
    const cell = cells.get(key) ?? { location_id, period, category_id, subcategory_id, scripts: 0 }
    cell.scripts += scripts
    cells.set(key, cell)
  }
  for (const [at, month] of world.months.entries()) {
    const scripts = world.pharmacies[pharmacy]!.scripts[at]![date]
    for (const period of [codeOf(month), codeOf(QUARTER), codeOf(YEAR)]) {
      const count = (way: Counted, part: number, some: number) =>
        add(period, numberOf(way), ids.get(keyOf(way, part))!, some)
      for (const way of WAYS) for (const [part, some] of scripts[way].entries()) count(way, part, some)
      for (const [molecule, some] of scripts.Molecule.entries()) {
        add(period, 0, 0, some)
        count('Drug Type', world.molecules[molecule]!.drugType, some)
        count('Condition', world.molecules[molecule]!.condition, some)
      }
    }
  }
  return [...cells.values()].filter(({ scripts }) => scripts > 0)
}

async function replace(server: TestServer, totals: readonly TotalRow[], cells: readonly CellRow[]): Promise<void> {
  await asOwner(server, 'delete from metric_cell')
  await asOwner(server, 'delete from metric_total')
  await asOwner(
    server,
    `insert into metric_total (location_id, period, from_day, to_day, scripts, revenue_cents, patients, male, female, adherent, non_adherent, opportunity_cents, business_days, complete)
     select location_id, period, '2026-07-01', '2026-07-31', 1000, 1, 1, 1, 1, 1, 1, 1, days, days >= 20
     from jsonb_to_recordset($1::jsonb) as t(location_id bigint, period int, days int)`,
    [JSON.stringify(totals)],
  )
  await asOwner(
    server,
    `insert into metric_cell select location_id, period, category_id, subcategory_id, scripts, scripts * 3000, 1, 0, 0, 0, 0, 0, 0, scripts, 0
     from jsonb_to_recordset($1::jsonb) as t(location_id bigint, period int, category_id smallint, subcategory_id int, scripts int)`,
    [JSON.stringify(cells)],
  )
}
