import { randomUUID } from 'node:crypto'
import { periodOf } from '@pillar/domain/time/period'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { asOwner, makeCompany, makeLocation, makeLogin } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { complete, dispense, makeMolecules } from '../../../test/world/board-world.ts'
import { periodCode } from '../metrics/spans.ts'
import { ensureSubcategories } from '../metrics/subcategory.queries.ts'
import { publishBoards } from './board.jobs.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  server.clock.offsetMs = new Date('2026-11-22T02:00:00Z').getTime() - Date.now()
  await ensureSubcategories(server.services.pools.app)
})
afterAll(() => server.close())

const openBoard = (companyId: number) =>
  asOwner(
    server,
    `insert into dashboard (uuid, company_id, dashboard_id, name, dashboard_type, domain_url, created_at)
     values ($1, $2, $1, 'Board', 'Industry Dashboard', 'https://analytics.pillar.example', now())`,
    [randomUUID(), companyId],
  )

it('a pharmacy that moved to another company is still counted by its own data: nobody is new if they begin with the year', async () => {
  const [molecule] = await makeMolecules(server)
  const [from, to] = [await makeCompany(server), await makeCompany(server)]
  const [stays, goes] = [await makeLocation(server, from.id), await makeLocation(server, from.id)]
  const year = periodCode(periodOf('AU', { year: 2025 }))
  for (const { id } of [stays, goes]) {
    await asOwner(server, `update location set data_from = '2025-07-01', data_to = '2026-11-20' where id = $1`, [id])
    await dispense(server, id, 'Rosuvastatin 10 mg', molecule!, 5, '2026-02')
    await asOwner(
      server,
      `insert into average_member (country, period, location_id, company_id, group_no, entered_at) values ('AU', $1, $2, $3, 1, now())`,
      [year, id, from.id],
    )
  }
  await asOwner(server, 'update location set company_id = $2 where id = $1', [goes.id, to.id])
  await openBoard(to.id)
  await publishBoards(server.services)
  const facts = await asOwner(server, 'select location_id::int as id, facts from board_fact order by location_id')
  expect(facts).toEqual([stays, goes].map(({ id }) => ({ id, facts: { arrivals: [], stays: [] } })))
})

it('pharmacies that a company bought are its own: with four of six, a board shows it nothing of the other two', async () => {
  const [molecule] = await makeMolecules(server)
  const places: { id: number }[] = []
  for (let at = 0; at < 6; at++) {
    const company = await makeCompany(server)
    places.push(await makeLocation(server, company.id))
    if (at === 0) await openBoard(company.id)
    if (at === 0) await makeLogin(server, company.id)
  }
  for (const { id } of places) {
    await complete(server, id, 202610)
    await dispense(server, id, 'Rosuvastatin 10 mg', molecule!, 20)
  }
  await publishBoards(server.services)
  const buyer = await makeCompany(server)
  await makeLogin(server, buyer.id)
  await openBoard(buyer.id)
  const shownTo = async (companyId: number) => {
    await publishBoards(server.services)
    const sql = 'select parts from board_publication where company_id = $1 and period = 202610'
    return (await asOwner<{ parts: unknown }>(server, sql, [companyId])).map(({ parts }) => JSON.stringify(parts))
  }
  const bought = places.slice(2).map(({ id }) => id)
  await asOwner(server, 'update location set company_id = $2 where id = any($1)', [bought, buyer.id])
  expect(await shownTo(buyer.id)).toEqual(['{"scripts":[]}'])
  const other = await makeCompany(server)
  await makeLogin(server, other.id)
  await openBoard(other.id)
  expect((await shownTo(other.id))[0]).toContain('"n":120')
})

it('a pharmacy that cannot be counted does not stop others from being counted, and is named in the log', async () => {
  const company = await makeCompany(server)
  const [first, second] = [await makeLocation(server, company.id), await makeLocation(server, company.id)]
  for (const { id } of [first, second]) {
    await asOwner(server, `update location set data_from = '2025-07-01', data_to = '2026-11-20' where id = $1`, [id])
    await asOwner(
      server,
      `insert into average_member (country, period, location_id, company_id, group_no, entered_at) values ('AU', 202609, $1, $2, 1, now())`,
      [id, company.id],
    )
  }
  await openBoard(company.id)
  await asOwner(server, `alter table board_fact add constraint broken check (location_id <> ${first.id}) not valid`)
  const lines: unknown[] = []
  const log = { error: (line: unknown) => void lines.push(line) } as unknown as typeof server.services.log
  await expect(publishBoards({ ...server.services, log })).rejects.toThrow('broken')
  expect(lines).toEqual([{ location: first.id, reason: '23514 board_fact broken' }])
  const counted = 'select location_id::int as id from board_fact where location_id = any($1)'
  expect(await asOwner(server, counted, [[first.id, second.id]])).toEqual([{ id: second.id }])
})
