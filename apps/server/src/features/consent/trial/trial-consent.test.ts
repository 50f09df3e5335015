import { contract } from '@pillar/contract'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { solvedCaptcha } from '../../../../test/consent.ts'
import { storedAs } from '../../../../test/field/contacts.ts'
import {
  freshMobile,
  type MessagingWorld,
  makeMessagingWorld,
  makePatients,
  type TestPatient,
} from '../../../../test/messaging.ts'
import { asOwner, dump } from '../../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../../test/server.ts'
import { makeSupport, type Support } from '../../../../test/support.ts'
import { CONSENT_TEXT, makeRunningTrial, SIGN_UP, signUp, trialTokenFor } from '../../../../test/trial.ts'

const DEAD = { status: 404, body: { code: 'not_found', message: 'Consent form is invalid / already submitted' } }
const DAY = 24 * 3600_000
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
afterEach(async () => {
  server.clock.offsetMs = 0
  await asOwner(server, 'truncate throttle')
})

const read = (token: string) => server.call(`/api/consent/${token}`)
const patient = async (): Promise<TestPatient> => (await makePatients(server, world.locations[0]!.id, 1))[0]!
const invited = async (trialId = trial.id) => {
  const one = await patient()
  return { one, token: await trialTokenFor(server, world, trialId, one) }
}
const plain = ({ status, body }: { status: number; body: unknown }) => ({ status, body })
const referralOf = async (one: TestPatient) =>
  (
    await asOwner(server, 'select * from trial_referral where location_id = $1 and patient_id = $2', [
      one.locationId,
      one.id,
    ])
  )[0]
const stateOf = async (one: TestPatient) =>
  (
    await asOwner<{ state: string }>(
      server,
      'select state from trial_participant where location_id = $1 and patient_id = $2',
      [one.locationId, one.id],
    )
  )[0]?.state

describe('the page of a trial', () => {
  it('shows the trial, the pharmacy and what is known of the patient, and no internals', async () => {
    const { one, token } = await invited()
    const { status, body } = await read(token)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      consent_id: token,
      trial: expect.stringContaining('Heart failure'),
      consent_form: { ...CONSENT_TEXT, version: 1 },
      recruiter: expect.stringContaining('recruiter'),
      recruiter_website: 'https://recruiter.example/',
      recruiter_logo: null,
      recall: false,
      first_name: 'Ines',
      email: one.email_to,
      postcode: null,
    })
    expect(body.note).toContain(String(body.recruiter))
    expect(Object.keys(body)).toHaveLength(17)
  })

  it('shows the newest text of the study', async () => {
    const own = await makeRunningTrial(server, support)
    const newer = { ...CONSENT_TEXT, intro: 'If you say yes, we will write to you.' }
    const { edit } = contract.trialConsentForm
    expect((await support.ask(edit, { ...newer, trial_id: own.trial_id, version: 1 })).status).toBe(200)
    const { token } = await invited(own.id)
    expect((await read(token)).body).toMatchObject({ consent_form: { ...newer, version: 2 } })
  })

  it('opens nothing to a person who has the number the patient had before, and refers nobody', async () => {
    const { one, token } = await invited()
    await asOwner(server, 'update patient set sms_to = $3 where location_id = $1 and id = $2', [
      ...[one.locationId, one.id, await storedAs(server, freshMobile())],
    ])
    expect([plain(await read(token)), plain(await signUp(server, token))]).toEqual([DEAD, DEAD])
    expect([await referralOf(one), await stateOf(one)]).toEqual([undefined, 'contacted'])
  })

  it('opens nothing once the pharmacy knows that the patient has died', async () => {
    const { one, token } = await invited()
    await asOwner(server, `update patient set deceased_on = '2026-11-01' where id = $1`, [one.id])
    expect([plain(await read(token)), plain(await signUp(server, token))]).toEqual([DEAD, DEAD])
    expect(await referralOf(one)).toBeUndefined()
  })

  it('refers the patient with what the pharmacy knows, whatever a link-holder sends', async () => {
    const { one, token } = await invited()
    expect((await signUp(server, token)).body).toMatchObject({ submitted: true, redirect_url: null })
    expect(await referralOf(one)).toMatchObject({
      ...{ first_name: 'Ines', last_name: 'Moran', email: one.email_to, phone_number: one.sms_to, postcode: '2000' },
      ...{ channel: 'sms', enrolled: false, recruiter_contacted: null, rebate_cents: 2000, sr_rebate_cents: 550 },
    })
    expect(
      await asOwner(server, `select agreed_text from trial_link where patient_id = $1 and used_at is not null`, [
        one.id,
      ]),
    ).toEqual([{ agreed_text: expect.stringContaining('You can withdraw at any time') }])
    expect(await stateOf(one)).toBe('referred')
    // The pharmacy's own record stays as it was.
    expect(await asOwner(server, 'select postcode from patient where id = $1', [one.id])).toEqual([{ postcode: null }])
  })

  it('accepts a postcode sent as a number, and restores its leading zero', async () => {
    const { one, token } = await invited()
    expect((await signUp(server, token, { postcode: 800 })).body).toMatchObject({ submitted: true })
    expect(await referralOf(one)).toMatchObject({ postcode: '0800' })
  })

  it('needs every field, the text that was read, and a tick; a refusal uses nothing up', async () => {
    const { one, token } = await invited()
    const missing = await signUp(server, token, { postcode: '  ' })
    expect([missing.status, missing.body]).toMatchObject([
      422,
      { message: 'Please fill in all the fields.', errors: { postcode: ['Please fill in all the fields.'] } },
    ])
    await asOwner(server, 'update patient set email_sealed = null, email_to = null where id = $1', [one.id])
    const unreachable = await signUp(server, token, { email: 'kim at home' })
    expect([unreachable.status, Object.keys((unreachable.body as unknown as { errors: object }).errors)]).toEqual([
      ...[422, ['email']],
    ])
    expect((await signUp(server, token, { captcha: null })).status).toBe(422)
    expect((await signUp(server, token, { form_version: 7 })).status).toBe(409)
    expect(await referralOf(one)).toBeUndefined()
    expect((await signUp(server, token, { form_version: 1 })).status).toBe(200)
  })

  it('leads on to the configured survey for a trial named recall, and nowhere else', async () => {
    const recall = await makeRunningTrial(server, support, { name: 'Recall' })
    const { token } = await invited(recall.id)
    expect((await read(token)).body.recall).toBe(true)
    const before = server.services.env.RECALL_SURVEY_URL
    server.services.env.RECALL_SURVEY_URL = 'https://survey.example/start'
    try {
      expect((await signUp(server, token)).body).toMatchObject({ redirect_url: 'https://survey.example/start' })
    } finally {
      server.services.env.RECALL_SURVEY_URL = before
    }
  })
})

