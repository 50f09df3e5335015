import { day, formatDay } from '@pillar/domain/time/day'
import { columnsOf, DISPENSING_SETS, type DispensingSet } from '@pillar/domain/upload/upload-format'
import fc from 'fast-check'

/** A row as sent: canonical column to text, empty if unknown. */
export type Row = Readonly<Record<string, string>>

/** One upload: rows in the order of their file, with the columns of each file. */
export interface Piece {
  initial: boolean
  from: string | null
  to: string | null
  files: Partial<Record<DispensingSet, { columns: readonly string[]; rows: readonly Row[] }>>
}

/** The size of an invented record, and the seed for everything else about it. */
export interface WorldSize {
  seed: number
  people: number
  courses: number
  pieces: number
  corrections: number
  initials: boolean
}

/** Sizes that shrink to few people, courses, pieces and corrections. */
export const worldSizes = (initials: boolean): fc.Arbitrary<WorldSize> =>
  fc.record({
    seed: fc.noShrink(fc.nat(2 ** 31 - 1)),
    people: fc.integer({ min: 1, max: 6 }),
    courses: fc.integer({ min: 1, max: 7 }),
    pieces: fc.constantFrom(2, 2, 2, 3, 3, 4, 5),
    corrections: fc.integer({ min: 0, max: 14 }),
    initials: fc.constant(initials),
  })

/** The last day of the invented records, which is also the day they are loaded. */
export const WORLD_END = day('2026-11-19')
const WORLD_START = WORLD_END - 700

type Dice = (sides: number) => number

/** Mulberry32: small, and the same numbers everywhere. */
function dice(seed: number): Dice {
  let state = seed
  return (sides) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % sides
  }
}

const DRUGS: readonly Row[] = [
  { drug_id: 'D1', name: 'Atorvastatin 20 mg', atc: 'C10AA05', pack_size: '30' },
  { drug_id: 'D2', name: 'Lipitor 40', molecule: 'atorvastatin', pack_size: '28', default_days: '28' },
  { drug_id: 'D3', name: 'Rosuvastatin', atc: 'C10AA07', pack_size: '30', default_days: '30' },
  {
    drug_id: 'D4',
    name: 'Metformin 500 mg',
    molecule: 'metformin',
    pack_size: '100',
    default_days: '50',
    chronic: '1',
  },
  { drug_id: 'D5', name: 'Amoxicillin', atc: 'J01CA04', pack_size: '20' },
  { drug_id: 'D6', name: 'Coveram 5/5', molecule: 'perindopril + amlodipine', pack_size: '30' },
  { drug_id: 'D7', name: 'Perindopril', atc: 'C09AA04', chronic: '1' },
]

/** Makes the uploads of one record, each with at least one file. The same size gives the same uploads. */
export function piecesOf(size: WorldSize): Piece[] {
  return new Maker(size).pieces().filter(({ files }) => Object.keys(files).length > 0)
}

class Maker {
  readonly #size: WorldSize
  readonly #random: Dice
  readonly #sent: { set: DispensingSet; row: Row; piece: number }[] = []

  constructor(size: WorldSize) {
    this.#size = size
    this.#random = dice(size.seed)
  }

