import { join } from 'node:path'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { dayOf } from '@pillar/demo/calendar'
import { dailyUnits } from '@pillar/domain/dispensing/directions'
import { type Molecule, moleculeOf } from '../apps/server/src/features/upload/read/molecule.ts'
import { ANSWER } from './rival-answer.queries.ts'

/** Sums of one pharmacy and drug type, as DuckDB calculates them. Money in cents. */
export interface RivalRow {
  pharmacy: number
  drug_type: string
  scripts: number
  cents: number
  measured: number
  adherent: number
  leaked: number
}

export interface Rival {
  /** Adds a folder of a pharmacy's canonical files up to a day (ISO); rows sent again replace the old ones. */
  load: (pharmacy: number, folder: string, reached: string) => Promise<void>
  /** Calculates the table's sums for the given pharmacies and days (ISO) from the raw scripts. */
  answer: (pharmacies: readonly number[], from: string, to: string) => Promise<RivalRow[]>
  /** Any other query, in SQL. */
  ask: (sql: string) => Promise<Record<string, unknown>[]>
  /** Scripts held. */
  count: () => Promise<number>
  close: () => void
}

const TABLES = [
  'patient (pharmacy int, patient bigint, facility boolean, died int)',
  'prescription (pharmacy int, prescription bigint, patient bigint, drug bigint, repeats int, ceased int)',
  `script (pharmacy int, script bigint, patient bigint, drug bigint, prescription bigint, day int, days int, cents int,
     supply int, supplied boolean)`,
  'drug (pharmacy int, drug bigint, molecule int, chronic boolean, pack_days double, pack_size double, pbs varchar)',
  'molecule (id int, key varchar, drug_type varchar, atc varchar, components varchar[])',
  'replaces (old int, new int)',
  'direction (text varchar, units double)',
  'reach (pharmacy int, reached int)',
]

/**
 * Opens the rival's database in a file. Loading prepares what is not being compared: days' supply of each script, supply numbers, each
 * drug's molecule and type. The answer only has to count, which favours the rival.
 */
export async function openRival(path: string): Promise<Rival> {
  const instance = await DuckDBInstance.create(path, { threads: '2', memory_limit: '8GB' })
  const db = await instance.connect()
  for (const table of TABLES) await db.run(`create table if not exists ${table}`)
  const molecules = new Map((await read(db, 'select key, id from molecule')).map((row) => [row.key, Number(row.id)]))
  // There is one connection, so loads run one after another.
  let last: Promise<void> = Promise.resolve()
  return {
    load(pharmacy, folder, reached) {
      last = last.then(() => loadFolder(db, molecules, pharmacy, folder, reached))
      return last
    },
    async answer(pharmacies, from, to) {
      const sql = ANSWER.replaceAll('$pharmacies', `[${pharmacies.join(', ')}]`)
      const rows = await read(db, sql.replaceAll('$from', String(dayOf(from))).replaceAll('$to', String(dayOf(to))))
      return rows.map(({ drug_type, ...sums }) => ({
        drug_type: String(drug_type),
        ...(Object.fromEntries(Object.entries(sums).map(([name, sum]) => [name, Number(sum)])) as Omit<
          RivalRow,
          'drug_type'
        >),
      }))
    },
    ask: (sql) => read(db, sql),
    count: async () => Number((await read(db, 'select count(*) as n from script'))[0]?.n),
    close() {
      db.closeSync()
      instance.closeSync()
    },
  }
}

async function read(db: DuckDBConnection, sql: string): Promise<Record<string, unknown>[]> {
  return (await db.runAndReadAll(sql)).getRowObjects()
}

const text = (value: string) => `'${value.replaceAll("'", "''")}'`
const csv = (folder: string, set: string) =>
  `read_csv(${text(join(folder, `${set}.csv`))}, header = true, all_varchar = true, quote = '"', escape = '"')`
const days = (column: string) => `(${column}::date - date '1970-01-01')::int`
const cents = (column: string) => `coalesce((${column}::decimal(12, 2) * 100)::int, 0)`

async function loadFolder(
  db: DuckDBConnection,
  molecules: Map<unknown, number>,
  pharmacy: number,
  folder: string,
  reached: string,
): Promise<void> {
  await db.run('begin')
  await loadDrugs(db, molecules, pharmacy, folder)
  for (const [table, columns] of [
    ['patient', `patient_id::bigint, coalesce(facility = '1', false), ${days('deceased_on')}`],
    [
      'prescription',
      `prescription_id::bigint, patient_id::bigint, drug_id::bigint, repeats_authorised::int, ${days('ceased_on')}`,
    ],
  ] as const) {
    const file = csv(folder, `${table}s`)
    await db.run(`delete from ${table} where pharmacy = ${pharmacy}
      and ${table} in (select ${table}_id::bigint from ${file})`)
    await db.run(`insert into ${table} select ${pharmacy}, ${columns} from ${file}`)
  }
  await loadScripts(db, pharmacy, folder)
  await db.run(`delete from reach where pharmacy = ${pharmacy}`)
  await db.run(`insert into reach values (${pharmacy}, ${dayOf(reached)})`)
  await db.run('commit')
}

