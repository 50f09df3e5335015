import { contract } from '@pillar/contract'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { DEEP } from '../../../test/deep.ts'
import { type MessagingWorld, makeMessagingWorld } from '../../../test/messaging.ts'
import { asOwner } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { makeSupport, type Support } from '../../../test/support.ts'
import { makeRecruiterLogin, makeRunningTrial, referredPatient } from '../../../test/trial.ts'

const { list, summary, edit } = contract.referral
const PATIENTS = 20
const ACTS = DEEP ? 1_500 : 90
const LOOK_EVERY = 15

/** The next event, for one of the patients or for a trial's rebates. */
const act = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      what: fc.constant('edit' as const),
      who: fc.nat(),
      enrolled: fc.boolean(),
      contacted: fc.constantFrom(null, true, true, false),
    }),
  },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('sign up' as const), of: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('withdraw' as const), who: fc.nat() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      what: fc.constant('pay' as const),
      of: fc.nat(),
      ...{ refer: fc.nat(90), enroll: fc.nat(900), sr: fc.nat(50) },
    }),
  },
)

/** A trial's terms in the model: cents for a referral or an enrolment, to the pharmacy and to the platform. */
interface Terms {
  id: number
  pays: 'refer' | 'enroll'
  cents: number
  sr: number
}

interface Modelled {
  trial: Terms
  consent_id: string
  withdraw_id: string
  enrolled: boolean
  everEnrolled: boolean
  contacted: boolean | null
  withdrawn: boolean
  optedOut: boolean
  /** What is owed: the referral, or the enrolment at the amounts of its day. */
  owed: number
  srOwed: number
}

let server: TestServer
let support: Support
let world: MessagingWorld
let recruiter: Support
let trials: Terms[]
const people: Modelled[] = []

beforeAll(async () => {
  server = await startTestServer()
  support = await makeSupport(server)
  world = await makeMessagingWorld(server)
  const first = await makeRunningTrial(server, support)
  const second = await makeRunningTrial(server, support, { rebate_type: 'enroll' })
  await asOwner(server, 'update trial set recruiter_id = $2 where id = $1', [second.id, first.recruiterId])
  recruiter = await makeRecruiterLogin(server, first.recruiterId)
  trials = [
    { id: first.id, pays: 'refer', cents: 2000, sr: 550 },
    { id: second.id, pays: 'enroll', cents: 10_000, sr: 2500 },
  ]
})
afterAll(() => server.close())

async function signUp(trial: Terms): Promise<void> {
  const { consent_id, withdraw_id } = await referredPatient(server, world, trial.id)
  const paid = trial.pays === 'refer'
  people.push({
    ...{ trial, consent_id, withdraw_id, enrolled: false, everEnrolled: false, contacted: null },
    ...{ withdrawn: false, optedOut: false, owed: paid ? trial.cents : 0, srOwed: paid ? trial.sr : 0 },
  })
}

async function switchBoth(one: Modelled, enrolled: boolean, contacted: boolean | null): Promise<void> {
  const { consent_id } = one
  const { status } = await recruiter.ask(edit, { consent_id, enrolled, recruiter_contacted: contacted })
  const reopened = contacted === null && one.contacted !== null
  expect(status).toBe(one.withdrawn ? 404 : reopened ? 422 : 200)
  if (status !== 200) return
  if (enrolled !== one.enrolled && one.trial.pays === 'enroll') {
    one.owed = enrolled ? one.trial.cents : 0
    one.srOwed = enrolled ? one.trial.sr : 0
  }
  Object.assign(one, { enrolled, contacted, everEnrolled: one.everEnrolled || enrolled })
}

