import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asOwner, makeCompany, makeLocation, makeLogin, type SignedIn, signIn } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { ensureSubcategories } from '../metrics/subcategory.queries.ts'

let server: TestServer
let tab: SignedIn

beforeAll(async () => {
  server = await startTestServer()
  await ensureSubcategories(server.services.pools.app)
  const company = await makeCompany(server)
  const [ours, theirs] = [
    await makeLocation(server, company.id),
    await makeLocation(server, (await makeCompany(server)).id),
  ]
  tab = await signIn(server, await makeLogin(server, company.id, { flags: ['data_analytics'] }))
  const molecules: [string, string | null, number, number][] = [
    ['Rosuvastatin', 'C10AA07', ours.id, 202500],
    ['Atorvastatin', 'C10AA05', ours.id, 202600],
    // Twice, in two years: listed once.
    ['Atorvastatin', 'C10AA05', ours.id, 202500],
    ['Compounded cream', null, ours.id, 202600],
    ['Secretol', 'Z99ZZ99', theirs.id, 202600],
  ]
  for (const [name, atc, location, period] of molecules) {
    await asOwner(
      server,
      `with s as (
         insert into subcategory (category_id, name) values (6, $1)
         on conflict (category_id, name) do update set name = excluded.name returning id),
       m as (
         insert into molecule (key, name, atc, components, drug_type_id, condition_id, molecule_id)
         select $1, $1, $2, array[$1], s.id, s.id, s.id from s on conflict (key) do nothing),
       t as (insert into metric_total (location_id, period, from_day, to_day, scripts, revenue_cents, patients, male, female, adherent, non_adherent, opportunity_cents, business_days)
         values ($3, $4, '2026-01-01', '2026-01-02', 1, 1, 1, 1, 0, 0, 0, 0, 1) on conflict do nothing)
       insert into metric_cell select $3, $4, 6, s.id, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0 from s`,
      [name, atc, location, period],
    )
  }
})
afterAll(() => server.close())

describe('lists for the cohort and the prompt box', () => {
  it('has the molecules the company’s own pharmacies have dispensed, by name', async () => {
    type Named = { molecule: string; atc_code: string }
    const { body } = await server.call<Record<'molecule_atc_codes' | 'other_names', Named[]>>(
      '/api/molecule-list',
      {},
      tab.bearer,
    )
    expect(body.molecule_atc_codes).toEqual([
      { molecule: 'Atorvastatin', atc_code: 'C10AA05' },
      { molecule: 'Rosuvastatin', atc_code: 'C10AA07' },
    ])
    // A recommended campaign may select what nobody has dispensed yet: it has a name too, and is listed once.
    expect(body.other_names).toContainEqual({ molecule: 'Pantoprazole', atc_code: 'A02BC02' })
    expect(body.other_names.map(({ atc_code }) => atc_code)).not.toContain('C10AA05')
  })

  it('has every category with its subcategories', async () => {
    const { body } = await server.call<{ groups: { category: string; subcategories: string[] }[]; ai: boolean }>(
      '/api/enterprise-group-list-names',
      {},
      tab.bearer,
    )
    const of = (category: string) => body.groups.find((group) => group.category === category)?.subcategories
    expect(body.groups.map((group) => group.category)).toEqual([
      'Drug Type',
      'Condition',
      'Age Group',
      'Sex',
      'Patient Type',
      'Molecule',
    ])
    expect(of('Drug Type')).toContain('Diabetes')
    expect(of('Sex')).toEqual(['Female', 'Male'])
    expect(of('Molecule')).toEqual(['Atorvastatin', 'Rosuvastatin'])
  })
})
