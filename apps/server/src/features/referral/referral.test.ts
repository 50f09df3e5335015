import { contract } from '@pillar/contract'
import { REFERRAL_SORTS } from '@pillar/contract/trial/referral'
import { parse } from 'csv-parse/sync'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type MessagingWorld, makeMessagingWorld, makePatients, type TestPatient } from '../../../test/messaging.ts'
import { asOwner } from '../../../test/people.ts'
import { moveOnTo, startTestServer, type TestServer } from '../../../test/server.ts'
import { makeSupport, type Support } from '../../../test/support.ts'
import {
  consentIdFor,
  makeRecruiterLogin,
  makeRunningTrial,
  referredPatient,
  signUp,
  trialTokenFor,
} from '../../../test/trial.ts'

const { list, summary, history, edit } = contract.referral
const EXPORT = contract.referral.export
let server: TestServer
let support: Support
/** Pharmacies of two companies, neither of them the recruiter's. */
let worlds: MessagingWorld[]
let trial: Awaited<ReturnType<typeof makeRunningTrial>>
let rivalTrial: Awaited<ReturnType<typeof makeRunningTrial>>
let recruiter: Support
let colleague: Support
let rival: Support

beforeAll(async () => {
  server = await startTestServer()
  support = await makeSupport(server)
  worlds = [await makeMessagingWorld(server), await makeMessagingWorld(server)]
  trial = await makeRunningTrial(server, support)
  rivalTrial = await makeRunningTrial(server, support)
  recruiter = await makeRecruiterLogin(server, trial.recruiterId)
  colleague = await makeRecruiterLogin(server, trial.recruiterId)
  rival = await makeRecruiterLogin(server, rivalTrial.recruiterId)
})
afterAll(() => server.close())
afterEach(() => asOwner(server, 'truncate throttle'))

const referred = (trialId = trial.id, world = worlds[0]!) => referredPatient(server, world, trialId)
const consentIdOf = (patient: TestPatient) => consentIdFor(server, patient)
const namesOf = async (who: Support, ask: object = {}) =>
  (await who.ask(list, ask)).body.referrals.map(({ first_name }) => first_name)
const rowOf = async (who: Support, consent_id: string) =>
  (await who.ask(list, { search_term: '' })).body.referrals.find((one) => one.consent_id === consent_id)