async function carryOut(one: typeof act extends fc.Arbitrary<infer Act> ? Act : never): Promise<void> {
  const pick = <T>(from: readonly T[], at: number) => from[at % from.length]!
  switch (one.what) {
    case 'sign up':
      return people.length < PATIENTS ? signUp(pick(trials, one.of)) : undefined
    case 'edit':
      return switchBoth(pick(people, one.who), one.enrolled, one.contacted)
    case 'withdraw': {
      const who = pick(people, one.who)
      expect((await server.call(`/api/consent/${who.withdraw_id}/withdraw`, {})).status).toBe(200)
      who.optedOut ||= !who.enrolled
      who.withdrawn = true
      return
    }
    case 'pay': {
      const trial = pick(trials, one.of)
      trial.cents = trial.pays === 'refer' ? one.refer * 100 : one.enroll * 100
      trial.sr = one.sr * 100
      await asOwner(
        server,
        `update trial set refer_rebate_cents = $2, enroll_rebate_cents = $2, sr_refer_rebate_cents = $3, sr_enroll_rebate_cents = $3
         where id = $1`,
        [trial.id, trial.cents, trial.sr],
      )
    }
  }
}

const total = (of: readonly Modelled[], value: (one: Modelled) => number | boolean | null) =>
  of.reduce((sum, one) => sum + Number(value(one)), 0)

/** Compares rows, summary and support's sums with the model, and with each other. */
async function look(what: string): Promise<void> {
  await asOwner(server, 'truncate throttle')
  const here = people.filter(({ withdrawn }) => !withdrawn)
  const gone = people.filter(({ withdrawn }) => withdrawn)
  const { referrals } = (await recruiter.ask(list, {})).body
  const rows = referrals.map((row) => [
    row.consent_id,
    row.enrolled,
    row.recruiter_contacted,
    row.rebate,
    row.sr_rebate,
  ])
  const wanted = here.map((one) => [one.consent_id, one.enrolled, one.contacted, one.owed / 100, one.srOwed / 100])
  expect(rows.sort(), what).toEqual(wanted.sort())
  const { body } = await recruiter.ask(summary, {})
  expect(body, what).toMatchObject({
    total_referred: here.length,
    total_enrolled: total(here, ({ enrolled }) => enrolled),
    total_contacted: total(here, ({ contacted }) => contacted),
    total_withdrawn: gone.length,
    rebate: referrals.reduce((sum, { rebate }) => sum + rebate * 100, 0) / 100,
    sr_rebate: total(here, ({ srOwed }) => srOwed) / 100,
    withdrawn_rebate: total(gone, ({ owed }) => owed) / 100,
    withdrawn_sr_rebate: total(gone, ({ srOwed }) => srOwed) / 100,
  })
  for (const trial of trials) {
    const own = people.filter((one) => one.trial === trial)
    const sums = await asOwner(
      server,
      `select total_eligible, total_contacted, total_referred, total_enrolled, total_optout, rebate_cents::int, sr_rebate_cents::int,
         (select coalesce(sum(cents), 0)::int from trial_rebate b where b.trial_id = x.trial_id) as ledger
       from trial_location x where trial_id = $1 and total_eligible > 0`,
      [trial.id],
    )
    const owed = total(own, (one) => one.owed)
    const reached = { total_eligible: own.length, total_contacted: own.length, total_referred: own.length }
    const ends = {
      total_enrolled: total(own, ({ everEnrolled }) => everEnrolled),
      total_optout: total(own, ({ optedOut }) => optedOut),
    }
    const money = { rebate_cents: owed, sr_rebate_cents: total(own, ({ srOwed }) => srOwed), ledger: owed }
    expect(sums, what).toEqual(own.length === 0 ? [] : [{ ...reached, ...ends, ...money }])
  }
}

it('whatever is switched, paid and withdrawn, in any order, sums equal the rows and the ledger', {
  timeout: 1_800_000,
}, async () => {
  const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
  for (const trial of trials) await signUp(trial)
  for (const [at, one] of fc.sample(act, { numRuns: ACTS, seed }).entries()) {
    await carryOut(one)
    if (at % LOOK_EVERY === LOOK_EVERY - 1) await look(`seed ${seed}, after ${at + 1} acts`)
  }
})
