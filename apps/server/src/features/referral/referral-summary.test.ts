import { contract } from '@pillar/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type MessagingWorld, makeMessagingWorld } from '../../../test/messaging.ts'
import { asOwner } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { makeSupport, type Support } from '../../../test/support.ts'
import { makeRecruiterLogin, makeRunningTrial, referredPatient } from '../../../test/trial.ts'

const { list, summary, edit } = contract.referral
let server: TestServer
/** Pharmacies of two companies, neither of them the recruiter's. */
let worlds: MessagingWorld[]
let trial: Awaited<ReturnType<typeof makeRunningTrial>>
let recruiter: Support

beforeAll(async () => {
  server = await startTestServer()
  worlds = [await makeMessagingWorld(server), await makeMessagingWorld(server)]
  trial = await makeRunningTrial(server, await makeSupport(server))
  recruiter = await makeRecruiterLogin(server, trial.recruiterId)
})
afterAll(() => server.close())

const referred = (trialId = trial.id, world = worlds[0]!) => referredPatient(server, world, trialId)

describe('the summary', () => {
  it('adds up to the rows of the list, whatever is switched and whoever withdraws', async () => {
    const people = []
    for (let at = 0; at < 6; at++) people.push(await referred(trial.id, worlds[at % 2]))
    for (const [at, one] of people.entries())
      await recruiter.ask(edit, {
        consent_id: one.consent_id,
        enrolled: at % 3 === 0,
        recruiter_contacted: at % 2 === 0 ? true : null,
      })
    await server.call(`/api/consent/${people[5]!.withdraw_id}/withdraw`, {})
    const { body } = await recruiter.ask(summary, {})
    const rows = []
    for (let page = 1; ; page++) {
      const { referrals, page_count } = (await recruiter.ask(list, { page })).body
      rows.push(...referrals)
      if (page >= page_count) break
    }
    expect(body).toMatchObject({
      total_referred: rows.length,
      total_enrolled: rows.filter(({ enrolled }) => enrolled).length,
      total_contacted: rows.filter((row) => row.recruiter_contacted === true).length,
      rebate: rows.reduce((sum, { rebate }) => sum + rebate, 0),
      step: 'week',
    })
    expect(body.total_withdrawn).toBeGreaterThan(0)
    expect(body.withdrawn_rebate).toBe(body.total_withdrawn * 20)
    const bars = body.bars.reduce((sum, bar) => sum + bar.waiting + bar.contacted + bar.enrolled, 0)
    expect(bars).toBe(rows.length)
    const found = (await recruiter.ask(summary, { search_term: people[0]!.name })).body
    expect(found).toMatchObject({ total_referred: 1, bars: [{ waiting: 0, contacted: 0, enrolled: 1 }] })
    const all = await asOwner<{ cents: number }>(
      server,
      'select sum(b.cents)::int as cents from trial_rebate b join trial_referral r using (location_id, trial_id, patient_id) where r.recruiter_id = $1',
      [trial.recruiterId],
    )
    expect(body.rebate + body.withdrawn_rebate).toBe(all[0]!.cents / 100)
  })
})

it('the list finds a phone number as the screen shows it', async () => {
  const shown = {
    '+61400000917': ['0400 000 917', '+61 400 000 917'],
    '+447700900917': ['07700 900 917', '+44 7700 900 917'],
    '+16175550917': ['(617) 555-0917', '+1 617 555-0917'],
  }
  for (const [number, terms] of Object.entries(shown)) {
    const one = await referred()
    await asOwner(server, 'update trial_referral set phone_number = $1 where patient_id = $2', [number, one.patient.id])
    for (const search_term of terms) {
      const { referrals } = (await recruiter.ask(list, { search_term })).body
      expect([search_term, referrals.map(({ first_name }) => first_name)]).toEqual([search_term, [one.name]])
    }
  }
})
