import { beforeAll, describe, expect, it } from 'vitest'
import { dayOf } from './calendar.ts'
import { MEDICINES } from './medicine/medicines.ts'
import { PRODUCTS } from './medicine/products.ts'
import { demoNetwork } from './network.ts'
import { cellsOf, rowsOf, textsOf } from './testing.ts'

const network = demoNetwork('small', 1, '2026-11-19')
const products = new Map(PRODUCTS.map((product) => [String(product.id), product]))

const byMonth = new Map<string, number>()
const byMolecule = new Map<string, number>()
const byType = new Map<string, number>()
const sixtyDay = new Map<string, { all: number; long: number }>()
const pdcByPharmacy: number[] = []
let lines = 0
let supplied = 0
let skipped = 0

type Supply = readonly [day: number, days: number]

/** Share of the last year, or of the time since the first supply, covered by the supplies if early ones are put off. */
function plainPdc(supplies: readonly Supply[], end: number): number | undefined {
  const recent = supplies.filter(([day]) => day >= end - 729).sort((a, b) => a[0] - b[0])
  if (recent.length < 2 || (recent[0]?.[0] ?? end) > end - 90 || (recent.at(-1)?.[0] ?? 0) < end - 364) return undefined
  const first = Math.max(end - 364, recent[0]?.[0] ?? end)
  const covered = new Set<number>()
  let last = -1
  for (const [day, days] of recent) {
    const from = Math.max(day, last + 1)
    last = from + days - 1
    for (let x = from; x <= last; x++) if (x >= first && x <= end) covered.add(x)
  }
  return covered.size / (end - first + 1)
}

function add(map: Map<string, number>, key: string): void {
  map.set(key, (map.get(key) ?? 0) + 1)
}

function readPharmacy(index: number): void {
  const pairs = new Map<string, Supply[]>()
  const slots = new Map<string, number>()
  const [header = '', ...texts] = textsOf(network, index).scripts.trimEnd().split('\n')
  const at = (name: string) => header.split(',').indexOf(name)
  const [on, who, drug, rx, units, left, type] = [
    'dispensed_on',
    'patient_id',
    'drug_id',
    'prescription_id',
    'units',
    'repeats_left',
    'patient_type',
  ].map(at) as [number, number, number, number, number, number, number]
  const [deferred, reversed] = [at('deferred'), at('reversed')]
  lines += texts.length
  for (const text of texts) {
    const row = cellsOf(text)
    if (row[deferred] === '1' || row[reversed] === '1') continue
    const product = products.get(row[drug] ?? '')
    if (!product) throw new Error(`Unknown drug in ${text}`)
    const date = row[on] ?? ''
    const { medicine } = product
    add(byMonth, date.slice(0, 7))
    add(byMolecule, medicine.molecule)
    add(byType, row[type] ?? '')
    supplied++
    const before = slots.get(row[rx] ?? '')
    if (before !== undefined) skipped += before - Number(row[left]) - 1
    slots.set(row[rx] ?? '', Number(row[left]))
    if (medicine.sixtyDayFrom === dayOf('2023-09-01')) {
      const month = sixtyDay.get(date.slice(0, 7)) ?? { all: 0, long: 0 }
      sixtyDay.set(date.slice(0, 7), { all: month.all + 1, long: month.long + (product.sixtyDay ? 1 : 0) })
    }
    if (!medicine.chronic) continue
    const key = `${row[who]} ${medicine.atc}`
    const days = Math.round((medicine.defaultDays * Number(row[units])) / medicine.packSize)
    pairs.set(key, [...(pairs.get(key) ?? []), [dayOf(date), days]])
  }
  const end = dayOf(network.pharmacies[index]?.last_day ?? '')
  const values = [...pairs.values()].flatMap((supplies) => plainPdc(supplies, end) ?? [])
  pdcByPharmacy.push(values.reduce((sum, value) => sum + value, 0) / values.length)
}

beforeAll(() => {
  for (const one of network.companies[0]?.pharmacies ?? []) if (one.last_day !== '') readPharmacy(one.index)
})

