import { afterAll, beforeAll, expect, it } from 'vitest'
import { type CampaignDesk, openDesk } from '../../../test/campaign-desk.ts'

/** Wednesday the 25th, 10 pm in Perth; Thursday the 26th, 1 am in Sydney, by whose clock Australian companies count their days. */
const EVENING = '2026-11-25T14:00:00.000Z'
const PERTH_MIDNIGHT = '2026-11-24T16:00:00.000Z'

let desk: CampaignDesk
beforeAll(async () => {
  desk = await openDesk(EVENING)
})
afterAll(() => desk.server.close())

const datesOf = async (id: string) => {
  const { start_date, end_date } = (await desk.read(desk.path(id, 'info'))).body
  return { start_date, end_date }
}

it('a client in the west that starts a campaign today in the evening, by its own midnight, starts it on the day of the company', async () => {
  const id = await desk.create({ start_date: PERTH_MIDNIGHT, end_date: '2026-11-30' })
  expect(await datesOf(id)).toEqual({ start_date: '2026-11-26', end_date: '2026-11-30' })
  const started = await desk.write(id, 'activate', 'activate', { active: true, start_date: PERTH_MIDNIGHT })
  expect(started.body).toMatchObject({ active: true })
  expect(await datesOf(id)).toEqual({ start_date: '2026-11-26', end_date: '2026-11-30' })
})

it('a start more than a day ago, or yesterday as a day, is still refused', async () => {
  const id = await desk.create()
  for (const start_date of ['2026-11-24T12:00:00.000Z', '2026-11-25']) {
    const { status, body } = await desk.write(id, 'activate', 'activate', { active: true, start_date })
    expect([status, body]).toMatchObject([422, { message: 'Please select a start date from today on.' }])
  }
})
