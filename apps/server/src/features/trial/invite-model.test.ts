import { contract } from '@pillar/contract'
import { type FrequencyCap, keepsCap } from '@pillar/domain/cohort/frequency-cap'
import { CHANNELS, type Channel, consentOf, permissionFor } from '@pillar/domain/consent/consent'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { DEEP } from '../../../test/deep.ts'
import { storing } from '../../../test/field/contacts.ts'
import { freshMobile, type MessagingWorld, makeMessagingWorld, setRules } from '../../../test/messaging.ts'
import { FakePhones } from '../../../test/outside/fake-gateway.ts'
import { asOwner, fresh } from '../../../test/people.ts'
import { sendAll } from '../../../test/sending.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { makeSupport, type Support } from '../../../test/support.ts'
import { makeRunningTrial, signUp } from '../../../test/trial.ts'
import { addPeople, person } from '../../../test/world/cohort-world.ts'
import { befall, type Modelled, modelled, type Step, step } from '../../../test/world/consent-history.ts'
import type { Services } from '../../api/context.ts'
import { inScope } from '../../db/scope.ts'
import { openEmailSimulator } from '../../gateways/simulator.ts'
import { renewFacts } from '../cohort/fact/facts.queries.ts'
import { addHistory } from '../sending/history.queries.ts'
import { referenceOf } from '../sending/reference.ts'
import { NO_SIXTY_DAY } from '../sixty-day/list.queries.ts'
import { inviteTrial } from './invite.jobs.ts'
import { countTrials } from './trial-count.jobs.ts'

const HISTORIES = DEEP ? 2_000 : 60
const ROUNDS = 8
const HOUR = 3_600_000
const DAY = 24 * HOUR
const SIGN_UPS = 12

/** What may forbid every invitation at a moment. `noon`: sending hours begin after the first try to send, and before the second. */
const setting = fc.record({
  active: fc.constantFrom(true, true, true, true, false),
  dates: fc.constantFrom('none', 'none', 'inside', 'over', 'to come'),
  ethics: fc.constantFrom('in force', 'in force', 'in force', 'over'),
  hours: fc.constantFrom('all day', 'all day', 'noon', 'never'),
  cap: fc.constantFrom<FrequencyCap>(
    { messages: 100, hours: 744 },
    { messages: 1, hours: 20 },
    { messages: 2, hours: 100 },
  ),
})
type Setting = typeof setting extends fc.Arbitrary<infer One> ? One : never
const steps = fc.array(
  fc.record({ early: step, late: step, texted: fc.constantFrom('no', 'no', 'no', 'early', 'late') }),
  { minLength: ROUNDS, maxLength: ROUNDS },
)
const rounds = fc.array(fc.record({ write: setting, send: setting }), { minLength: ROUNDS, maxLength: ROUNDS })

interface Invitee extends Modelled {
  steps: { early: Step; late: Step; texted: string }[]
  /** Messages of the company to a number or address, in epoch milliseconds. */
  had: Map<string, number[]>
  sent: boolean
}

let server: TestServer
let support: Support
let world: MessagingWorld
let phones: FakePhones
let services: Services

beforeAll(async () => {
  server = await startTestServer()
  support = await makeSupport(server)
  world = await makeMessagingWorld(server)
  phones = new FakePhones()
  const bulkEmail = openEmailSimulator(server.services.pools.system, Number.POSITIVE_INFINITY)
  services = { ...server.services, sms: phones.gateway(), bulkEmail }
})
afterAll(() => server.close())

/** A trial for people aged 65 or over, by text or email. */
async function makeInvitingTrial() {
  const ids = []
  for (const type of ['sms', 'email'] as const) {
    const { body } = await support.ask(contract.templateAdmin.createGlobal, {
      ...{
        name: fresh('Invitation'),
        body: 'Hi {First Name}, {Pharmacy Name} asks: {Consent ID}',
        communication_type: type,
      },
      ...(type === 'email' ? { subject: 'A study' } : {}),
    })
    ids.push(String(body.id))
  }
  return makeRunningTrial(server, support, { filters: { age: ['65-74', '75+'] }, template_ids: ids })
}

async function makeInvitees(count: number): Promise<Invitee[]> {
  const people = Array.from({ length: count }, () => {
    const sms_to = freshMobile()
    return person({ born: '1950-05-05', sms_to, email_to: `t${sms_to.slice(1)}@mail.example` })
  })
  const ids = await addPeople(server, world, people)
  await asOwner(server, `update location set data_to = '2026-11-01'`)
  return people.map(({ sms_to, email_to }, at) => ({
    ...modelled({ id: ids[at]!, locationId: world.locations[0]!.id, sms_to, email_to }),
    ...{ steps: [], had: new Map(), sent: false },
  }))
}

