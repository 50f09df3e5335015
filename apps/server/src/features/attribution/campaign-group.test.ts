import type { contract } from '@pillar/contract'
import type { ReplyOf } from '@pillar/contract/wire/call'
import { differenceOfMeans, momentsOf } from '@pillar/domain/campaign/campaign-result'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { asOwner } from '../../../test/people.ts'
import { startUploadServer, type UploadServer } from '../../../test/upload.ts'
import {
  type AttributionWorld,
  DATA_TO,
  delivered,
  type Line,
  makeAttributionWorld,
  SENT_AT,
  sentCampaign,
  skipped,
} from '../../../test/world/attribution-world.ts'
import { refreshCampaigns } from './campaign-result.queries.ts'
import { recountCampaigns } from './campaign-stat.queries.ts'
import { recountStats } from './message-stat.queries.ts'
import { refreshTouches } from './touch.queries.ts'

let server: UploadServer
let world: AttributionWorld

interface Person {
  id: string
  sex: 'F' | 'M' | null
  born: string | null
  messaged: boolean
  dollars: number
}

/** Repeatable noise from 0 to 1. */
const noise = (at: number) => ((at * 7919) % 1009) / 1009
/** More women than men, two thirds messaged; the first turns 65 on the day of the message, the second the day after. */
const PEOPLE = Array.from({ length: 700 }, (_, at): Person => {
  const messaged = at % 3 !== 0
  return {
    id: `p${at}`,
    sex: at % 70 === 69 ? null : at % 12 < 8 ? 'F' : 'M',
    born:
      at % 70 === 35
        ? null
        : at === 1
          ? '1961-09-10'
          : at === 2
            ? '1961-09-11'
            : noise(at) < 0.7
              ? '1940-01-01'
              : '1980-01-01',
    messaged,
    dollars: Math.round(100 * (20 + 60 * noise(at + 17) + (messaged ? 15 : 0))) / 100,
  }
})
const isOlder = ({ born }: Person) => born !== null && born <= '1961-09-10'

const PARTS: Readonly<Record<string, (person: Person) => boolean>> = {
  women: ({ sex }) => sex === 'F',
  men: ({ sex }) => sex === 'M',
  sex_unknown: ({ sex }) => sex === null,
  from_65: isOlder,
  under_65: (person) => person.born !== null && !isOlder(person),
  age_unknown: ({ born }) => born === null,
}

beforeAll(async () => {
  server = await startUploadServer({ work: true })
  const lines = PEOPLE.map(({ id, dollars }): Line => [id, '2026-09-20', 'A', dollars])
  world = await makeAttributionWorld(
    server,
    PEOPLE.map(({ id }) => id),
    lines,
  )
  for (const { id, sex, born } of PEOPLE)
    await asOwner(server, 'update patient set sex = $2, date_of_birth = $3 where id = $1', [
      ...[world.patients.get(id), sex, born],
    ])
}, 120_000)
afterAll(() => server.close())

const REFUSED = `state = 'failed', settled_at = '${SENT_AT}', reason = 'The gateway knows no such number'`

/** Sends a campaign to these people and returns its results as its charts show them; the gateway refuses the messages to those in `refused`. */
async function pictured(
  people: readonly Person[],
  refused: readonly string[] = [],
  besides?: (uuid: string) => Promise<unknown>,
) {
  const ids = (messaged: boolean) => people.filter((one) => one.messaged === messaged).map(({ id }) => id)
  const { uuid } = await sentCampaign(server, world, {
    [delivered(SENT_AT)]: ids(true).filter((id) => !refused.includes(id)),
    ...(refused.length > 0 && { [REFUSED]: refused }),
    [skipped('held_out')]: ids(false),
  })
  await besides?.(uuid)
  const place = { id: world.pharmacy.id, timeZone: 'Australia/Sydney', dataTo: DATA_TO }
  await world.inside((tx) => refreshTouches(tx, place))
  await world.inside((tx) => recountStats(tx, place.id))
  await world.inside((tx) => recountCampaigns(tx, place.id))
  await world.inside((tx) => refreshCampaigns(tx, place))
  const path = `/api/campaign/${uuid}/pictures/enterprise`
  const { body } = await server.call<ReplyOf<typeof contract.campaign.pictures>>(path, {}, world.bearer)
  return body.groups
}

