import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SIXTY_DAY_SUMS, type SixtyDaySums } from './figure.ts'
import { measureSixtyDay, type SixtyDayFacts } from './measure.ts'

interface Line {
  person: number
  drug: number
  day: number
  days: number
  cents: number
}
const column = (lines: readonly Line[], name: keyof Line) => Int32Array.from(lines, (line) => line[name])
const columns = (lines: readonly Line[]) => ({
  ...{ person: column(lines, 'person'), drug: column(lines, 'drug'), day: column(lines, 'day') },
  ...{ days: column(lines, 'days'), cents: column(lines, 'cents') },
})
/** Drugs: 0 and 1 of molecule 0 (the second its 60-day item), 2 of molecule 1 in tranche 2, 3 of molecule 2, which is not on the list. */
const FACTS: SixtyDayFacts = {
  drugs: [
    { molecule: 0, tranche: 1, sixtyCode: false },
    { molecule: 0, tranche: 1, sixtyCode: true },
    { molecule: 1, tranche: 2, sixtyCode: false },
    { molecule: 2, tranche: 0, sixtyCode: false },
  ],
  // cells: 0 total, 1 condition of 0 and 1, 2 to 4 molecules, 5 an age group
  cells: { count: 6, ofMolecule: [[1, 2], [1, 3], [4]], ofPerson: [[5], [5], [], []] },
  sexes: ['F', 'M', null, 'F'],
  short: [false, true, false],
}
const measured = (lines: readonly Line[], cell = 0, scope = 0): SixtyDaySums => {
  const work = measureSixtyDay(columns(lines), FACTS, scope)
  let step = work.next()
  while (!step.done) step = work.next()
  const sums = step.value(cell)
  return Object.fromEntries(SIXTY_DAY_SUMS.map((name, at) => [name, sums[at]])) as unknown as SixtyDaySums
}
const supplies = (person: number, drug: number, count: number, from = 0): Line[] =>
  Array.from({ length: count }, (_, at) => ({ person, drug, day: from + at * 30, days: 30, cents: 1000 }))

describe('supplies of a medicine', () => {
  it('n = 12, 11, 7 and 1 are 30 affected scripts and 14 pairs', () => {
    const lines = [...supplies(0, 0, 12), ...supplies(1, 0, 11), ...supplies(2, 0, 7), ...supplies(3, 0, 1)]
    expect(measured(lines)).toMatchObject({
      affected_scripts: 30,
      script_pairs: 14,
      affected_patients: 3,
      scripts: 31,
      patients: 4,
    })
    expect(measured(lines)).toMatchObject({ female_patients: 1, male_patients: 1 })
    expect(measured(supplies(0, 0, 2))).toMatchObject({ female_patients: 1, male_patients: 0 })
  })
  it('for 60 days, by item code or by days, count as two of 30', () => {
    const sixty = { person: 0, day: 0, cents: 2000 }
    expect(measured([{ ...sixty, drug: 1, days: 30 }])).toMatchObject({
      affected_scripts: 2,
      script_pairs: 1,
      scripts: 2,
      sixty_supplies: 1,
    })
    expect(measured([{ ...sixty, drug: 0, days: 60 }])).toMatchObject({ affected_scripts: 2, eligible_supplies: 1 })
    expect(measured([{ ...sixty, drug: 0, days: 45 }])).toMatchObject({
      affected_scripts: 0,
      sixty_supplies: 0,
      scripts: 1,
    })
    // A long supply of a medicine that is not on the list stays one script.
    expect(measured([{ ...sixty, drug: 3, days: 90 }])).toMatchObject({ scripts: 1, eligible_supplies: 0 })
  })
  it('what cost nothing was supplied all the same', () => {
    const free = supplies(0, 0, 3).map((line) => ({ ...line, cents: 0 }))
    expect(measured(free)).toMatchObject({ affected_scripts: 3, affected_cents: 0, scripts: 3, patients: 1, visits: 3 })
  })
  it('a refund takes money back and is no supply, patient or visit', () => {
    const lines = [...supplies(0, 0, 2), { person: 0, drug: 0, day: 99, days: 30, cents: -1000 }]
    expect(measured(lines)).toMatchObject({ affected_scripts: 2, affected_cents: 1000, scripts: 2, visits: 2 })
    expect(measured([{ person: 1, drug: 0, day: 0, days: 30, cents: -5 }])).toMatchObject({
      patients: 0,
      visits: 0,
      affected_cents: 0,
    })
  })
  it('make a medicine affected only in the selected tranche; all count among all scripts', () => {
    const lines = [...supplies(0, 0, 2), ...supplies(0, 2, 4, 5)]
    expect(measured(lines, 0, 1)).toMatchObject({ affected_scripts: 2, script_pairs: 1, scripts: 6 })
    expect(measured(lines, 0, 0)).toMatchObject({ affected_scripts: 6, script_pairs: 3, scripts: 6 })
  })
  it('are in shortage if their molecule is', () => {
    const lines = [...supplies(0, 0, 2), ...supplies(0, 2, 4, 5)]
    expect(measured(lines)).toMatchObject({ shortage_scripts: 4, shortage_patients: 1 })
  })
})

