import { FIGURE_SUMS, PEOPLE_SUMS } from '@pillar/domain/measure/figure-sums'
import { isRefundLine } from '@pillar/domain/measure/line'
import { mergeParts, type RecordPart } from '@pillar/domain/measure/merged'
import { replacements } from '@pillar/domain/measure/replacement'
import { Rollup, SUMS } from '@pillar/domain/measure/rollup'
import { subsetsOf } from '@pillar/domain/person/same-person'
import type { Day } from '@pillar/domain/time/day'
import type { Country } from '@pillar/domain/time/locale'
import { priorSpan, type Span } from '@pillar/domain/time/period'
import { inTurns } from '../../api/repeat.ts'
import { cellPlan } from '../metrics/cells.queries.ts'
import type { LoadedRecord, MoleculeFacts, PersonFacts } from '../metrics/record.queries.ts'
import { offeredPeriods } from '../metrics/spans.ts'

/** The records of the people a pharmacy shares with others. */
export interface SharedRecords extends LoadedRecord {
  readonly location: number
  readonly country: Country
  /** First and last day of the pharmacy's data. */
  readonly data: Span
  /** RecordPart's. */
  readonly prescribed: (prescription: number) => string | null
}

/** A period, or the dates it is compared with. */
export interface WhenKey {
  readonly code: number
  readonly earlier: boolean
}

export const CELL_SUMS = [
  'patients',
  'pairs',
  'measured',
  'adherent',
  'observed',
  'covered',
  'opportunity',
  'leaked',
] as const
/** The correction for one set of pharmacies: by period; cells by category and subcategory in the order of CELL_SUMS. */
export interface Correction extends WhenKey {
  readonly figures: Record<string, number>
  readonly cells: Map<string, number[]>
}

/**
 * The correction to the sums of several pharmacies that makes the people all of them share count once, beyond the corrections of the
 * smaller sets among them: by inclusion and exclusion over the sets, with the same measuring for each, as though the pharmacies of the set
 * were one.
 * @param set the records of each pharmacy, of the same people in the same order: person n of one is person n of all
 * @param names cellNames
 * @param wanted periods, and those to compare; others are ignored
 */
export async function correctionOf(
  set: readonly SharedRecords[],
  samePeople: readonly (readonly number[])[],
  names: ReadonlyMap<string, number>,
  wanted: readonly WhenKey[],
): Promise<Correction[]> {
  const molecules = moleculesOf(set)
  const made = wanted.map((when): Correction => ({ ...when, figures: {}, cells: new Map() }))
  for (const chosen of subsetsOf([...set.keys()])) {
    const sign = (set.length - chosen.length) % 2 === 0 ? 1 : -1
    const parts = chosen.map((at) => partOf(set[at] as SharedRecords, samePeople[at] as readonly number[], molecules))
    await addSums(
      made,
      chosen.map((at) => set[at] as SharedRecords),
      parts,
      { people: samePeople[0]?.length ?? 0, molecules, names, sign },
    )
  }
  return made
}

function moleculesOf(set: readonly SharedRecords[]): MoleculeFacts[] {
  return [...new Map(set.flatMap((one) => one.molecules).map((one) => [one.id, one])).values()].sort(
    (a, b) => a.id - b.id,
  )
}

function partOf(records: SharedRecords, ids: readonly number[], molecules: readonly MoleculeFacts[]): Part {
  const place = new Map(ids.map((id, at) => [id, at]))
  const moleculePlace = new Map(molecules.map((one, at) => [one.id, at]))
  return {
    ...{ record: records.record, around: records.around, prescribed: records.prescribed, people: records.people },
    personAt: records.people.map(({ id }) => place.get(id) ?? -1),
    moleculeAt: records.molecules.map(({ id }) => moleculePlace.get(id) as number),
    facility: records.people.map(({ facility }) => facility),
  }
}

type Part = RecordPart & { people: readonly PersonFacts[] }

interface Common {
  readonly people: number
  readonly molecules: readonly MoleculeFacts[]
  readonly names: ReadonlyMap<string, number>
  readonly sign: number
}

