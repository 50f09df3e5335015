import type { SixtyDayListKind, SixtyDayLists } from '@pillar/domain/sixty-day/list'
import { eligibility } from '@pillar/domain/sixty-day/list'
import type { Day } from '@pillar/domain/time/day'
import { sql } from 'kysely'
import { recordAudit } from '../../api/audit.ts'
import type { Database, Tx } from '../../db/database.ts'
import { parseList, shippedList } from './list-files.ts'

/** The lists in force now. */
export interface CurrentLists extends Omit<SixtyDayLists, 'shortages'> {
  /** Null while no list of shortages has been loaded. */
  readonly shortages: readonly string[] | null
  /** Their ids; 0 for those that come with Pillar. */
  readonly ids: Readonly<Record<SixtyDayListKind, number>>
  /** When the list of shortages was loaded. */
  readonly shortagesAt: Date | null
}

/** Lists are cached once read, because none ever changes. By kind, id and time, because one process may see several databases. */
const known = new Map<string, unknown>()

/** The newest list of each kind, or the one that comes with Pillar. */
export async function currentLists(tx: Tx | Database): Promise<CurrentLists> {
  const { rows } = await sql<{ id: number; kind: SixtyDayListKind; loaded_at: Date }>`
    select distinct on (kind) id::int as id, kind, loaded_at from sixty_day_list order by kind, id desc`.execute(tx)
  const newest = new Map(rows.map((row) => [row.kind, row]))
  const of = async <K extends SixtyDayListKind>(kind: K): Promise<SixtyDayLists[K] | null> => {
    const list = newest.get(kind)
    if (list === undefined) return shippedList(kind)
    const key = `${kind} ${list.id} ${list.loaded_at.toISOString()}`
    if (!known.has(key)) {
      const found = await sql<{ content: string }>`select content from sixty_day_list where id = ${list.id}`.execute(tx)
      known.set(key, parseList(kind, found.rows[0]!.content))
    }
    return known.get(key) as SixtyDayLists[K]
  }
  const id = (kind: SixtyDayListKind) => newest.get(kind)?.id ?? 0
  return {
    ...{ items: (await of('items'))!, fees: (await of('fees'))!, uptake: (await of('uptake'))! },
    ...{ shortages: await of('shortages'), shortagesAt: newest.get('shortages')?.loaded_at ?? null },
    ids: { items: id('items'), fees: id('fees'), shortages: id('shortages'), uptake: id('uptake') },
  }
}

/** Replaces a list with a checked new one, keeps the previous one, and records it in the audit. @returns its id */
export async function insertList(
  tx: Tx,
  list: { kind: SixtyDayListKind; content: string; rows: number; source: string; by: string; now: Date },
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into sixty_day_list (kind, content, row_count, source, loaded_by, loaded_at)
    values (${list.kind}, ${list.content}, ${list.rows}, ${list.source}, ${list.by}, ${list.now}) returning id::int as id`.execute(
    tx,
  )
  const id = rows[0]!.id
  const { kind, by, source } = list
  await recordAudit(tx, {
    caller: null,
    action: 'sixtyDay.replaceList',
    object: String(id),
    name: kind,
    detail: { kind, rows: list.rows, by, source },
  })
  return id
}

/** Every list ever loaded, newest first. */
export async function listLists(system: Database) {
  return system
    .selectFrom('sixty_day_list')
    .select(['id', 'kind', 'row_count', 'source', 'loaded_by', 'loaded_at'])
    .orderBy('id', 'desc')
    .limit(50)
    .execute()
}

/** What may be dispensed for 60 days on a given day, as queries of cohorts and reports need it: item codes and ATC codes. */
export interface SixtyDayCodes {
  readonly atcs: readonly string[]
  readonly items: readonly string[]
  /** Item codes that are only for 60 days. */
  readonly sixty: readonly string[]
}

/** For countries other than Australia: nothing may be dispensed for 60 days. */
export const NO_SIXTY_DAY: SixtyDayCodes = { atcs: [], items: [], sixty: [] }

/** Whether a drug `d` of the molecule `m` may be dispensed for 60 days: its item code is on the list, or its ATC code. */
export const eligible = ({ items, atcs }: SixtyDayCodes) =>
  sql<boolean>`(coalesce(upper(d.pbs_code) = any(${[...items]}::text[]), false) or coalesce(m.atc = any(${[...atcs]}::text[]), false))`

/** Whether a drug `d` is an item for 60 days only. */
export const sixtyOnly = ({ sixty }: Pick<SixtyDayCodes, 'sixty'>) =>
  sql<boolean>`coalesce(upper(d.pbs_code) = any(${[...sixty]}::text[]), false)`

/** The codes of the current list as of a day. */
export async function sixtyDayCodes(tx: Tx, on: Day): Promise<SixtyDayCodes> {
  const items = (await currentLists(tx)).items.filter((one) => one.from <= on)
  return {
    atcs: [...new Set(items.flatMap(({ atc }) => (atc ? [atc] : [])))],
    items: items.flatMap(({ sixtyDayCode, thirtyDayCodes }) => [sixtyDayCode, ...thirtyDayCodes]),
    sixty: items.map(({ sixtyDayCode }) => sixtyDayCode),
  }
}

/** A drug of a pharmacy with the list's details. */
export interface ListedDrug {
  id: number
  molecule_id: number
  tranche: number
  sixtyCode: boolean
}

/** The pharmacy's drugs, with the tranche from which each may be dispensed for 60 days; 0 for those that may not. */
export async function listedDrugs(tx: Tx, locationId: number, items: SixtyDayLists['items']): Promise<ListedDrug[]> {
  const find = eligibility(items)
  const { rows } = await sql<{ id: number; molecule_id: number; pbs_code: string | null; atc: string | null }>`
    select d.id, d.molecule_id, d.pbs_code, m.atc from drug d join molecule m on m.id = d.molecule_id
    where d.location_id = ${locationId}`.execute(tx)
  return rows.map(({ id, molecule_id, pbs_code, atc }) => {
    const found = find(pbs_code, atc)
    return { id, molecule_id, tranche: found?.tranche ?? 0, sixtyCode: found?.sixtyCode ?? false }
  })
}
