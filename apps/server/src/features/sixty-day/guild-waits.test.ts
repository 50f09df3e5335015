import { afterAll, beforeAll, expect, it } from 'vitest'
import { asOwner, makeCompany } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { setClock, type TestDrug } from '../../../test/world/sequence-world.ts'
import { makeListedDrug, makeSixtyDayPharmacy, supply } from '../../../test/world/sixty-day-world.ts'
import { bringUpToDate, refreshAllSixtyDay } from './sixty-day.jobs.ts'

let server: TestServer
let broken: number
const all: { id: number; drug: TestDrug }[] = []
beforeAll(async () => {
  server = await startTestServer()
  const companies = [await makeCompany(server), await makeCompany(server)]
  for (const [index, state] of ['NSW', 'NSW', 'NSW', 'NSW', 'VIC', 'VIC', 'VIC'].entries()) {
    const postcode = state === 'NSW' ? '2000' : '3000'
    const { id } = await makeSixtyDayPharmacy(server, companies[index % 2]!.id, { state, postcode })
    const drug = await makeListedDrug(server, id, { atc: 'C10AA07' })
    await supply(server, id, drug, { count: 6, from: '2025-11-02', days: 14 })
    broken ??= id
    all.push({ id, drug })
  }
})
afterAll(() => server.close())

it('what the Guild sees waits a week more for a pharmacy whose sums cannot be worked out, then is written without it', async () => {
  await asOwner(server, `alter table sixty_day_cell add constraint broken check (location_id <> ${broken}) not valid`)
  const lines: unknown[] = []
  const log = { error: (line: unknown) => void lines.push(line) } as unknown as typeof server.services.log
  const members = async (day: string) => {
    setClock(server, `2026-11-${day}T02:00:00Z`)
    await expect(bringUpToDate({ ...server.services, log })).rejects.toThrow('broken')
    return asOwner(server, 'select state, count(*)::int as n from guild_sixty_day_member group by 1 order by 1')
  }
  expect(await members('08')).toEqual([])
  expect(await members('14')).toEqual([])
  expect(lines).toEqual(Array(2).fill({ location: broken, reason: '23514 sixty_day_cell broken' }))
  const written = [
    { state: 'NSW', n: 3 },
    { state: 'VIC', n: 3 },
  ]
  expect(await members('15')).toEqual(written)
  expect(lines.at(-1)).toEqual({ pharmacies: 1 })
  // Once, whatever comes later.
  await asOwner(server, 'alter table sixty_day_cell drop constraint broken')
  await bringUpToDate(server.services)
  expect(
    await asOwner(server, 'select state, count(*)::int as n from guild_sixty_day_member group by 1 order by 1'),
  ).toEqual(written)
})

it('what the Guild sees need not wait where no upload is late any more, as in a demo network', async () => {
  for (const { id, drug } of all) await supply(server, id, drug, { count: 6, from: '2026-11-05', days: 14 })
  await asOwner(server, `update location set data_to = '2027-11-01'`)
  const bases = async () => {
    const rows = await asOwner<{ n: number }>(
      server,
      'select count(distinct to_day)::int as n from guild_sixty_day_member',
    )
    return rows[0]!.n
  }
  setClock(server, '2027-11-02T02:00:00Z')
  await refreshAllSixtyDay.run({}, server.services)
  expect(await bases()).toBe(1)
  await refreshAllSixtyDay.run({ settled: true }, server.services)
  expect(await bases()).toBe(2)
})
