import { expect, it } from 'vitest'
import { held } from '../../../../../../test/etl/held.ts'
import { addFault, type Findings } from '../../fault.ts'
import { medicineOf } from '../concept.ts'
import { directionsOf } from '../dosage.ts'
import { drugOfMedication } from '../medication.ts'
import { containedIn } from '../reference.ts'
import { FhirState, stateOf } from '../state.ts'
import { MAX_LINE_BYTES } from './ndjson.ts'

const findings = (): Findings => ({ faults: [], counts: new Map(), notes: [] })
const contextOf = (told: Findings) => ({ today: 0, timeZone: 'Australia/Sydney', state: stateOf(told) })
const long = (text: string) => text.repeat(Math.floor(MAX_LINE_BYTES / text.length))

it('a product’s content is read once, however many ingredients point into it', () => {
  let looks = 0
  const within = Object.create(null, {
    id: {
      enumerable: true,
      get: () => {
        looks++
        return 'other'
      },
    },
  })
  const contained = Array.from({ length: 2_000 }, () => within)
  const ingredient = Array.from({ length: 500 }, () => ({
    itemReference: { reference: '#none', display: 'Metformin' },
  }))
  const medication = { resourceType: 'Medication', id: 'm', code: { text: 'x' }, contained, ingredient }
  expect(drugOfMedication(medication, contextOf(findings()))).toMatchObject({ drug_id: 'm' })
  expect(looks).toBeLessThanOrEqual(3 * contained.length)
})

it('of several contained resources with one id the first counts, and one whose id is not text is skipped', () => {
  const [first, second] = [
    { id: 'a', code: { text: 'first' } },
    { id: 'a', code: { text: 'second' } },
  ]
  const container = { contained: [{ id: {} }, { id: 7 }, first, second] }
  expect(containedIn(container, { reference: '#a' })).toBe(first)
  expect(containedIn(container, { reference: '#7' })).toBeUndefined()
  expect(containedIn(container, { reference: 'Medication/a' })).toBeUndefined()
})

it.each([
  ['open brackets', long('[')],
  ['salts', long('sodium ')],
  ['blanks', `a${long(' ')}b`],
  ['blanks in brackets', `(a${long(' ')}b)`],
  ['figures', long(' 1')],
])('a medicine whose name is a megabyte of %s is read', (_what, display) => {
  const concept = { coding: [{ system: 'http://x.example', code: '1', display }] }
  expect(medicineOf(concept, 'code')).toMatchObject({ id: 'http://x.example 1'.replace('http://', ''), atc: '' })
})

it('a medicine of a hundred thousand codings is read, by the first that name it', () => {
  const coding = [...Array.from({ length: 200_000 }, () => ({})), { code: '1', display: 'Metformin 500 mg' }]
  expect(medicineOf({ coding }, 'code')).toMatchObject({ name: 'Metformin 500 mg' })
})

it('directions of a megabyte are left out, and not searched for a dose', () => {
  const text = long('no ')
  expect(directionsOf({ dosageInstruction: [{ text, asNeededBoolean: true }] })).toBeNull()
})

/** A different text of a megabyte each time, like the lines of a file. */
const line = (at: number) => Buffer.from(`${at} ${'p'.repeat(30)} ${long('x')}`).toString()
const LINES = 50

it('identifiers, products, places and servers are recognised again, without keeping them or their lines in memory', () => {
  const state = new FhirState()
  const before = held()
  for (let at = 0; at < LINES; at++) {
    const text = line(at)
    state.remember('Patient', 's', text, text.slice(0, 30))
    state.remember('Patient', 's', text.slice(0, 30), text.slice(0, 30))
    state.knowsDrug(text.slice(0, 30), text)
    state.name('location', text)
    state.isOnFirstServer(text.slice(0, 30), text.slice(0, 30))
    state.isOnFirstServer(text, text)
  }
  expect(held() - before).toBeLessThan((LINES / 5) * MAX_LINE_BYTES)
  const again = line(0)
  expect(state.idOf('Patient', 's', again)).toBe(again.slice(0, 30))
  expect(state.knowsDrug(again.slice(0, 30), again)).toBe(true)
  expect([state.isOnFirstServer(again, again), state.isOnFirstServer(again, `${again}y`)]).toEqual([true, false])
  expect(state.firstServer(again).length).toBeLessThan(100)
  const names = state.report().names('location')
  expect([names.length, Math.max(...names.map((name) => name.length)) < 100]).toEqual([LINES, true])
})

it('a fault keeps the beginning of its value, its sentence and its place, but not their lines', () => {
  const told = findings()
  const before = held()
  for (let at = 0; at < LINES; at++) {
    const text = line(at)
    addFault(told, { file: 'Patient', line: at, column: text, value: text, reason: `${text} is wrong` })
  }
  expect(held() - before).toBeLessThan((LINES / 5) * MAX_LINE_BYTES)
  expect(told.faults.map((fault) => JSON.stringify(fault).length < 1_200)).toEqual(Array(LINES).fill(true))
})