describe('visits', () => {
  it('with only affected scripts: ten are five pairs', () => {
    expect(measured(supplies(0, 0, 10))).toMatchObject({ visits: 10, affected_visits: 10, visit_pairs: 5 })
  })
  it('with something else would take place anyway', () => {
    const lines = [...supplies(0, 0, 10), { person: 0, drug: 3, day: 0, days: 5, cents: 1 }]
    expect(measured(lines)).toMatchObject({ visits: 10, affected_visits: 10, visit_pairs: 4 })
    const once = [...supplies(0, 0, 10), { person: 0, drug: 2, day: 0, days: 30, cents: 1 }]
    // A single supply of another eligible medicine is not affected either.
    expect(measured(once)).toMatchObject({ affected_visits: 10, visit_pairs: 4 })
  })
  it('of two medicines on one day are one visit, in each of their columns', () => {
    const lines = [...supplies(0, 0, 4), ...supplies(0, 2, 4)]
    expect(measured(lines)).toMatchObject({ affected_visits: 4, visit_pairs: 2, script_pairs: 4 })
    expect(measured(lines, 2)).toMatchObject({ affected_visits: 4, visit_pairs: 2, script_pairs: 2 })
    expect(measured(lines, 1)).toMatchObject({ affected_visits: 4, affected_patients: 1, affected_scripts: 8 })
  })
})

const anyLines = fc.array(
  fc.record({
    person: fc.nat(3),
    drug: fc.nat(3),
    day: fc.nat(40),
    days: fc.constantFrom(7, 30, 45, 46, 60),
    cents: fc.integer({ min: -500, max: 5000 }),
  }),
  { maxLength: 60 },
)

/** The same, counted from the definitions in the simplest way. */
function counted(lines: readonly Line[], scope: number) {
  const real = lines.filter((line) => line.cents >= 0)
  const tranche = (line: Line) => FACTS.drugs[line.drug]!.tranche
  const weight = (line: Line) => (tranche(line) && (line.drug === 1 || line.days > 45) ? 2 : 1)
  const key = (line: Line) => `${line.person} ${FACTS.drugs[line.drug]!.molecule}`
  const inScope = (line: Line) => tranche(line) !== 0 && (scope === 0 || tranche(line) === scope)
  const n = new Map<string, number>()
  for (const line of real.filter(inScope)) n.set(key(line), (n.get(key(line)) ?? 0) + weight(line))
  const affected = (line: Line) => inScope(line) && (n.get(key(line)) ?? 0) >= 2
  const visits = Map.groupBy(real, (line) => `${line.person} ${line.day}`)
  const alone = Map.groupBy(
    [...visits.values()].filter((visit) => visit.every(affected)),
    (visit) => visit[0]!.person,
  )
  const sum = (list: number[]) => list.reduce((a, b) => a + b, 0)
  return {
    scripts: sum(real.map(weight)),
    patients: new Set(real.map((line) => line.person)).size,
    visits: visits.size,
    eligible_supplies: real.filter(inScope).length,
    sixty_supplies: real.filter((line) => inScope(line) && weight(line) === 2).length,
    affected_scripts: sum([...n.values()].filter((one) => one >= 2)),
    affected_patients: new Set(real.filter(affected).map((line) => line.person)).size,
    affected_cents: sum(lines.filter(affected).map((line) => line.cents)),
    affected_visits: [...visits.values()].filter((visit) => visit.some(affected)).length,
    script_pairs: sum([...n.values()].map((one) => Math.floor(one / 2))),
    visit_pairs: sum([...alone.values()].map((one) => Math.floor(one.length / 2))),
  }
}

describe('any record', () => {
  it('has the same totals as a plain count', () => {
    fc.assert(
      fc.property(anyLines, fc.constantFrom(0, 1, 2), (lines, scope) => {
        expect(measured(lines, 0, scope)).toMatchObject(counted(lines, scope))
      }),
    )
  })
  it('gives the same whatever the order of its lines', () => {
    const shuffled = anyLines.chain((lines) =>
      fc.tuple(fc.constant(lines), fc.shuffledSubarray(lines, { minLength: lines.length })),
    )
    fc.assert(
      fc.property(shuffled, fc.nat(5), ([lines, other], cell) => {
        expect(measured(other, cell)).toEqual(measured(lines, cell))
      }),
    )
  })
  it('adds up: conditions to the total, molecules to their condition; never more lost than affected', () => {
    fc.assert(
      fc.property(anyLines, (lines) => {
        const [total, condition, first, second, third] = [0, 1, 2, 3, 4].map((cell) => measured(lines, cell)) as [
          ...[SixtyDaySums, SixtyDaySums, SixtyDaySums, SixtyDaySums, SixtyDaySums],
        ]
        for (const name of ['scripts', 'affected_scripts', 'script_pairs', 'affected_cents'] as const) {
          expect(condition[name]).toBe(first[name] + second[name])
          expect(total[name]).toBe(condition[name] + third[name])
        }
        expect(total.script_pairs * 2).toBeLessThanOrEqual(total.affected_scripts)
        expect(total.visit_pairs * 2).toBeLessThanOrEqual(total.affected_visits)
        expect(total.affected_scripts).toBeLessThanOrEqual(total.scripts)
      }),
    )
  })
})
