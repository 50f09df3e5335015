import { asOwner } from '../people.ts'
import type { TestServer } from '../server.ts'

/** Three statins of the drug type Statins and the condition Lipids. */
export async function makeMolecules(server: TestServer): Promise<number[]> {
  const named = async (category: number, name: string) => {
    const rows = await asOwner<{ id: number }>(
      server,
      'insert into subcategory (category_id, name) values ($1, $2) on conflict (category_id, name) do update set name = excluded.name returning id',
      [category, name],
    )
    return Number(rows[0]!.id)
  }
  const [statins, lipids] = [await named(1, 'Statins'), await named(2, 'Lipids')]
  const molecules: number[] = []
  for (const name of ['rosuvastatin', 'atorvastatin', 'fluvastatin']) {
    const own = await named(6, name)
    const [row] = await asOwner<{ id: number }>(
      server,
      `insert into molecule (key, name, components, drug_type_id, condition_id, molecule_id) values ($1, $1, array[$1], $2, $3, $4)
       on conflict (key) do update set drug_type_id = $2, condition_id = $3, molecule_id = $4 returning id`,
      [name, statins, lipids, own],
    )
    molecules.push(Number(row!.id))
  }
  return molecules
}

/** Scripts of one product at one pharmacy on business days of a month, one per person. */
export async function dispense(
  server: TestServer,
  place: number,
  name: string,
  molecule: number,
  people: number,
  month = '2026-10',
): Promise<void> {
  const [drug] = await asOwner<{ id: number }>(
    server,
    `insert into drug (location_id, source, source_id, name, molecule_id, chronic) values ($1, 'test', $2, $2, $3, true)
     on conflict (location_id, source, source_id) do update set name = excluded.name returning id`,
    [place, name, molecule],
  )
  await asOwner(
    server,
    `with people as (insert into patient (location_id, source, source_id) select $1, 'test', $2 || n from generate_series(1, $3::int) n
       on conflict (location_id, source, source_id) do update set facility = false returning id)
     insert into script (location_id, source, source_id, dispensed_on, patient_id, drug_id, days_supply, days_basis)
     select $1, 'test', $2 || $4 || row_number() over (), ($4 || '-01')::date + (row_number() over () % 28)::int, id, $5, 30, 1 from people`,
    [place, `${name} ${place} `, people, month, drug!.id],
  )
}

/** A finished, complete month of a pharmacy. */
export async function complete(server: TestServer, place: number, period: number): Promise<void> {
  await asOwner(
    server,
    `insert into metric_total (location_id, period, from_day, to_day, scripts, revenue_cents, patients, male, female, adherent, non_adherent, opportunity_cents, business_days, complete)
     values ($1, $2, '2026-10-01', '2026-10-31', 900, 0, 1, 0, 0, 0, 0, 0, 22, true) on conflict do nothing`,
    [place, period],
  )
}