it('a campaign is compared by sex and by age, each as its own people spent', async () => {
  const { subgroups, means, difference } = await pictured(PEOPLE)
  expect(subgroups.map(({ subgroup }) => subgroup)).toEqual(Object.keys(PARTS))
  for (const one of subgroups) {
    const own = PEOPLE.filter(PARTS[one.subgroup]!)
    const spent = (messaged: boolean) =>
      own.filter((person) => person.messaged === messaged).map(({ dollars }) => dollars)
    expect([one.messaged, one.compared]).toEqual([spent(true).length, spent(false).length])
    const found = differenceOfMeans(momentsOf(spent(true)), momentsOf(spent(false)))
    // With fewer than 100 held out, or messaged, no result is given.
    const enough = spent(true).length >= 100 && spent(false).length >= 100
    expect(one.difference).toEqual(
      enough ? { mean: near(found.difference), low: near(found.low), high: near(found.high) } : null,
    )
  }
  expect(subgroups.filter((one) => one.difference !== null).map(({ subgroup }) => subgroup)).toEqual([
    'women',
    'from_65',
  ])
  expect(difference).not.toBeNull()
  for (const parts of [subgroups.slice(0, 3), subgroups.slice(3)]) {
    const sum = (of: (one: (typeof parts)[number]) => number) => parts.reduce((all, one) => all + of(one), 0)
    expect([sum((one) => one.messaged), sum((one) => one.compared)]).toEqual(means.map(({ n }) => n))
  }
})

it('patients refused by a gateway count as messaged, because the held-out group contains as many it would have refused', async () => {
  const all = await pictured(PEOPLE)
  const refused = PEOPLE.filter(({ messaged }) => messaged).slice(0, 40)
  expect(
    await pictured(
      PEOPLE,
      refused.map(({ id }) => id),
    ),
  ).toEqual(all)
})

it('groups without patients are left out, and a campaign that is too small has none', async () => {
  const women = PEOPLE.filter(({ sex }) => sex === 'F')
  const { subgroups } = await pictured(women)
  expect(subgroups.map(({ subgroup }) => subgroup)).toEqual(['women', 'from_65', 'under_65', 'age_unknown'])
  expect((await pictured(women.slice(0, 120))).subgroups).toEqual([])
})

it('the groups add up to the whole, dollar by dollar', async () => {
  await pictured(PEOPLE)
  const rows = await asOwner<{ subgroup: string | null; n: number; dollars: number; squared: number }>(
    server,
    `select * from (
       select campaign_id, null as subgroup, sum(n)::int as n, sum(dollars) as dollars, sum(dollars_squared) as squared from campaign_group group by 1
       union all
       select campaign_id, case when subgroup in ('women', 'men', 'sex_unknown') then 'sex' else 'age' end, sum(n)::int, sum(dollars), sum(dollars_squared)
       from campaign_subgroup group by 1, 2) a
     where campaign_id = (select max(campaign_id) from campaign_group) order by subgroup nulls first`,
  )
  expect(rows).toHaveLength(3)
  for (const row of rows) {
    expect(row.n).toBe(PEOPLE.length)
    expect(row.dollars).toBeCloseTo(
      PEOPLE.reduce((sum, { dollars }) => sum + dollars, 0),
      6,
    )
    expect(row.squared).toBeCloseTo(rows[0]!.squared, 6)
  }
})

const near = (value: number) => expect.closeTo(value, 6)

it('who was held out counts as held out, whatever held back the message of the other channel: so do those messaged', async () => {
  // Half of them want no emails; a text was sent, or would have been.
  const emails = (uuid: string) =>
    asOwner(
      server,
      `insert into message (location_id, run_id, batch_id, patient_id, channel, state, reason, settled_at)
       select m.location_id, m.run_id, m.batch_id, m.patient_id, 'email', 'skipped', 'opted_out', m.created_at
       from message m join message_run r on r.id = m.run_id join campaign c on c.id = r.campaign_id where c.uuid = $1 and m.patient_id % 2 = 0`,
      [uuid],
    )
  const { means } = await pictured(PEOPLE.slice(0, 330), [], emails)
  expect(means.map(({ part, n }) => [part, n])).toEqual([
    ['messaged', 220],
    ['compared', 110],
  ])
})
