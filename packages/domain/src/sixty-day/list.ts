import { type Day, parseDay } from '../time/day.ts'

/** Lists an operator can replace: the 60-day items, the fees by date, medicines in shortage, and the uptake measured nationally. */
export const SIXTY_DAY_LISTS = {
  items: ['tranche', 'from', 'drug', 'atc', 'sixty_day_code', 'thirty_day_codes'],
  fees: ['from', 'dispensing_fee', 'ahi_fee', 'acss_rate', 'estimated', 'source'],
  shortages: ['ingredient'],
  uptake: ['month', 'tranche', 'share', 'source'],
} as const
export type SixtyDayListKind = keyof typeof SIXTY_DAY_LISTS

export interface SixtyDayItem {
  readonly tranche: number
  readonly from: Day
  readonly drug: string
  /** ATC code, for drugs with an unknown item code; null unless the list has all its levels. */
  readonly atc: string | null
  /** PBS item code for dispensing 60 days. */
  readonly sixtyDayCode: string
  /** Item codes of the same medicine for 30 days. */
  readonly thirtyDayCodes: readonly string[]
}
/** Earnings of a script from a day on, in cents. */
export interface SixtyDayFee {
  readonly from: Day
  readonly dispensing: number
  readonly handling: number
  /** The supply support paid for each 60-day script. */
  readonly support: number
  readonly estimated: boolean
  readonly source: string
}
export interface NationalUptake {
  /** 'yyyy-mm' */
  readonly month: string
  readonly tranche: number
  readonly share: number
  readonly source: string
}
export interface SixtyDayLists {
  readonly items: readonly SixtyDayItem[]
  readonly fees: readonly SixtyDayFee[]
  /** Active ingredients, lower case. */
  readonly shortages: readonly string[]
  readonly uptake: readonly NationalUptake[]
}

/** Rows as in the file, by column, with their line. */
export type ListRow = Readonly<Record<string, string>>
/** What is wrong in a list: one sentence per fault, with its line. */
export class ListFault extends Error {}

const MOST_FAULTS = 20

/**
 * Reads a list. @param rows without the head, in the order of the file
 * @throws ListFault naming each unusable line (the first twenty); a list is accepted as a whole or not at all
 */
export function readList<K extends SixtyDayListKind>(kind: K, rows: readonly ListRow[]): SixtyDayLists[K] {
  const faults: string[] = []
  const seen = new Map<string, number>()
  const read = rows.map((row, index) => {
    const line = index + 2
    const fault = (text: string) => void faults.push(`Line ${line}: ${text}`)
    const once = (key: string) => {
      const before = seen.get(key)
      if (before !== undefined) fault(`${key} stands on line ${before} already.`)
      seen.set(key, line)
    }
    return READERS[kind](row, fault, once)
  })
  if (rows.length === 0 && kind !== 'shortages') faults.push('The list is empty.')
  if (faults.length > 0) {
    const more = faults.length > MOST_FAULTS ? [`And ${faults.length - MOST_FAULTS} more.`] : []
    throw new ListFault([...faults.slice(0, MOST_FAULTS), ...more].join('\n'))
  }
  return read as unknown as SixtyDayLists[K]
}

type Reader<T> = (row: ListRow, fault: (text: string) => void, once: (key: string) => void) => T
const CODE = /^\d{4,6}[A-Z]$/
const WHOLE_ATC = /^[A-Z]\d{2}[A-Z]{2}\d{2}$/

function dayIn(row: ListRow, fault: (text: string) => void): Day {
  const day = parseDay(row.from ?? '')
  if (day === null) fault(`from is a day such as 2023-09-01, not "${row.from ?? ''}".`)
  return day ?? 0
}

function centsIn(row: ListRow, column: string, fault: (text: string) => void): number {
  const text = row[column] ?? ''
  if (!/^\d{1,3}(\.\d{1,2})?$/.test(text)) fault(`${column} is an amount such as 8.67, not "${text}".`)
  return Math.round(Number(text) * 100)
}

function trancheIn(row: ListRow, fault: (text: string) => void): number {
  if (!/^[1-9]$/.test(row.tranche ?? '')) fault(`tranche is a number from 1 to 9, not "${row.tranche ?? ''}".`)
  return Number(row.tranche)
}