describe('the link of an invitation (T11)', () => {
  it('is throttled by link and network, far above normal use', async () => {
    const { token } = await invited()
    expect((await read(token)).status).toBe(200)
    await asOwner(server, `update throttle set points = 99 where key like 'use:%'`)
    expect([(await read(token)).status, (await read(token)).status]).toEqual([200, 429])
    expect((await signUp(server, token)).status).toBe(429)
  })

  it('is submitted once, even by forty requests at once', async () => {
    const { one, token } = await invited()
    const ticks = await Promise.all(Array.from({ length: 40 }, () => solvedCaptcha(server)))
    const replies = await Promise.all(
      ticks.map((captcha) => server.call(`/api/consent/${token}/submit`, { ...SIGN_UP, captcha })),
    )
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const reply of replies.filter(({ status }) => status !== 200)) expect(plain(reply)).toEqual(DEAD)
    const rebates = await asOwner(server, 'select cents from trial_rebate where patient_id = $1', [one.id])
    expect(rebates).toEqual([{ cents: 2000 }])
  })

  it('is not used up by viewing, by GET or HEAD', async () => {
    const { one, token } = await invited()
    for (const method of ['GET', 'HEAD'] as const) {
      await server.app.inject({ method, url: `/clinicaltrial/${token}` })
      await server.app.inject({ method, url: `/api/consent/${token}` })
      await server.app.inject({ method, url: `/api/consent/${token}/submit` })
    }
    expect((await read(token)).status).toBe(200)
    expect(await stateOf(one)).toBe('contacted')
  })

  it('looks the same when unknown, used, over, or of a trial that may not take anybody now', async () => {
    const { token } = await invited()
    const { token: unused } = await invited()
    server.clock.offsetMs = 90 * DAY + 1000
    expect(plain(await read(unused))).toEqual(DEAD)
    server.clock.offsetMs = 90 * DAY - 60_000
    expect((await read(unused)).status).toBe(200)
    server.clock.offsetMs = 0
    const { body } = await signUp(server, token)
    expect(plain(await read(token))).toEqual(DEAD)
    expect(plain(await signUp(server, token))).toEqual(DEAD)
    // Neither kind of link opens what the other does.
    for (const other of ['x', 'A'.repeat(22), body.withdraw_id]) {
      expect(plain(await read(other))).toEqual(DEAD)
      expect(plain(await signUp(server, other))).toEqual(DEAD)
    }
    for (const change of ['active = false', `end_day = '2020-01-01'`, `start_day = '2999-01-01'`]) {
      await asOwner(server, `update trial set ${change} where id = $1`, [trial.id])
      expect(plain(await read(unused))).toEqual(DEAD)
      expect(plain(await signUp(server, unused))).toEqual(DEAD)
      await asOwner(server, 'update trial set active = true, end_day = null, start_day = null where id = $1', [
        trial.id,
      ])
    }
    expect((await read(unused)).status).toBe(200)
  })

  it('opens no form for somebody who has opted out since, whose sign-up would be refused', async () => {
    const { one, token } = await invited()
    await asOwner(
      server,
      `update trial_participant set state = 'opted_out', opted_out_at = now() where patient_id = $1`,
      [one.id],
    )
    expect(plain(await read(token))).toEqual(DEAD)
    expect(plain(await signUp(server, token))).toEqual(DEAD)
  })

  it('is stored only as a hash, and so is the link to withdraw', async () => {
    const { token } = await invited()
    const { body } = await signUp(server, token)
    const stolen = await dump(server)
    for (const secret of [token, body.withdraw_id])
      for (const form of ['utf8', 'hex', 'base64'] as const)
        expect(stolen).not.toContain(Buffer.from(secret).toString(form))
  })
})