describe('the list of referrals', () => {
  it('shows what a patient of any company gave to the recruiter, newest first', async () => {
    const one = await referred()
    const two = await referred(trial.id, worlds[1])
    const { body } = await recruiter.ask(list, {})
    expect(body.referrals.slice(0, 2).map(({ first_name }) => first_name)).toEqual([two.name, one.name])
    expect(body.referrals[1]).toMatchObject({
      ...{ consent_id: one.consent_id, last_name: 'Moran', phone_number: one.patient.sms_to, postcode: '2000' },
      ...{ trial_name: expect.stringContaining('Heart'), communication_type: 'SMS', enrolled: false },
      ...{ recruiter_contacted: null, rebate: 20, sr_rebate: 5.5 },
      referral_date: expect.stringMatching(/^\d\d\/\d\d\/\d{4}$/),
    })
    expect(body).toMatchObject({ per_page: 20, current_page: 1 })
  })

  it('is searched by name, number, email, postcode and trial, and every word must match', async () => {
    const one = await referred()
    const digits = one.patient.sms_to!.slice(-8)
    for (const search_term of [
      one.name,
      `${one.name.toLowerCase()} moran`,
      digits,
      one.patient.email_to!,
      '2000 heart',
    ])
      expect([search_term, await namesOf(recruiter, { search_term })]).toEqual([
        search_term,
        expect.arrayContaining([one.name]),
      ])
    expect(await namesOf(recruiter, { search_term: `${one.name} nobody` })).toEqual([])
    expect(await namesOf(recruiter, { search_term: '%' })).toEqual([])
  })

  it('sorts by every column, both ways, and keeps to the requested days', async () => {
    for (const sort_field of REFERRAL_SORTS) {
      const ways = []
      for (const sort_order of ['asc', 'desc'] as const) {
        const { status, body } = await recruiter.ask(list, { sort_field, sort_order })
        expect([sort_field, status]).toEqual([sort_field, 200])
        ways.push(body.referrals.map(({ consent_id }) => consent_id))
      }
      expect(ways[1]).toEqual(ways[0]!.toReversed())
    }
    const byName = await namesOf(recruiter, { sort_field: 'first_name', sort_order: 'asc' })
    expect(byName).toEqual([...byName].sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)))
    expect(await namesOf(recruiter, { start_date: '2020-01-01', end_date: '2020-12-31' })).toEqual([])
    const one = await referred()
    await asOwner(server, `update trial_referral set referred_on = '2019-05-05' where patient_id = $1`, [
      one.patient.id,
    ])
    const between = (start_date: string, end_date: string) => namesOf(recruiter, { start_date, end_date })
    expect(await between('2019-05-05', '2019-05-05')).toEqual([one.name])
    expect([await between('2019-04-01', '2019-05-04'), await between('2019-05-06', '2019-05-31')]).toEqual([[], []])
    expect((await recruiter.ask(list, { start_date: '2026-01-02', end_date: '2026-01-01' })).status).toBe(422)
  })

  it('is in the order of the days it shows, and of the times within one, whatever zones the pharmacies are in', async () => {
    // Late on the 27th in Perth is later than early on the 28th in Sydney.
    const signed = [
      ['2019-11-28', '2019-11-27T13:30Z'],
      ['2019-11-27', '2019-11-27T15:30Z'],
      ['2019-11-28', '2019-11-28T01:00Z'],
    ]
    const ids: string[] = []
    for (const [day, at] of signed) {
      const { patient, consent_id } = await referred()
      ids.push(consent_id)
      await asOwner(server, `update trial_referral set referred_on = $2, referred_at = $3 where patient_id = $1`, [
        ...[patient.id, day, at],
      ])
    }
    const days = { start_date: '2019-11-01', end_date: '2019-11-30' }
    const shown = async (more: object) => {
      const { body } = await recruiter.ask(list, { ...days, ...more })
      return body.referrals.map(({ referral_date, consent_id }) => [referral_date, consent_id])
    }
    const newest = await shown({})
    expect(newest.map(([day]) => day)).toEqual(['28/11/2019', '28/11/2019', '27/11/2019'])
    expect(newest[0]![1]).toBe(ids[2])
    expect(await shown({ sort_order: 'asc' })).toEqual(newest.toReversed())
    expect(await shown({ search_term: '2000' })).toEqual(newest)
    const file = await server.call<string>(EXPORT.path, days, recruiter.tab.bearer)
    const names = (parse(file.body, { bom: true }) as string[][]).slice(1).map(([day]) => day)
    expect(names.map((day) => day!.slice(0, 2))).toEqual(['28', '28', '27'])
  })

  it('includes patients who signed up where the day began before the recruiter’s', async () => {
    const { offsetMs } = server.clock
    moveOnTo(server, 22, 30)
    try {
      const one = await referred()
      const abroad = await makeRecruiterLogin(server, trial.recruiterId)
      await asOwner(server, `update company set country = 'GB' where id = $1`, [abroad.company.id])
      expect(await namesOf(abroad)).toContain(one.name)
    } finally {
      server.clock.offsetMs = offsetMs
    }
  })

  it('can be downloaded as a file with the same rows and no formula', async () => {
    const one = await referred()
    await asOwner(server, `update trial_referral set last_name = '=1+1' where patient_id = $1`, [one.patient.id])
    const reply = await server.call<string>(EXPORT.path, { search_term: one.name }, recruiter.tab.bearer)
    const [head, ...rows] = parse(reply.body, { bom: true }) as string[][]
    expect(head).toEqual([
      ...['Referral Date', 'Patient First Name', 'Patient Last Name', 'Phone', 'Email', 'Post Code', 'Trial'],
      ...['SRAI Communication', 'Enrolled', 'Contacted', 'Rebate, AUD', 'Pillar Rebate, AUD'],
    ])
    expect(rows).toHaveLength(1)
    expect(rows[0]!.slice(1, 4)).toEqual([one.name, "'=1+1", `'${one.patient.sms_to}`])
  })
})

