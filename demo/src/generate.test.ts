import { PATIENT_TYPES_OF } from '@pillar/domain/dispensing/patient-type'
import { CANONICAL_FORMAT, type ColumnRule, columnsOf, DISPENSING_SETS } from '@pillar/domain/upload/upload-format'
import { describe, expect, it } from 'vitest'
import { dayOf } from './calendar.ts'
import { generatePharmacy } from './generate.ts'
import { demoNetwork } from './network.ts'
import { type Row, rowsOf, textsOf } from './testing.ts'
import { uploadsOf } from './uploads.ts'

const network = demoNetwork('small', 1, '2026-11-19')
const all = textsOf(network, 1)
const scripts = rowsOf(all.scripts)

const PATTERNS: Partial<Record<ColumnRule['type'], RegExp>> = {
  id: /^[A-Za-z0-9-]+$/,
  text: /^[^\n\r\0]*$/,
  integer: /^\d+$/,
  quantity: /^\d+(\.\d+)?$/,
  money: /^\d+\.\d{2}$/,
  flag: /^[01]$/,
  sex: /^[FMU]$/,
  patient_type: new RegExp(`^(${PATIENT_TYPES_OF.AU.join('|')})$`),
}

function faultsOf(set: (typeof DISPENSING_SETS)[number], row: Row): string[] {
  return columnsOf(set).flatMap(([name, rule]) => {
    const value = row[name] ?? ''
    if (value === '') return rule.required ? [`${set}.${name} is empty`] : []
    if (value.length > (rule.max ?? 200)) return [`${set}.${name} is too long: ${value}`]
    if (rule.type !== 'date') return PATTERNS[rule.type]?.test(value) ? [] : [`${set}.${name}: ${value}`]
    try {
      dayOf(value)
      return []
    } catch {
      return [`${set}.${name}: ${value}`]
    }
  })
}

describe('generatePharmacy', () => {
  it('gives the same bytes for the same seed and different ones for another', () => {
    expect(textsOf(demoNetwork('small', 1, '2026-11-19'), 1)).toEqual(all)
    expect(textsOf(demoNetwork('small', 2, '2026-11-19'), 1).scripts).not.toBe(all.scripts)
  })

  it('fits the canonical format in every row of every set', () => {
    for (const index of [1, 2, 24]) {
      const texts = index === 1 ? all : textsOf(network, index)
      for (const set of DISPENSING_SETS) {
        const rows = rowsOf(texts[set])
        expect(rows.length).toBeGreaterThan(9)
        expect(texts[set].slice(0, texts[set].indexOf('\n'))).toBe(Object.keys(CANONICAL_FORMAT[set]).join(','))
        expect(rows.flatMap((row) => faultsOf(set, row)).slice(0, 5)).toEqual([])
      }
    }
  })

  it('refers only to patients, drugs, prescribers and prescriptions it sends, each once', () => {
    const ids = (set: 'patients' | 'drugs' | 'prescribers' | 'prescriptions', column: string) => {
      const list = rowsOf(all[set]).map((row) => row[column])
      expect(new Set(list).size).toBe(list.length)
      return new Set(list)
    }
    const known = {
      patient_id: ids('patients', 'patient_id'),
      drug_id: ids('drugs', 'drug_id'),
      prescriber_id: ids('prescribers', 'prescriber_id'),
      prescription_id: ids('prescriptions', 'prescription_id'),
    }
    for (const [column, set] of Object.entries(known)) expect(scripts.every((row) => set.has(row[column]))).toBe(true)
    expect(new Set(scripts.map((row) => row.script_id)).size).toBe(scripts.length)
  })

  it('supplies each slot of a prescription once, in order, never after the last', () => {
    const seen = new Map<string, number>()
    for (const row of scripts) {
      if (row.deferred === '1' || row.reversed === '1') continue
      const id = row.prescription_id ?? ''
      const left = Number(row.repeats_left)
      expect(left).toBeLessThan(seen.get(id) ?? Number.POSITIVE_INFINITY)
      expect(left).toBeGreaterThanOrEqual(0)
      seen.set(id, left)
    }
  })

  it('generates a range of dates exactly as in the whole history', () => {
    const range = { from: '2025-03-01', to: '2025-04-15' }
    const part = rowsOf(textsOf(network, 1, range).scripts)
    const expected = scripts.filter(({ dispensed_on: on = '' }) => on >= range.from && on <= range.to)
    expect(expected.length).toBeGreaterThan(200)
    expect(part.length).toBe(expected.length)
    expect(JSON.stringify(part) === JSON.stringify(expected)).toBe(true)
  })

  it('continues after the end of the history without changing it', () => {
    const longer = rowsOf(textsOf(network, 1, { to: '2026-12-10' }).scripts)
    const same = longer.filter((row) => (row.dispensed_on ?? '') <= '2026-11-18')
    expect(JSON.stringify(same) === JSON.stringify(scripts)).toBe(true)
    expect(longer.length).toBeGreaterThan(scripts.length + 100)
  })

  it('breaks more than one row in a hundred of a faulty upload and none otherwise', () => {
    const failed = network.pharmacies.find((one) => one.behaviour === 'failed')?.index ?? -1
    const [good, bad] = uploadsOf(network, failed).map(({ range }) => rowsOf(textsOf(network, failed, range).scripts))
    const share = (rows: Row[] = []) => rows.filter((row) => faultsOf('scripts', row).length > 0).length / rows.length
    expect(share(good)).toBe(0)
    expect(share(bad)).toBeGreaterThan(0.01)
    expect(share(bad)).toBeLessThan(0.15)
  })

  it('refuses a pharmacy that never uploads or does not exist', () => {
    const never = network.pharmacies.find((one) => one.behaviour === 'never')?.index ?? -1
    expect(() => generatePharmacy(network, never).next()).toThrow(RangeError)
    expect(() => generatePharmacy(network, 99).next()).toThrow(RangeError)
  })
})