async function addSums(
  made: readonly Correction[],
  pharmacies: readonly SharedRecords[],
  parts: readonly Part[],
  { people, molecules, names, sign }: Common,
): Promise<void> {
  const data = {
    from: Math.min(...pharmacies.map((one) => one.data.from)),
    to: Math.max(...pharmacies.map((one) => one.data.to)),
  }
  const { spans, placeOf } = spansOf((pharmacies[0] as SharedRecords).country, data, made)
  if (spans.length === 0) return
  const dataFrom = Math.max(...pharmacies.map((one) => one.data.from))
  const { record, ...about } = mergeParts(parts, people, molecules.length, dataFrom)
  const plan = cellPlan(names, factsOf(parts, people), molecules, spans)
  const around = { ...about, replacedBy: replacements(molecules) }
  const rollup = new Rollup(record, around, spans, plan, { from: dataFrom, to: data.to })
  await inTurns(people, (person) => rollup.add(person))
  const shared = sharedIn(parts, spans, people)
  for (const one of made) {
    const at = placeOf(one)
    if (at === undefined) continue
    const add = (name: string, value: number) => {
      one.figures[name] = (one.figures[name] ?? 0) + sign * value
    }
    const of = (cell: number, name: (typeof SUMS)[number]) => rollup.sumsOf(at, cell)?.[SUMS.indexOf(name)] ?? 0
    const judged = rollup.judged[at] ?? { adherent: 0, nonAdherent: 0 }
    add('shared_people', shared[at] as number)
    for (const [name, sum] of TOTAL_SUMS) add(name, of(0, sum))
    add('male', of(plan.male, 'patients'))
    add('female', of(plan.female, 'patients'))
    add('adherent_patients', judged.adherent)
    add('measured_patients', judged.adherent + judged.nonAdherent)
    for (const name of PEOPLE_SUMS) add(name, rollup.figures.of(at)[FIGURE_SUMS.indexOf(name)] ?? 0)
    for (const [cell, { category, subcategory }] of plan.keys.entries()) {
      if (rollup.sumsOf(at, cell) === null) continue
      const key = `${category} ${subcategory}`
      const before = one.cells.get(key)
      one.cells.set(
        key,
        CELL_SUMS.map((name, n) => (before?.[n] ?? 0) + sign * of(cell, name)),
      )
    }
  }
}

/** Columns of person_figure that the total of the cells also has. */
const TOTAL_SUMS = [
  ['patients', 'patients'],
  ['opportunity_cents', 'opportunity'],
  ['measured_pairs', 'pairs'],
  ['measured_scripts', 'measured'],
  ['adherent_scripts', 'adherent'],
  ['leaked_slots', 'leaked'],
] as const satisfies readonly (readonly [string, (typeof SUMS)[number]])[]

/** The days of each requested period for pharmacies with these data, each once. */
function spansOf(country: Country, data: Span, wanted: readonly WhenKey[]) {
  const offered = new Map(offeredPeriods(country, data).map(({ code, from, to }) => [code, { from, to }]))
  const spans: Span[] = []
  const places = new Map<string, number>()
  const keyOf = ({ code, earlier }: WhenKey) => `${code} ${earlier}`
  for (const when of wanted) {
    const own = offered.get(when.code)
    if (!own) continue
    const { from, to } = when.earlier ? priorSpan(own.from, own.to) : own
    const known = spans.findIndex((span) => span.from === from && span.to === to)
    places.set(keyOf(when), known < 0 ? spans.push({ from, to }) - 1 : known)
  }
  return { spans, placeOf: (when: WhenKey) => places.get(keyOf(when)) }
}

/** Sex and day of birth of each person, from the first record that has them. */
function factsOf(parts: readonly Part[], people: number): { sex: 'F' | 'M' | null; born: Day | null }[] {
  const facts = Array.from({ length: people }, (): { sex: 'F' | 'M' | null; born: Day | null } => ({
    sex: null,
    born: null,
  }))
  for (const { personAt, people: own } of parts)
    for (const [at, person] of personAt.entries()) {
      const one = facts[person]
      if (!one) continue
      one.sex ??= own[at]?.sex ?? null
      one.born ??= own[at]?.born ?? null
    }
  return facts
}

/** How many people were supplied by at least two of the parts, by span. */
function sharedIn(parts: readonly Part[], spans: readonly Span[], people: number): number[] {
  if (parts.length < 2) return spans.map(() => 0)
  return spans.map(({ from, to }) => {
    const seen = new Uint8Array(people)
    for (const { record, personAt } of parts) {
      const here = new Set<number>()
      for (const [line, day] of record.lines.day.entries()) {
        const person = personAt[record.lines.person[line] as number] as number
        if (person >= 0 && day >= from && day <= to && !isRefundLine(record.lines, line)) here.add(person)
      }
      for (const person of here) seen[person] = (seen[person] as number) + 1
    }
    return seen.filter((count) => count > 1).length
  })
}