/** Stores a moment's setting in the database. */
async function arrange(trialId: number, { active, dates, ethics, hours, cap }: Setting): Promise<void> {
  const [start, end] = { none: [null, null], inside: [-5, 5], over: [-9, -3], 'to come': [3, 9] }[dates]!
  const day = (offset: number | null | undefined) =>
    offset == null ? null : new Date(services.now().getTime() + offset * DAY).toISOString().slice(0, 10)
  await asOwner(server, 'update trial set active = $2, start_day = $3, end_day = $4 where id = $1', [
    ...[trialId, active, day(start), day(end)],
  ])
  await asOwner(server, 'update trial_ethics_approval set expires_on = $2 where trial_id = $1', [
    ...[trialId, ethics === 'over' ? day(-3) : null],
  ])
  const week = { 'all day': [0, 1440], noon: [720, 1440], never: null } as const
  await setRules(server, world.company.id, { cap, week: Array.from({ length: 7 }, () => week[hours]) })
}

const takesPart = ({ active, dates, ethics }: Setting) =>
  active && (dates === 'none' || dates === 'inside') && ethics === 'in force'

const contactOf = ({ patient }: Invitee, channel: Channel) => (channel === 'sms' ? patient.sms_to : patient.email_to)

/** Whether nothing prevents an invitation to a person on a channel at a moment. */
function open(one: Invitee, channel: Channel, now: Setting, at: number): boolean {
  if (one.barred || one.unlogged.has(channel) || contactOf(one, channel) === null) return false
  const keys = CHANNELS.map((each) => contactOf(one, each)).filter((key) => key !== null)
  if (!keys.every((key) => keepsCap(now.cap, one.had.get(key) ?? [], at))) return false
  return permissionFor('trial', channel, consentOf(one.log), { active: true, ethicsApproved: true }) === 'allowed'
}

/** A message of the company's that is not an invitation. */
async function text(one: Invitee): Promise<void> {
  const keys = CHANNELS.map((channel) => contactOf(one, channel)).filter((key) => key !== null)
  const at = services.now()
  const store = await storing(server, keys)
  await world.inside((tx) => addHistory(tx, world.company.id, keys.map(store), at))
  noteMessage(one, keys, at.getTime())
}

function noteMessage(one: Invitee, keys: readonly string[], at: number): void {
  for (const key of keys) one.had.set(key, [...(one.had.get(key) ?? []), at])
}

async function befallAll(people: readonly Invitee[], round: number, when: 'early' | 'late'): Promise<void> {
  for (const one of people) {
    await befall({ server, world }, one, one.steps[round]![when])
    if (one.steps[round]!.texted === when) await text(one)
  }
}

/** The hand-overs so far: how many to each patient. */
async function handedOver(trialId: number): Promise<Map<number, number>> {
  const rows = await asOwner<{ patient_id: number; location_id: number; id: number; uuid: string }>(
    server,
    `select m.patient_id, m.location_id, m.id, r.uuid from message m join message_run r on r.id = m.run_id
     where r.trial_id = $1 and r.context = 'trial'`,
    [trialId],
  )
  const simulated = await asOwner<{ reference: string }>(server, 'select reference from simulator_message')
  const taken = new Set([...phones.accepted.keys(), ...simulated.map(({ reference }) => reference)])
  const count = new Map<number, number>()
  for (const { uuid, location_id, id, patient_id } of rows)
    if (taken.has(referenceOf(uuid, location_id, id))) count.set(patient_id, (count.get(patient_id) ?? 0) + 1)
  return count
}

