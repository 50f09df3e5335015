import { contract } from '@pillar/contract'
import { formatDay } from '@pillar/domain/time/day'
import { dayIn } from '@pillar/domain/time/zone'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type MessagingWorld, makeMessagingWorld, makePatients } from '../../../../test/messaging.ts'
import { asOwner } from '../../../../test/people.ts'
import { moveOnTo, startTestServer, type TestServer } from '../../../../test/server.ts'
import { makeSupport, type Support } from '../../../../test/support.ts'
import { ETHICS, makeRunningTrial, signUp, trialTokenFor } from '../../../../test/trial.ts'
import { useTrialLink } from '../link/trial-link.queries.ts'

const DEAD = { status: 404, body: { code: 'not_found', message: 'Consent form is invalid / already submitted' } }
let server: TestServer
let world: MessagingWorld
let support: Support
let trial: Awaited<ReturnType<typeof makeRunningTrial>>

beforeAll(async () => {
  server = await startTestServer()
  world = await makeMessagingWorld(server)
  support = await makeSupport(server)
  trial = await makeRunningTrial(server, support)
})
afterAll(() => server.close())
afterEach(() => {
  server.clock.offsetMs = 0
})

const read = (token: string) => server.call(`/api/consent/${token}`)
const invited = async (trialId = trial.id) => {
  const one = (await makePatients(server, world.locations[0]!.id, 1))[0]!
  return { one, token: await trialTokenFor(server, world, trialId, one) }
}
const plain = ({ status, body }: { status: number; body: unknown }) => ({ status, body })

/** Sets the clock to an evening in UTC when it is already the next day in Sydney. @returns that day */
function nextDayInSydney(): string {
  moveOnTo(server, 20)
  return formatDay(dayIn('Australia/Sydney', server.services.now()))
}

describe('the days of an invitation', () => {
  it('run from the first to the last of the trial and of its newest ethics approval, by the clock of the pharmacy', async () => {
    const own = await makeRunningTrial(server, support)
    const { token } = await invited(own.id)
    // Made before the clock moves, which ends support's session.
    const newer = await support.ask(contract.trialEthics.record, { ...ETHICS, trial_id: own.trial_id })
    expect(newer.status).toBe(200)
    const day = nextDayInSydney()
    await asOwner(server, 'update trial set start_day = $2, end_day = $2 where id = $1', [own.id, day])
    const expires = (on: string, which: 'min' | 'max') =>
      asOwner(
        server,
        `update trial_ethics_approval set approved_on = '2020-01-01', expires_on = $2
         where id = (select ${which}(id) from trial_ethics_approval where trial_id = $1)`,
        [own.id, on],
      )
    await expires('2020-12-31', 'min')
    await expires(day, 'max')
    expect((await read(token)).status).toBe(200)
    await expires('2099-12-31', 'min')
    await expires('2020-12-31', 'max')
    expect(plain(await read(token))).toEqual(DEAD)
  })

  it('are 90, or until the last day of the trial if that is sooner', async () => {
    const soon = await makeRunningTrial(server, support)
    const ends = async (days: number) => {
      await asOwner(server, 'update trial set end_day = current_date + $2::int where id = $1', [soon.id, days])
      const { one } = await invited(soon.id)
      const [link] = await asOwner(
        server,
        `select k.expires_at = (t.end_day + 1)::timestamp at time zone 'Australia/Sydney' as with_the_day,
           k.expires_at = k.created_at + interval '90 days' as after_90_days
         from trial_link k join trial t on t.id = k.trial_id where k.patient_id = $1`,
        [one.id],
      )
      return link
    }
    expect(await ends(10)).toEqual({ with_the_day: true, after_90_days: false })
    expect(await ends(200)).toEqual({ with_the_day: false, after_90_days: true })
  })

  it('are also the pharmacy’s on the referral', async () => {
    const day = nextDayInSydney()
    const { one, token } = await invited()
    expect((await signUp(server, token)).status).toBe(200)
    const [row] = await asOwner(server, 'select referred_on::text as day from trial_referral where patient_id = $1', [
      one.id,
    ])
    expect(row).toEqual({ day })
  })
})

it('a used invitation stays used, whatever becomes of the person: it opens nothing, and nobody uses it again', async () => {
  const { one, token } = await invited()
  expect((await signUp(server, token)).status).toBe(200)
  await asOwner(server, `update trial_participant set state = 'contacted' where patient_id = $1`, [one.id])
  expect(plain(await read(token))).toEqual(DEAD)
  const [link] = await asOwner<{ id: number }>(
    server,
    `select id from trial_link where patient_id = $1 and purpose = 'consent'`,
    [one.id],
  )
  const place = { locationId: world.locations[0]!.id, companyId: world.company.id }
  const open = { ...place, id: link!.id, trialId: trial.id, timeZone: 'Australia/Sydney' }
  expect(await world.inside((tx) => useTrialLink(tx, open, server.services.now()))).toBeUndefined()
})