describe('a recruiter never sees', () => {
  it('another recruiter’s referral, anybody who has not submitted, or anybody who has withdrawn', async () => {
    const mine = await referred()
    const theirs = await referred(rivalTrial.id)
    const silent = (await makePatients(server, worlds[0]!.locations[0]!.id, 1))[0]!
    await asOwner(server, `update patient set first_name = 'Zzsilent' where id = $1`, [silent.id])
    await trialTokenFor(server, worlds[0]!, trial.id, silent)
    const gone = await referred()
    await server.call(`/api/consent/${gone.withdraw_id}/withdraw`, {})
    const hidden = [
      { who: recruiter, name: theirs.name, id: theirs.consent_id },
      { who: recruiter, name: 'Zzsilent', id: await consentIdOf(silent) },
      { who: recruiter, name: gone.name, id: gone.consent_id },
      { who: rival, name: mine.name, id: mine.consent_id },
    ]
    for (const { who, name, id } of hidden) {
      expect(await namesOf(who)).not.toContain(name)
      expect(await namesOf(who, { search_term: name })).toEqual([])
      const file = await server.call<string>(EXPORT.path, {}, who.tab.bearer)
      expect(file.body).not.toContain(name)
      for (const text of [id, ',,,,,']) expect(file.body).not.toContain(text)
      expect((await who.ask(edit, { consent_id: id, enrolled: true, recruiter_contacted: true })).status).toBe(404)
      expect((await who.ask(history, { consent_id: id })).status).toBe(404)
    }
    expect(await asOwner(server, `select 1 from trial_event where event = 'enrolled'`)).toEqual([])
  })

  it('anything at all as a provider, a login of no recruiter, or another kind of login', async () => {
    const [{ provider_id } = { provider_id: 0 }] = await asOwner<{ provider_id: number }>(
      server,
      'select provider_id from trial where id = $1',
      [trial.id],
    )
    const one = await referred()
    const provider = await makeRecruiterLogin(server, provider_id)
    expect((await provider.ask(list, {})).body.total).toBe(0)
    expect((await provider.ask(summary, {})).body).toMatchObject({
      total_referred: 0,
      sees_nobody: expect.stringContaining('shown to recruiters alone'),
    })
    expect(
      (await provider.ask(edit, { consent_id: one.consent_id, enrolled: true, recruiter_contacted: null })).status,
    ).toBe(404)
    const nobody = await makeRecruiterLogin(server, trial.recruiterId)
    await asOwner(server, 'update login set recruiter_provider_id = null where id = $1', [nobody.login.id])
    expect((await nobody.ask(list, {})).body.total).toBe(0)
    expect((await nobody.ask(summary, {})).body.sees_nobody).toContain('no recruiter yet')
    for (const call of [list, summary, EXPORT]) expect((await support.ask(call, {})).status).toBe(403)
  })
})