const READERS: { [K in SixtyDayListKind]: Reader<SixtyDayLists[K][number]> } = {
  items: (row, fault, once) => {
    const sixtyDayCode = (row.sixty_day_code ?? '').toUpperCase()
    const thirtyDayCodes = (row.thirty_day_codes ?? '').toUpperCase().split('|').filter(Boolean)
    for (const code of [sixtyDayCode, ...thirtyDayCodes])
      if (!CODE.test(code)) fault(`"${code}" is no PBS item code such as 13586C.`)
    const atc = (row.atc ?? '').toUpperCase()
    if (atc !== '' && !WHOLE_ATC.test(atc)) fault(`atc is a code of all five levels such as C10AA07, not "${atc}".`)
    if ((row.drug ?? '') === '') fault('drug is empty.')
    once(sixtyDayCode)
    const [tranche, from] = [trancheIn(row, fault), dayIn(row, fault)]
    return { tranche, from, drug: row.drug ?? '', atc: atc || null, sixtyDayCode, thirtyDayCodes }
  },
  fees: (row, fault, once) => {
    once(row.from ?? '')
    if (row.estimated !== 'yes' && row.estimated !== 'no')
      fault(`estimated is yes or no, not "${row.estimated ?? ''}".`)
    if ((row.source ?? '') === '') fault('source is empty: say where the fee is from.')
    return {
      ...{ from: dayIn(row, fault), estimated: row.estimated === 'yes', source: row.source ?? '' },
      dispensing: centsIn(row, 'dispensing_fee', fault),
      ...{ handling: centsIn(row, 'ahi_fee', fault), support: centsIn(row, 'acss_rate', fault) },
    }
  },
  shortages: (row, fault, once) => {
    const ingredient = (row.ingredient ?? '').trim().toLowerCase()
    if (ingredient === '') fault('ingredient is empty.')
    once(ingredient)
    return ingredient
  },
  uptake: (row, fault, once) => {
    once(`${row.month} ${row.tranche}`)
    if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(row.month ?? '')) fault(`month is written 2026-06, not "${row.month ?? ''}".`)
    const share = Number(row.share)
    if (!(row.share && share >= 0 && share <= 1)) fault(`share is from 0 to 1, not "${row.share ?? ''}".`)
    if ((row.source ?? '') === '') fault('source is empty: say where the share is from.')
    return { month: row.month ?? '', tranche: trancheIn(row, fault), share, source: row.source ?? '' }
  },
}

/** What the list of items says about a pharmacy's drug. */
export interface Eligible {
  readonly tranche: number
  readonly from: Day
  readonly sixtyCode: boolean
}

/**
 * Finds medicines on the list: by item code if the list has the code, which also identifies 60-day packs; else by ATC code, with the earliest
 * stage of any item of that code. @returns null for a medicine that may not be dispensed for 60 days
 */
export function eligibility(
  items: readonly SixtyDayItem[],
): (pbsCode: string | null, atc: string | null) => Eligible | null {
  const codes = new Map<string, Eligible>()
  const atcs = new Map<string, Eligible>()
  for (const { tranche, from, sixtyDayCode, thirtyDayCodes, atc } of [...items].sort((a, b) => b.from - a.from)) {
    for (const code of thirtyDayCodes) codes.set(code, { tranche, from, sixtyCode: false })
    codes.set(sixtyDayCode, { tranche, from, sixtyCode: true })
    if (atc) atcs.set(atc, { tranche, from, sixtyCode: false })
  }
  return (pbsCode, atc) =>
    (pbsCode ? codes.get(pbsCode.trim().toUpperCase()) : undefined) ?? (atc ? atcs.get(atc) : undefined) ?? null
}

/** The fee in force on a day; for a day before all of them, the earliest known. */
export function feeOn(fees: readonly SixtyDayFee[], on: Day): SixtyDayFee {
  const inOrder = [...fees].sort((a, b) => a.from - b.from)
  return inOrder.findLast(({ from }) => from <= on) ?? inOrder[0]!
}

/** Whether one of a molecule's active ingredients is in shortage. The list may name a salt: 'metformin hydrochloride' is metformin. */
export function inShortage(components: readonly string[], shortages: readonly string[]): boolean {
  const names = components.map((one) => one.toLowerCase())
  return shortages.some((listed) => names.some((name) => listed === name || listed.startsWith(`${name} `)))
}