async function loadScripts(db: DuckDBConnection, pharmacy: number, folder: string): Promise<void> {
  const file = csv(folder, 'scripts')
  const fresh = await read(
    db,
    `select distinct directions as text from ${file} where directions is not null and directions not in (select text from direction)`,
  )
  const known = fresh.map((row) => `(${text(String(row.text))}, ${dailyUnits(String(row.text)) ?? 'null'})`)
  if (known.length > 0) await db.run(`insert into direction values ${known.join(', ')}`)
  // Sent again after an interrupted run: counts only once.
  await db.run(`delete from script where pharmacy = ${pharmacy} and script in (select script_id::bigint from ${file})`)
  const clamp = (value: string) => `least(365, greatest(1, floor(${value} + 0.5)))::int`
  await db.run(`
    insert into script
    select ${pharmacy}, s.script_id::bigint, s.patient_id::bigint, s.drug_id::bigint, s.prescription_id::bigint, ${days('s.dispensed_on')},
           case when s.days_supply::int > 0 then ${clamp('s.days_supply::int')}
                when s.units::double > 0 and n.units is not null then ${clamp('s.units::double / n.units')}
                when d.pack_days is not null
                then ${clamp('d.pack_days * coalesce(nullif(s.units::double, 0) / d.pack_size, 1)')}
                else 30 end,
           ${cents('s.patient_price')} + ${cents('s.government_amount')},
           case when s.supply_number::int >= 1 then s.supply_number::int
                when coalesce(s.repeats_authorised::int, x.repeats) >= s.repeats_left::int
                then coalesce(s.repeats_authorised::int, x.repeats) - s.repeats_left::int + 1 end,
           coalesce(s.deferred, '0') = '0' and coalesce(s.reversed, '0') = '0'
    from ${file} s
    join drug d on d.pharmacy = ${pharmacy} and d.drug = s.drug_id::bigint
    left join prescription x on x.pharmacy = ${pharmacy} and x.prescription = s.prescription_id::bigint
    left join direction n on n.text = s.directions`)
}

/** Drugs with their molecule, and their replacements; the rules for both are Pillar's own functions. */
async function loadDrugs(
  db: DuckDBConnection,
  molecules: Map<unknown, number>,
  pharmacy: number,
  folder: string,
): Promise<void> {
  const rows = await read(db, `select * from ${csv(folder, 'drugs')}`)
  const cell = (row: Record<string, unknown>, name: string) => (row[name] === null ? '' : String(row[name]))
  const drugs: string[] = []
  for (const row of rows) {
    const molecule = moleculeOf({ name: cell(row, 'name'), molecule: cell(row, 'molecule'), atc: cell(row, 'atc') })
    const id = molecules.get(molecule.key) ?? (await addMolecule(db, molecules, molecule))
    const chronic = cell(row, 'chronic') === '' ? molecule.chronic : cell(row, 'chronic') === '1'
    const pack = Number(cell(row, 'pack_size'))
    const perPack = Number(cell(row, 'default_days')) || (pack === 28 || pack === 30 ? pack : null)
    const pbs = text(cell(row, 'pbs_code').toUpperCase())
    drugs.push(
      `(${pharmacy}, ${cell(row, 'drug_id')}, ${id}, ${chronic}, ${perPack ?? 'null'}, ${pack || 'null'}, ${pbs})`,
    )
  }
  await db.run(
    `delete from drug where pharmacy = ${pharmacy} and drug in (${rows.map((row) => row.drug_id).join(', ')})`,
  )
  await db.run(`insert into drug values ${drugs.join(', ')}`)
}

async function addMolecule(db: DuckDBConnection, molecules: Map<unknown, number>, molecule: Molecule): Promise<number> {
  const id = molecules.size + 1
  molecules.set(molecule.key, id)
  const parts = `[${molecule.components.map(text).join(', ')}]`
  await db.run(`insert into molecule values
    (${id}, ${text(molecule.key)}, ${text(molecule.drugType)}, ${molecule.atc ? text(molecule.atc) : 'null'}, ${parts})`)
  const after = (older: string, newer: string) => `
    (left(${newer}.atc, 5) = left(${older}.atc, 5) and length(${older}.atc) >= 5
      or len(${newer}.components) > 1 and list_has_all(${newer}.components, ${older}.components))`
  await db.run(`
    insert into replaces
    select o.id, m.id from molecule m join molecule o on o.id <> m.id where m.id = ${id} and ${after('o', 'm')}
    union all select m.id, o.id from molecule m join molecule o on o.id <> m.id where m.id = ${id} and ${after('m', 'o')}`)
  return id
}
