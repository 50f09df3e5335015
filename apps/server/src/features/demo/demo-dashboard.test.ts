import { afterAll, beforeAll, expect, it } from 'vitest'
import { asOwner, makeCompany } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { addDemoDashboards } from './demo-dashboard.queries.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

it('a demo company gets four dashboards on the first allowed host, once; a removed one stays removed', async () => {
  const company = await makeCompany(server)
  const { pools, env, now } = server.services
  const add = () => addDemoDashboards(pools.staff, company, env.DASHBOARD_HOSTS[0], now())
  const list = () =>
    asOwner(
      server,
      'select dashboard_type, domain_url, active from dashboard where company_id = $1 and removed_at is null order by 1, active desc',
      [company.id],
    )
  await add()
  const domain_url = 'https://analytics.pillar.example'
  expect(await list()).toEqual([
    { dashboard_type: 'Advertiser', domain_url, active: true },
    { dashboard_type: 'Industry Dashboard', domain_url, active: true },
    { dashboard_type: 'Industry Dashboard', domain_url, active: false },
    { dashboard_type: 'Supplier', domain_url, active: true },
  ])
  await asOwner(server, `update dashboard set removed_at = now() where company_id = $1 and active`, [company.id])
  await add()
  expect(await list()).toHaveLength(1)
})