describe('withdrawing', () => {
  const withdraw = (id: string, captcha?: string) => server.call(`/api/consent/${id}/withdraw`, { captcha })
  const shown = async (id: string) => (await server.call(`/api/consent/${id}/withdrawal`)).body

  it('removes the patient from the recruiter’s list, erases what was given, and may be repeated', async () => {
    const { one, token } = await invited()
    const { body } = await signUp(server, token)
    expect(await shown(body.withdraw_id)).toMatchObject({
      withdrawn: false,
      enrolled: false,
      recruiter_phone: '02 5550 0190',
    })
    for (let time = 0; time < 3; time++)
      expect(plain(await withdraw(body.withdraw_id))).toEqual({ status: 200, body: { withdrawn: true } })
    expect(await shown(body.withdraw_id)).toMatchObject({ withdrawn: true })
    expect(await stateOf(one)).toBe('opted_out')
    expect(await referralOf(one)).toMatchObject({
      ...{ first_name: null, last_name: null, phone_number: null, email: null, postcode: null },
      // The referral was made, and its rebate is still owed.
      ...{ withdrawn_at: expect.any(Date), rebate_cents: 2000 },
    })
    const events = await asOwner(server, 'select event from trial_event where patient_id = $1 order by id', [one.id])
    expect(events.map(({ event }) => event)).toEqual(['referred', 'opted_out', 'withdrawn'])
    const log = await asOwner(
      server,
      `select action from audit where company_id = $1 and action like 'trialConsent.%' order by id desc limit 2`,
      [world.company.id],
    )
    expect(log.map(({ action }) => action)).toEqual(['trialConsent.withdraw', 'trialConsent.submit'])
    expect(plain(await withdraw('A'.repeat(22)))).toEqual(DEAD)
  })

  it('stays possible after a trial has ended, by time or by an enrolment', async () => {
    const own = await makeRunningTrial(server, support, { rebate_type: 'enroll' })
    const { one, token } = await invited(own.id)
    const { body } = await signUp(server, token)
    await asOwner(
      server,
      `update trial_participant set state = 'enrolled', enrolled_at = now() where patient_id = $1`,
      [one.id],
    )
    await support.ask(contract.clinicalTrial.editActiveStatus, { trial_id: own.trial_id, active: false })
    server.clock.offsetMs = 400 * DAY
    expect(await shown(body.withdraw_id)).toMatchObject({ enrolled: true, withdrawn: false })
    expect((await withdraw(body.withdraw_id)).status).toBe(200)
    expect(await stateOf(one)).toBe('enrolled')
    expect(await referralOf(one)).toMatchObject({ first_name: null })
  })

  it('treats a wrong tick as none, but works without one', async () => {
    const { token } = await invited()
    const { body } = await signUp(server, token)
    expect((await withdraw(body.withdraw_id, 'rubbish')).status).toBe(422)
    expect(await shown(body.withdraw_id)).toMatchObject({ withdrawn: false })
    expect((await withdraw(body.withdraw_id)).status).toBe(200)
  })
})
