import { contract } from '@pillar/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { asOwner, makeCompany, makeLocation, makeLogin } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { makeSupport } from '../../../test/support.ts'
import { addDemoConsole } from './demo-console.queries.ts'
import { addDemoUsers } from './demo-user.queries.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

it('fills a demo’s console with examples, once', async () => {
  const company = await makeCompany(server)
  const owner = await makeLogin(server, company.id)
  const place = await makeLocation(server, company.id)
  await asOwner(server, 'update company set demo = true where id = $1', [company.id])
  await asOwner(server, `update location set data_source = 'fred', owner_login_id = $1 where id = $2`, [
    owner.id,
    place.id,
  ])
  const support = await makeSupport(server)
  for (let time = 0; time < 2; time++) await addDemoConsole(server.services.pools, server.services.now())
  expect((await support.ask(contract.company.search, {})).body.total).toBe(6)
  const { data } = (await support.ask(contract.company.locations, { id: company.uuid })).body
  expect(data[0]?.modules[0]).toMatchObject({ name: expect.any(String) })
  expect((await support.ask(contract.company.loginLocations, { id: company.uuid })).body.data).toEqual([
    { uuid: owner.uuid, locations: [place.uuid] },
  ])
  expect((await support.ask(contract.templateAdmin.search, { global_template: true })).body.total).toBe(2)
})

it('switches on for a demo company what its people may open, and for another nothing', async () => {
  const [demo, real] = [await makeCompany(server), await makeCompany(server)]
  await asOwner(server, 'update company set demo = true where id = $1', [demo.id])
  for (const { id } of [demo, real])
    await makeLogin(server, id, { flags: ['sixty_day_signup', 'ecdr', 'ad_analytics'] })
  await addDemoConsole(server.services.pools, server.services.now())
  const support = await makeSupport(server)
  const featuresOf = async ({ uuid }: { uuid: string }) => {
    const { sixty_day_signup, cloud_ecdr, ad_dashboard, supplier_dashboard } = (
      await support.ask(contract.company.info, { id: uuid })
    ).body
    return { sixty_day_signup, cloud_ecdr, ad_dashboard, supplier_dashboard }
  }
  const off = { sixty_day_signup: false, cloud_ecdr: false, ad_dashboard: false, supplier_dashboard: false }
  expect(await featuresOf(demo)).toEqual({ ...off, sixty_day_signup: true, cloud_ecdr: true, ad_dashboard: true })
  expect(await featuresOf(real)).toEqual(off)
})

it('gives it users without a password and unsent welcome letters, once', async () => {
  const { pools, now, passwordCost } = server.services
  const support = await makeSupport(server)
  for (let time = 0; time < 2; time++) await addDemoUsers(pools, now(), passwordCost)
  const { results } = (await support.ask(contract.user.search, { show: 'waiting' })).body
  const states = results.map(({ state }) => state).sort()
  expect(states).toEqual([
    ...['invitation expired', 'invitation expired', 'invited', 'invited', 'not invited', 'not invited'],
  ])
})
