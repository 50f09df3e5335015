import { enrols, eventDay, goalReached, SEQUENCE_EVENTS, type SequenceEvent } from '@pillar/domain/campaign/sequence'
import { type DispensedLine, eventFacts } from '@pillar/domain/campaign/sequence-facts'
import { type Day, day as dayOf, formatDay } from '@pillar/domain/time/day'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { DEEP } from '../../../test/deep.ts'
import { makeMessagingWorld, makePatients } from '../../../test/messaging.ts'
import { asOwner } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { afterUploadOf, dispense, makeDrug, makeSequence, setClock } from '../../../test/world/sequence-world.ts'
import { buildEventFacts } from './facts.queries.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const START = dayOf('2026-06-01')
const EVENTS = Object.keys(SEQUENCE_EVENTS) as SequenceEvent[]

/** A line, days counted back from START; `molecule` is one of three. */
interface Line {
  molecule: number
  back: number
  days: number
  k: number | null
  repeats: number | null
  /** Days before the line on which it was prescribed, and days after it on which the prescriber ended it. */
  prescribed: number | null
  ceased: number | null
  lost: 'reversed' | 'deferred' | 'refund' | null
}

const line: fc.Arbitrary<Line> = fc.record({
  molecule: fc.integer({ min: 0, max: 2 }),
  back: fc.oneof(
    fc.integer({ min: -90, max: 40 }),
    fc.integer({ min: -90, max: 40 }),
    fc.integer({ min: 0, max: 900 }),
  ),
  days: fc.constantFrom(1, 7, 28, 30, 30, 60, 180),
  k: fc.option(fc.integer({ min: 1, max: 7 }), { freq: 6 }),
  repeats: fc.option(fc.integer({ min: 0, max: 6 }), { freq: 6 }),
  prescribed: fc.option(fc.integer({ min: 0, max: 380 }), { freq: 6 }),
  ceased: fc.option(fc.integer({ min: 0, max: 60 }), { freq: 2 }),
  lost: fc.constantFrom(null, null, null, null, null, 'reversed', 'deferred', 'refund'),
})
/** A patient who comes about every so many days, and some other lines. */
const regular = fc
  .record({
    first: line,
    every: fc.integer({ min: 20, max: 45 }),
    times: fc.integer({ min: 1, max: 14 }),
    more: fc.array(line, { maxLength: 4 }),
  })
  .map(({ first, every, times, more }) => [
    ...Array.from({ length: times }, (_, at) => ({
      ...first,
      back: first.back - at * every,
      k: (at % 6) + 1,
      repeats: 5,
      lost: null,
    })),
    ...more,
  ])
const person = fc.record({
  lines: fc.oneof(fc.array(line, { maxLength: 8 }), regular, regular),
  what: fc.constantFrom('well', 'well', 'well', 'well', 'fake', 'facility', 'dead'),
})

type Person = { lines: Line[]; what: string }

async function makeWorld(people: readonly Person[]) {
  const world = await makeMessagingWorld(server)
  const place = world.locations[0]!.id
  const drugs = [await makeDrug(server, place), await makeDrug(server, place), await makeDrug(server, place)]
  // The first molecule comes in two strengths.
  const strengths = [drugs[0]!, await makeDrug(server, place, drugs[0]!.moleculeId)]
  const patients = await makePatients(server, place, people.length, (at) => ({
    fake: people[at]!.what === 'fake',
    facility: people[at]!.what === 'facility',
    deceased_on: people[at]!.what === 'dead' ? '2026-05-01' : null,
  }))
  const scripts = people.flatMap(({ lines }, at) =>
    lines.map((one, index) => {
      const on = START - one.back
      return {
        patientId: patients[at]!.id,
        drugId: (one.molecule === 0 ? strengths[index % 2]! : drugs[one.molecule]!).id,
        on: formatDay(on),
        days: one.days,
        k: one.k,
        repeats: one.repeats,
        prescribedOn: one.prescribed === null ? null : formatDay(on - one.prescribed),
        ceasedOn: one.ceased === null ? null : formatDay(on + one.ceased),
        reversed: one.lost === 'reversed',
        deferred: one.lost === 'deferred',
        refund: one.lost === 'refund',
      }
    }),
  )
  await dispense(server, place, scripts)
  return { world, place, molecules: drugs.map((drug) => drug.moleculeId), patients }
}

const linesOf = ({ lines }: Person, molecules: readonly number[], today: Day): DispensedLine[] =>
  lines
    .filter((one) => one.lost === null)
    .map((one) => ({
      day: START - one.back,
      molecule: molecules[one.molecule]!,
      days: one.days,
      supplyNumber: one.k,
      repeatsAuthorised: one.repeats,
      prescribedOn: one.prescribed === null ? null : START - one.back - one.prescribed,
      ceased: one.ceased !== null && START - one.back + one.ceased <= today,
    }))