  pieces(): Piece[] {
    for (const drug of DRUGS) if (this.#chance(70)) this.#send('drugs', drug)
    for (let at = 1; at <= this.#size.people; at++) this.#send('patients', this.#patient(`P${at}`))
    for (const id of ['B1', 'B2', 'B3']) if (this.#chance(80)) this.#send('prescribers', this.#prescriber(id))
    for (let at = 0; at < this.#size.courses; at++) this.#course(at)
    for (let at = 0; at < this.#size.corrections; at++) this.#correct()
    this.#introduce()
    return Array.from({ length: this.#size.pieces }, (_, at) => this.#piece(at))
  }

  #chance = (percent: number) => this.#random(100) < percent
  #one = <T>(of: readonly T[]): T => of[this.#random(of.length)] as T
  #date = (from: number, to: number) => formatDay(from + this.#random(Math.max(1, to - from + 1)))
  #some = (percent: number, make: () => string) => (this.#chance(percent) ? make() : '')
  #flag = (percent: number) => this.#some(percent, () => '1')

  #send(set: DispensingSet, row: Row, piece = this.#random(this.#size.pieces)): void {
    this.#sent.push({ set, row, piece })
  }

  #patient(id: string): Row {
    return {
      patient_id: id,
      sex: this.#one(['F', 'M', '']),
      date_of_birth: this.#some(80, () => this.#date(WORLD_START - 30_000, WORLD_START - 5_000)),
      postcode: this.#some(50, () => this.#one(['2000', '3000'])),
      facility: this.#flag(6),
      deceased_on: this.#some(12, () => this.#date(WORLD_START + 200, WORLD_END)),
    }
  }

  #prescriber = (id: string): Row => ({ prescriber_id: id, name: this.#one(['Dr Hale', 'Dr Moss']) })

  #prescription(id: string, patient: string, drug: string): Row {
    return {
      prescription_id: id,
      patient_id: patient,
      drug_id: drug,
      prescriber_id: this.#some(60, () => this.#one(['B1', 'B2', 'B3'])),
      repeats_authorised: this.#some(75, () => this.#one(['0', '2', '5', '5', '11'])),
      prescribed_on: this.#some(50, () => this.#date(WORLD_START - 100, WORLD_END)),
      ceased_on: this.#some(20, () => this.#date(WORLD_START, WORLD_END)),
    }
  }

  /** One patient on one medicine: usually a prescription, and supplies with gaps, some of them made elsewhere. */
  #course(at: number): void {
    const patient = `P${1 + this.#random(this.#size.people)}`
    const drug = this.#one(DRUGS).drug_id ?? ''
    const prescription = this.#some(80, () => `R${at}`)
    if (prescription && this.#chance(90)) this.#send('prescriptions', this.#prescription(prescription, patient, drug))
    let date = WORLD_START + this.#random(560)
    const supplies = 1 + this.#random(9)
    let number = 1 + (this.#chance(25) ? this.#random(3) : 0)
    for (let n = 0; n < supplies && date <= WORLD_END; n++) {
      const row = this.#script(`S${at}-${n}`, { date, patient, drug, prescription, number })
      this.#send('scripts', row)
      date += this.#chance(8) ? 0 : this.#chance(80) ? 24 + this.#random(14) : 50 + this.#random(170)
      number += this.#chance(75) ? 1 : 1 + this.#random(3)
    }
  }

  #script(id: string, of: { date: number; patient: string; drug: string; prescription: string; number: number }): Row {
    const counted = this.#random(10)
    return {
      script_id: id,
      dispensed_on: formatDay(of.date),
      patient_id: of.patient,
      prescriber_id: this.#some(50, () => this.#one(['B1', 'B2', 'B3'])),
      drug_id: of.drug,
      prescription_id: of.prescription,
      units: this.#one(['', '30', '30', '28', '56', '100', '10.126', '0.004']),
      supply_number: counted < 4 ? String(of.number) : '',
      repeats_left: counted >= 4 && counted < 9 ? String(Math.max(0, 6 - of.number)) : '',
      repeats_authorised: this.#some(15, () => this.#one(['5', '3', '0'])),
      patient_type: this.#some(80, () => this.#one(['General', 'Concession', 'Safety Net'])),
      deferred: this.#flag(5),
      owing: this.#flag(5),
      reversed: this.#flag(6),
      patient_price: this.#one(['7.70', '31.60', '12.25', '-7.70', '']),
      government_amount: this.#some(50, () => this.#one(['10.94', '84.00', '-10.94'])),
      cost: this.#some(50, () => '6.10'),
      directions: this.#some(30, () => this.#one(['Take ONE tablet daily', 'ONE bd', 'Apply daily'])),
      days_supply: this.#some(10, () => this.#one(['28', '60', '90'])),
    }
  }

  /** Another version of a sent row, before or after the first: the last upload decides. */
  #correct(): void {
    const { set, row } = this.#one(this.#sent)
    const fresh = this.#again(set, row)
    const columns = Object.keys(fresh).filter((name) => !name.startsWith(`${set.slice(0, -1)}_`))
    const changed: Record<string, string> = { ...row }
    for (let n = 1 + this.#random(3); n > 0; n--) {
      const column = this.#one(columns)
      changed[column] = fresh[column] ?? ''
    }
    this.#send(set, changed)
  }

  #again(set: DispensingSet, row: Row): Row {
    const patient = `P${1 + this.#random(this.#size.people)}`
    const drug = this.#one(DRUGS)
    switch (set) {
      case 'patients':
        return this.#patient(row.patient_id ?? '')
      case 'prescribers':
        return this.#prescriber(row.prescriber_id ?? '')
      case 'prescriptions':
        return this.#prescription(row.prescription_id ?? '', patient, drug.drug_id ?? '')
      case 'scripts':
        return this.#script(row.script_id ?? '', {
          date: WORLD_START + this.#random(WORLD_END - WORLD_START),
          patient,
          drug: drug.drug_id ?? '',
          prescription: this.#some(80, () => `R${this.#random(this.#size.courses)}`),
          number: 1 + this.#random(6),
        })
      default:
        return {
          ...{ drug_id: row.drug_id ?? '', name: row.name ?? '' },
          molecule: this.#one([row.molecule ?? '', '', drug.molecule ?? '']),
          atc: this.#one([row.atc ?? '', '', drug.atc ?? '']),
          pack_size: this.#one(['30', '28', '100', '', '7']),
          default_days: this.#one(['30', '60', '', '15']),
          chronic: this.#one(['', '1', '0']),
          pbs_code: this.#one(['', '8213G', '15492J']),
        }
    }
  }