it('random histories of patients, trials and sending rules invite exactly the patients the model allows, once (T20)', {
  timeout: 1_800_000,
}, async () => {
  const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
  const trial = await makeInvitingTrial()
  const people = await makeInvitees(HISTORIES)
  for (const [at, one] of fc.sample(steps, { numRuns: HISTORIES, seed }).entries()) people[at]!.steps = one
  const [plan] = fc.sample(rounds, { numRuns: 1, seed })
  // Whatever the seed, one round in which invitations are sent, and one that is closed between writing and sending.
  const fine = {
    active: true,
    dates: 'none',
    ethics: 'in force',
    hours: 'all day',
    cap: { messages: 1, hours: 20 },
  } as const
  plan![1] = { write: fine, send: { ...fine, active: false } }
  plan![2] = { write: fine, send: { ...fine, hours: 'noon' } }
  await countTrials(services, trial.id, services.now())
  let went = 0
  let held = 0
  const midnight = Math.floor(Date.now() / DAY) * DAY
  for (const [round, { write, send }] of plan!.entries()) {
    // Ten or eleven in the morning at the pharmacy.
    server.clock.offsetMs = midnight + (round + 1) * DAY - Date.now()
    await befallAll(people, round, 'early')
    await recountFacts()
    await arrange(trial.id, write)
    const wrote = services.now().getTime()
    const chosen = new Map(
      people.map((one) => {
        const channel = CHANNELS.find((each) => open(one, each, write, wrote))
        const planned = takesPart(write) && write.hours !== 'never' && !one.sent && channel
        return [one, planned ? { channel, contact: contactOf(one, channel) } : null]
      }),
    )
    const act = crypto.randomUUID()
    for (const uuid of [act, act, crypto.randomUUID()])
      await inviteTrial.run({ uuid, trial_id: trial.id, login_id: null }, services)
    await befallAll(people, round, 'late')
    await arrange(trial.id, send)
    for (const ahead of [3 * 60_000, 3 * HOUR]) {
      server.clock.offsetMs += ahead
      await sendAll(services)
      await sendAll(services, {}, 'email')
      if (ahead < HOUR && send.hours !== 'all day')
        expect((await handedOver(trial.id)).size, `seed ${seed}, round ${round}: before sending hours`).toBe(went)
    }
    const count = await handedOver(trial.id)
    const sentAt = services.now().getTime()
    for (const one of people) {
      const plan = chosen.get(one)
      const goes =
        plan != null &&
        takesPart(send) &&
        send.hours !== 'never' &&
        contactOf(one, plan.channel) === plan.contact &&
        open(one, plan.channel, send, sentAt)
      const what = `seed ${seed}, round ${round}: ${JSON.stringify({ write, send, steps: one.steps.slice(0, round + 1) })}`
      expect(count.get(one.patient.id) ?? 0, what).toBe(goes || one.sent ? 1 : 0)
      if (goes) {
        went++
        one.sent = true
        noteMessage(
          one,
          CHANNELS.map((each) => contactOf(one, each)).filter((key) => key !== null),
          sentAt,
        )
      } else held++
    }
  }
  expect(phones.repeats).toEqual([])
  expect(went).toBeGreaterThan(0)
  expect(held).toBeGreaterThan(0)
  await answerOnce(trial.id)
})

/** As an upload does: rebuilds what cohorts and forecasts read about the patients. */
async function recountFacts(): Promise<void> {
  const { id } = world.locations[0]!
  const facts = { locationId: id, dataTo: '2026-11-01', sixtyDay: NO_SIXTY_DAY, thirtyDayMost: 45, distances: [] }
  await inScope(services.pools.app, world.scope, (tx) => renewFacts(tx, facts))
}

/** Sent links are accepted once, and only while the trial may accept anybody; a person who withdraws is never invited again. */
async function answerOnce(trialId: number): Promise<void> {
  const fine = {
    active: true,
    dates: 'none',
    ethics: 'in force',
    hours: 'all day',
    cap: { messages: 100, hours: 744 },
  } as const
  // Others' links may have ended with a trial's last day.
  const fresh = new Set((await makeInvitees(SIGN_UPS)).map(({ patient }) => patient.sms_to))
  await countTrials(services, trialId, services.now())
  await arrange(trialId, fine)
  await inviteAndSend(trialId)
  const texts = [...phones.accepted.values()].filter(({ to }) => fresh.has(to))
  const tokens = texts.flatMap(({ text: body }) => /\/clinicaltrial\/([\w-]{22})/.exec(body)?.[1] ?? [])
  expect(tokens).toHaveLength(SIGN_UPS)
  const before = await handedOver(trialId)
  for (const [at, token] of tokens.entries()) {
    await asOwner(server, 'truncate throttle')
    await arrange(trialId, {
      ...fine,
      ...[{ active: false }, { ethics: 'over' as const }, { dates: 'over' as const }][at % 3],
    })
    expect((await signUp(server, token)).status).toBe(404)
    await arrange(trialId, fine)
    const first = await signUp(server, token)
    expect((await signUp(server, token)).status).toBe(404)
    expect(first.status).toBe(200)
    if (at % 2 === 0) await server.call(`/api/consent/${first.body.withdraw_id}/withdraw`, {})
  }
  const rebates = await asOwner(server, 'select cents from trial_rebate where trial_id = $1', [trialId])
  expect(rebates).toHaveLength(SIGN_UPS)
  await inviteAndSend(trialId)
  const after = await handedOver(trialId)
  for (const [patient] of before) expect(after.get(patient)).toBe(1)
}

async function inviteAndSend(trialId: number): Promise<void> {
  await inviteTrial.run({ uuid: crypto.randomUUID(), trial_id: trialId, login_id: null }, services)
  server.clock.offsetMs += DAY
  await sendAll(services)
  await sendAll(services, {}, 'email')
}