it('facts match the domain for any dispensing history', { timeout: 600_000 }, async () => {
  let compared = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(person, { minLength: 1, maxLength: 25, size: 'max' }),
      fc.integer({ min: -40, max: 140 }),
      async (people, on) => {
        const { world, place, molecules, patients } = await makeWorld(people)
        const today = START + on
        const rows = await world.inside(async (tx) => {
          await buildEventFacts(tx, place, formatDay(today))
          return (
            await sql<Record<string, number | null>>`select * from s_fact order by patient_id, molecule_id`.execute(tx)
          ).rows
        })
        const expected = people.flatMap((one, at) =>
          molecules.flatMap((molecule) => {
            const facts = one.what === 'well' && eventFacts(linesOf(one, molecules, today), molecule, today)
            return facts ? [{ patient_id: patients[at]!.id, molecule_id: molecule, ...facts }] : []
          }),
        )
        compared += rows.length
        expect(
          rows.map((row) => ({
            patient_id: row.patient_id,
            molecule_id: row.molecule_id,
            supplied: row.supplied,
            suppliedBefore: row.supplied_before,
            historyFrom: row.history_from,
            runOut: row.run_out,
            repeatsLeft: row.repeats_left,
            dispenseNumber: row.dispense_number,
            repeatsAuthorised: row.repeats_authorised,
            expires: row.expires,
            lastVisit: row.last_visit,
            meanCycle: row.mean_cycle,
          })),
        ).toEqual(expected)
      },
    ),
    { numRuns: DEEP ? 200 : 15 },
  )
  expect(compared).toBeGreaterThan(0)
})

/** Enrolments by the domain alone, from what each upload day knew, one after the other. As 'event patient molecule day goal'. */
interface Enrolled {
  day: Day
  goal: Day | null
  /** The record no longer shows its event. */
  gone: boolean
}

function enrolmentsByDomain(
  people: readonly Person[],
  molecules: readonly number[],
  uploads: readonly Day[],
): string[] {
  const made = new Map<string, Enrolled[]>()
  for (const today of uploads) {
    for (const [at, one] of people.entries()) {
      if (one.what !== 'well') continue
      const lines = linesOf(one, molecules, today)
      for (const event of EVENTS) {
        const days = new Map<number, Day>()
        for (const own of molecules) {
          const facts = eventFacts(lines, own, today)
          const on = facts && eventDay(event, facts)
          if (on !== null) days.set(event === 'lapsed_patient' ? 0 : own, on)
        }
        for (const molecule of event === 'lapsed_patient' ? [0] : molecules) {
          const key = `${event} ${at} ${molecule}`
          const supplies = lines.filter((line) => molecule === 0 || line.molecule === molecule).map(({ day }) => day)
          made.set(key, afterUpload(made.get(key) ?? [], days.get(molecule) ?? null, supplies, today))
        }
      }
    }
  }
  return [...made].flatMap(([key, all]) =>
    all.map(({ day, goal }) => `${key} ${formatDay(day)} ${goal === null ? null : formatDay(goal)}`),
  )
}

/** Enrolments of one patient, sequence and molecule after an upload. @param on the day of the event, as the record has it now */
function afterUpload(before: readonly Enrolled[], on: Day | null, supplies: readonly Day[], today: Day): Enrolled[] {
  const reached = (all: readonly Enrolled[]) =>
    all.map((one) => {
      const days = supplies.filter((day) => goalReached(one.day, [day], today))
      return one.goal === null && !one.gone && days.length > 0 ? { ...one, goal: Math.min(...days) } : one
    })
  const shown = on !== null && on <= today
  const all = reached(before).map((one) => ({ ...one, gone: one.gone || (one.goal === null && !shown) }))
  const counted = all.filter(({ gone }) => !gone).map(({ day }) => day)
  if (on === null || !enrols(on, today, counted.length === 0 ? null : Math.max(...counted))) return all
  return reached([...all.filter(({ day }) => day !== on), { day: on, goal: null, gone: false }])
}

it('enrolments over many uploads match the domain', { timeout: 600_000 }, async () => {
  const seen = new Map<string, number>()
  const gaps = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 8, maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(fc.array(person, { minLength: 20, maxLength: 30 }), gaps, async (people, steps) => {
      const { world, molecules, patients } = await makeWorld(people)
      setClock(server, `${formatDay(START)}T02:00:00Z`)
      const ids: number[] = []
      for (const event of EVENTS) ids.push(await makeSequence(server, world, [3, 700], { event }))
      const uploads: Day[] = []
      for (const step of steps) {
        uploads.push((uploads.at(-1) ?? START) + step)
        setClock(server, `${formatDay(uploads.at(-1)!)}T02:00:00Z`)
        await afterUploadOf(server, world)
      }
      const rows = await asOwner<{ id: number; patient: number; molecule: number; day: string; goal: string | null }>(
        server,
        `select sequence_id::int as id, patient_id::int as patient, molecule_id as molecule, event_day::text as day, goal_day::text as goal
         from enrolment where sequence_id = any($1)`,
        [ids],
      )
      const found = rows.map((row) => {
        const event = EVENTS[ids.indexOf(Number(row.id))]!
        seen.set(event, (seen.get(event) ?? 0) + 1)
        const at = patients.findIndex((patient) => Number(patient.id) === row.patient)
        return `${event} ${at} ${row.molecule} ${row.day} ${row.goal}`
      })
      expect(found.sort()).toEqual(enrolmentsByDomain(people, molecules, uploads).sort())
    }),
    { numRuns: DEEP ? 100 : 8 },
  )
  if (DEEP) expect([...seen.keys()].sort()).toEqual([...EVENTS].sort())
  expect([...seen.values()].reduce((sum, one) => sum + one, 0)).toBeGreaterThan(0)
})

it('every event of the domain is covered', async () => {
  const rows = await asOwner<{ value: string; name: string }>(
    server,
    'select value, name from sequence_event order by id',
  )
  expect(Object.fromEntries(rows.map((row) => [row.value, row.name]))).toEqual(SEQUENCE_EVENTS)
})