  /** Patients and drugs arrive no later than the first row that names them. */
  #introduce(): void {
    for (const [set, column] of [
      ['patients', 'patient_id'],
      ['drugs', 'drug_id'],
    ] as const) {
      const used = new Map<string, number>()
      for (const { set: by, row, piece } of this.#sent) {
        const id = row[column]
        if (by !== set && id) used.set(id, Math.min(used.get(id) ?? piece, piece))
      }
      for (const [id, piece] of used) {
        if (this.#sent.some((one) => one.set === set && one.row[column] === id && one.piece <= piece)) continue
        const made = set === 'patients' ? this.#patient(id) : (DRUGS.find((drug) => drug.drug_id === id) as Row)
        this.#send(set, made, this.#random(piece + 1))
      }
    }
  }

  #piece(at: number): Piece {
    const files: Piece['files'] = {}
    for (const set of DISPENSING_SETS) {
      const rows = this.#sent.filter((one) => one.set === set && one.piece === at).map(({ row }) => row)
      if (rows.length === 0 && !this.#chance(20)) continue
      // The same rows in a different order; and the columns this file lacks.
      const shuffled = rows.map((row) => ({ row, key: this.#random(1000) })).sort((a, b) => a.key - b.key)
      const columns = columnsOf(set).filter(([, rule]) => 'required' in rule || this.#chance(90))
      files[set] = { columns: columns.map(([name]) => name), rows: shuffled.map(({ row }) => row) }
    }
    const initial = this.#size.initials && this.#chance(45)
    const [from, to] = [this.#date(WORLD_START, WORLD_END), this.#date(WORLD_START, WORLD_END)].sort() as [
      string,
      string,
    ]
    if (!initial)
      return { initial, from: null, to: this.#chance(50) ? this.#date(WORLD_END - 60, WORLD_END) : null, files }
    const whole = this.#chance(25)
    return { initial, from: whole ? null : from, to: whole && this.#chance(50) ? null : to, files }
  }
}

/**
 * The combined result of the uploads according to docs/upload-format.md: one upload of the latest version of each record. A column that a
 * file lacks keeps its value, scripts are replaced as a whole, an initial upload deletes what it lacks.
 */
export function wholeOf(pieces: readonly Piece[]): Piece {
  const stored = new Map(DISPENSING_SETS.map((set) => [set, new Map<string, Row>()]))
  let stated: string | null = null
  for (const { initial, from, to, files } of pieces) {
    // For an id that occurs twice in a file the last row counts.
    const last = new Map((files.scripts?.rows ?? []).map((row) => [row.script_id, row.dispensed_on ?? '']))
    const days = [...last.values()].sort()
    if (initial && files.scripts && (days.length > 0 || (from !== null && to !== null)))
      deleteIn(stored.get('scripts') as Map<string, Row>, from ?? days[0]!, to ?? days.at(-1)!)
    for (const set of DISPENSING_SETS) {
      const file = files[set]
      const id = columnsOf(set)[0]![0]
      const last = new Map(file?.rows.map((row) => [row[id] ?? '', row]))
      for (const [key, row] of last) {
        const sent = Object.fromEntries(file!.columns.map((name) => [name, row[name] ?? '']))
        const kept = set === 'scripts' ? {} : stored.get(set)?.get(key)
        stored.get(set)?.set(key, { ...kept, ...sent })
      }
    }
    if (initial && from === null) stated = to
    else if (to !== null && (stated === null || to > stated)) stated = to
  }
  const files = Object.fromEntries(
    [...stored].map(([set, rows]) => [
      set,
      { columns: columnsOf(set).map(([name]) => name), rows: [...rows.values()] },
    ]),
  )
  return { initial: false, from: null, to: stated, files }
}

function deleteIn(scripts: Map<string, Row>, from: string, to: string): void {
  for (const [id, { dispensed_on = '' }] of scripts) if (dispensed_on >= from && dispensed_on <= to) scripts.delete(id)
}

/** A file's rows as CSV. */
export function csvOf({ columns, rows }: { columns: readonly string[]; rows: readonly Row[] }): string {
  return `${columns.join(',')}\n${rows.map((row) => `${columns.map((name) => row[name] ?? '').join(',')}\n`).join('')}`
}
