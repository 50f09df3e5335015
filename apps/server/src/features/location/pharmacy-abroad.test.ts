import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { contract } from '@pillar/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { asOwner, fresh, makeCompany, makeLocation } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { makeSupport, refusal } from '../../../test/support.ts'
import { correctAmericanPharmacies } from './american-pharmacies.ts'
import { ensureCompany } from './location.queries.ts'

const run = promisify(execFile)
let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const add = (company: string, name: string, ...more: string[]) =>
  run(
    process.execPath,
    [
      fileURLToPath(new URL('../../cli/pharmacy.ts', import.meta.url)),
      'add',
      '--company',
      company,
      '--name',
      name,
      ...more,
    ],
    { env: { ...process.env, DATABASE_URL: server.ownerUrl } },
  ).catch((error: unknown) => error as { code: number; stdout: string; stderr: string })

/** Without the module Upload, nobody is told that a pharmacy's uploads are missing. */
const modulesOf = async (company: string) =>
  (
    await asOwner<{ name: string }>(
      server,
      `select m.name from company c join location_module x on x.company_id = c.id join module m on m.id = x.module_id
       where c.name = $1`,
      [company],
    )
  ).map(({ name }) => name)

it('npm run pharmacy refuses a pharmacy abroad, because a company’s money is in one currency', async () => {
  const company = fresh('Thames')
  const first = await add(company, 'First', '--postcode', 'EC1A 1BB', '--country', 'GB')
  expect(first.stdout).toContain('Key')
  const abroad = await add(company, 'Second', '--postcode', '2000')
  expect(abroad).toMatchObject({ code: 2, stderr: expect.stringContaining(`${company} is a company in GB, not AU.`) })
  const made = 'select l.name, l.country from location l join company c on c.id = l.company_id where c.name = $1'
  expect(await asOwner(server, made, [company])).toEqual([{ name: 'First', country: 'GB' }])
  expect(await modulesOf(company)).toEqual(['strong_pro'])
})

it('an American pharmacy has the clock and the state of its ZIP code if its state is missing or not written as two letters', async () => {
  const support = await makeSupport(server)
  const company = await ensureCompany(server.services.pools.system, { name: fresh('Sunset'), country: 'US' })
  const saved = async (region: string | null, postcode: string) => {
    const draft = { company_id: company.uuid, name: fresh('Sunset'), town: 'Town', region, postcode }
    const { body } = await support.ask(contract.locationAdmin.create, draft)
    return [body.time_zone, body.region]
  }
  expect(await saved('CA', '90001')).toEqual(['America/Los_Angeles', 'CA'])
  expect(await saved('California', '90001')).toEqual(['America/Los_Angeles', 'CA'])
  expect(await saved(null, '60601-1234')).toEqual(['America/Chicago', 'IL'])
  expect(await saved('HI', '00000')).toEqual(['Pacific/Honolulu', 'HI'])
  const nowhere = { company_id: company.uuid, name: fresh('Sunset'), town: 'Town', postcode: '00000' }
  for (const region of ['California', null])
    expect(refusal(await support.ask(contract.locationAdmin.create, { ...nowhere, region }))).toEqual([
      422,
      'ZIP code 00000 is not known. Please check it, or enter the state as two letters, such as CA.',
    ])
  const name = fresh('Sunset')
  await add(fresh('Sunset'), name, '--postcode', '90001', '--country', 'US')
  const made = 'select time_zone, region from location where name = $1'
  expect(await asOwner(server, made, [name])).toEqual([{ time_zone: 'America/Los_Angeles', region: 'CA' }])
})

it('an existing pharmacy abroad can be corrected: its country becomes that of its company, and no other', async () => {
  const support = await makeSupport(server)
  const place = await makeLocation(server, (await makeCompany(server)).id)
  await asOwner(server, `update location set country = 'GB', region = null where id = $1`, [place.id])
  const { edit } = contract.locationAdmin
  const here = { town: 'Fremantle', region: 'WA', postcode: '6160' }
  const to = (country_name: string | null) =>
    support.ask(edit, { id: place.uuid, name: place.name, ...here, country_name })
  expect(refusal(await to('United States'))).toEqual([
    422,
    'Please select Australia as the country: it is that of the company.',
  ])
  expect((await to('Australia')).body).toMatchObject({ country: 'AU', time_zone: 'Australia/Perth' })
  expect((await to('United Kingdom')).status).toBe(422)
})

it('an American pharmacy saved with the clock of another state, or with no state, gets its own at the next start', async () => {
  const support = await makeSupport(server)
  const company = await ensureCompany(server.services.pools.system, { name: fresh('Late'), country: 'US' })
  const zips = ['90001', '60601', '00000']
  for (const postcode of zips) {
    const region = postcode === '00000' ? 'CA' : null
    const draft = { company_id: company.uuid, name: `Late ${postcode}`, town: 'Town', region, postcode }
    expect((await support.ask(contract.locationAdmin.create, draft)).status).toBe(200)
  }
  // As an earlier version read them.
  const before = `update location set time_zone = 'America/New_York', region = 'California' where company_id = $1`
  await asOwner(server, before, [company.id])
  await asOwner(server, `update location set region = null where company_id = $1 and postcode = '60601'`, [company.id])
  const clocks = () =>
    asOwner(
      server,
      'select postcode, region, time_zone, earlier_zones, version from location where company_id = $1 order by postcode desc',
      [company.id],
    )
  const said: object[] = []
  const start = () =>
    correctAmericanPharmacies(server.services.pools.system, { warn: (about: object) => said.push(about) })
  await start()
  const earlier_zones = ['America/New_York']
  const right = [
    { postcode: '90001', region: 'CA', time_zone: 'America/Los_Angeles', earlier_zones, version: 3 },
    { postcode: '60601', region: 'IL', time_zone: 'America/Chicago', earlier_zones, version: 3 },
    // The postcode is unknown.
    { postcode: '00000', region: 'California', time_zone: 'America/New_York', earlier_zones: [], version: 1 },
  ]
  expect(await clocks()).toEqual(right)
  expect(said.filter((one) => JSON.stringify(one).includes('"was":"America/New_York"'))).toHaveLength(2)
  // Nothing tells the clock of the third: the log says so at every start, until its address does.
  const [third] = await asOwner<{ id: number }>(
    server,
    `select id::int as id from location where company_id = $1 and postcode = '00000'`,
    [company.id],
  )
  const guessed = { location: third!.id, clock: 'America/New_York' }
  const again = async (change: string) => {
    await asOwner(server, `update location set ${change} where id = $1`, [third!.id])
    said.length = 0
    await start()
    return said
  }
  expect(await again('removed_at = null')).toEqual([guessed])
  expect(await again('removed_at = now()')).toEqual([])
  expect(await again(`removed_at = null, region = 'CA'`)).toEqual([])
  expect((await clocks()).slice(0, 2)).toEqual(right.slice(0, 2))
})