describe('the small network', () => {
  it('holds about 100,000 scripts', () => {
    expect(lines).toBeGreaterThan(95_000)
    expect(lines).toBeLessThan(105_000)
  })

  it('has a mean PDC near .75, with good and bad pharmacies', () => {
    const mean = pdcByPharmacy.reduce((sum, value) => sum + value, 0) / pdcByPharmacy.length
    expect(mean).toBeGreaterThan(0.68)
    expect(mean).toBeLessThan(0.82)
    expect(Math.max(...pdcByPharmacy) - Math.min(...pdcByPharmacy)).toBeGreaterThan(0.08)
  })

  it('peaks in December and falls by about a fifth in January', () => {
    for (const year of [2024, 2025]) {
      const change = (byMonth.get(`${year + 1}-01`) ?? 0) / (byMonth.get(`${year}-12`) ?? 1) - 1
      expect(change).toBeLessThan(-0.1)
      expect(change).toBeGreaterThan(-0.3)
      expect(byMonth.get(`${year}-12`)).toBeGreaterThan(byMonth.get(`${year}-11`) ?? 0)
    }
  })

  it('dispenses a mix of medicines close to the PBS', () => {
    const shares = MEDICINES.map((medicine) => (byMolecule.get(medicine.molecule) ?? 0) / supplied)
    const total = MEDICINES.reduce((sum, medicine) => sum + medicine.weight, 0)
    const distance =
      MEDICINES.reduce((sum, medicine, i) => sum + Math.abs((shares[i] ?? 0) - medicine.weight / total), 0) / 2
    expect(distance).toBeLessThan(0.2)
    expect([...byMolecule].sort((a, b) => b[1] - a[1])[0]?.[0]).toBe('rosuvastatin')
  })

  it('moves to 60-day supplies: about a quarter of stage 1 scripts by late 2026', () => {
    const share = (month: string) => (sixtyDay.get(month)?.long ?? 0) / (sixtyDay.get(month)?.all ?? 1)
    expect(share('2026-10')).toBeGreaterThan(0.2)
    expect(share('2026-10')).toBeLessThan(0.32)
    expect(share('2024-06')).toBeLessThan(share('2025-10'))
  })

  it('has every patient type, with concession ahead, and a trickle of supplies taken elsewhere', () => {
    const share = (type: string) => (byType.get(type) ?? 0) / supplied
    expect(share('Concession')).toBeGreaterThan(0.35)
    expect(share('General')).toBeGreaterThan(0.2)
    for (const [type, least] of [
      ['Safety Net', 0.05],
      ['DVA', 0.005],
      ['CTG', 0.005],
      ['Private', 0.002],
    ] as const)
      expect(share(type), type).toBeGreaterThan(least)
    expect(skipped / supplied).toBeGreaterThan(0.02)
    expect(skipped / supplied).toBeLessThan(0.15)
  })

  it('keeps patients like a pharmacy’s: some without mobile, some opted out, in care or deceased', () => {
    const patients = rowsOf(textsOf(network, 11).patients)
    const share = (test: (row: Record<string, string>) => boolean) => patients.filter(test).length / patients.length
    expect(share((row) => row.mobile === '')).toBeGreaterThan(0.01)
    expect(share((row) => row.mobile === '')).toBeLessThan(0.15)
    expect(share((row) => row.facility === '1')).toBeGreaterThan(0)
    expect(share((row) => row.deceased_on !== '')).toBeGreaterThan(0)
    expect(share((row) => row.sms_opt_out === '1')).toBeGreaterThan(0)
    const mobiles = patients.flatMap((row) => (row.mobile ? [row.mobile.replace(/\D/g, '').slice(-9)] : []))
    expect(mobiles.every((number) => number.startsWith('49157'))).toBe(true)
    // Households share a number; otherwise numbers differ.
    const distinct = new Set(mobiles).size / mobiles.length
    expect(distinct).toBeGreaterThan(0.8)
    expect(distinct).toBeLessThan(1)
  })
})