describe('the switches', () => {
  it('are saved with who and when, in the ledger, the sums and the pharmacy’s own log', async () => {
    const pays = await makeRunningTrial(server, support, { rebate_type: 'enroll' })
    await asOwner(server, 'update trial set recruiter_id = $2 where id = $1', [pays.id, trial.recruiterId])
    const one = await referred(pays.id)
    const ask = { consent_id: one.consent_id }
    const first = await recruiter.ask(edit, { ...ask, enrolled: true, recruiter_contacted: true })
    expect(first.body).toMatchObject({ enrolled: true, recruiter_contacted: true, rebate: 100, sr_rebate: 25 })
    const again = await recruiter.ask(edit, { ...ask, enrolled: true, recruiter_contacted: true })
    expect(again.body).toEqual(first.body)
    expect((await recruiter.ask(edit, { ...ask, enrolled: false, recruiter_contacted: true })).body).toMatchObject({
      rebate: 0,
    })
    expect((await recruiter.ask(edit, { ...ask, enrolled: false, recruiter_contacted: null })).status).toBe(422)
    const { body } = await colleague.ask(history, ask)
    expect(body.events.map(({ event, by }) => [event, by])).toEqual([
      ['unenrolled', 'Robin Vale'],
      ['recruiter_contacted', 'Robin Vale'],
      ['enrolled', 'Robin Vale'],
      ['referred', null],
    ])
    expect(body.rebates.map(({ rebate }) => rebate)).toEqual([-100, 100])
    const counts = 'select total_enrolled::int, total_unenrolled::int from trial_location where trial_id = $1'
    expect(await asOwner(server, counts, [pays.id])).toEqual([{ total_enrolled: 1, total_unenrolled: 1 }])
    // Only the recruiter's own people are named.
    const belongs = (to: number | null) =>
      asOwner(server, 'update login set recruiter_provider_id = $2 where id = $1', [recruiter.login.id, to])
    await belongs(null)
    const left = (await colleague.ask(history, ask)).body.events
    await belongs(trial.recruiterId)
    expect(new Set(left.map(({ by }) => by))).toEqual(new Set(['Somebody who has left', null]))
    const logs = await asOwner<{ company_id: number }>(
      server,
      `select company_id from audit where action = 'referral.edit' and object = $1 order by company_id`,
      [one.consent_id],
    )
    expect(new Set(logs.map(({ company_id }) => company_id))).toEqual(
      new Set([worlds[0]!.company.id, recruiter.company.id]),
    )
  })

  it('reveal nothing about another recruiter’s trial that the patient is in', async () => {
    const one = await referred()
    const token = await trialTokenFor(server, worlds[0]!, rivalTrial.id, one.patient)
    expect((await signUp(server, token)).status).toBe(200)
    const { events, rebates } = (await recruiter.ask(history, { consent_id: one.consent_id })).body
    expect([events.map(({ event }) => event), rebates.length]).toEqual([['referred'], 1])
  })

  it('never overwrite a colleague’s change: the second editor gets the saved state (T25)', async () => {
    const one = await referred()
    const { version } = (await rowOf(recruiter, one.consent_id))!
    const ask = { consent_id: one.consent_id, version }
    const [a, b] = await Promise.all([
      recruiter.ask(edit, { ...ask, enrolled: true, recruiter_contacted: null }),
      colleague.ask(edit, { ...ask, enrolled: false, recruiter_contacted: true }),
    ])
    expect([a.status, b.status].sort()).toEqual([200, 409])
    const late = a.status === 409 ? a : b
    expect(late.body.message).toMatch(
      /^Somebody else has changed this referral meanwhile: it is (enrolled and not|not enrolled and) contacted/,
    )
    const events = await asOwner(
      server,
      `select event from trial_event where patient_id = $1 and event <> 'referred'`,
      [one.patient.id],
    )
    expect(events).toHaveLength(1)
    const now = (await rowOf(recruiter, one.consent_id))!
    const same = { consent_id: one.consent_id, version: now.version, enrolled: true, recruiter_contacted: true }
    const both = await Promise.all([recruiter.ask(edit, same), colleague.ask(edit, same)])
    expect(both.map(({ status }) => status)).toEqual([200, 200])
  })

  it('lose against a patient who withdraws at the same moment, without a deadlock', async () => {
    for (let round = 0; round < 5; round++) {
      const one = await referred()
      const [set, left] = await Promise.all([
        recruiter.ask(edit, { consent_id: one.consent_id, enrolled: true, recruiter_contacted: true }),
        server.call(`/api/consent/${one.withdraw_id}/withdraw`, {}),
      ])
      expect(left.status).toBe(200)
      expect([200, 404]).toContain(set.status)
      expect(await rowOf(recruiter, one.consent_id)).toBeUndefined()
    }
  })
})
