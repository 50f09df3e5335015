/**
 * Writes apps/server/data/holidays.csv from the published rules: `node tools/holidays.ts 2021 2028 > apps/server/data/holidays.csv`. Past
 * years say on which days a pharmacy was open; 2021 is the earliest that any figure uses. A holiday observed on its own date and again on a
 * working day is listed on both: waiting a day costs less than a text on a holiday.
 */
import { type Day, formatDay, fromYmd, weekday } from '../packages/domain/src/time/day.ts'

interface Holiday {
  country: string
  /** Empty for the whole country. */
  region: string
  day: Day
  name: string
}

const MONDAY = 1
const THURSDAY = 4

/** Easter Sunday (Gauss, Gregorian calendar). */
function easter(year: number): Day {
  const century = Math.floor(year / 100)
  const moon = (15 + century - Math.floor(century / 4) - Math.floor((8 * century + 13) / 25) + 19 * (year % 19)) % 30
  const full = moon === 29 || (moon === 28 && year % 19 > 10) ? moon - 1 : moon
  const spring = fromYmd(year, 3, 21) + full
  return spring + 7 - (weekday(spring) % 7)
}

/** The n-th given weekday of a month; -1 for the last. */
function nth(year: number, month: number, of: number, n: number): Day {
  if (n < 0) {
    const last = fromYmd(year, month + 1, 0)
    return last - ((weekday(last) - of + 7) % 7)
  }
  const first = fromYmd(year, month, 1)
  return first + ((of - weekday(first) + 7) % 7) + 7 * (n - 1)
}

/** The day and, if it falls on a weekend, the Monday after it. */
const orMonday = (day: Day): Day[] => (weekday(day) > 5 ? [day, day + 8 - weekday(day)] : [day])
/** Two consecutive days with the working days that replace those on a weekend, such as Christmas Day and Boxing Day. */
function pair(first: Day): [Day[], Day[]] {
  const [a, b] = [weekday(first), weekday(first + 1)]
  if (a === 6)
    return [
      [first, first + 2],
      [first + 1, first + 3],
    ]
  if (a === 7) return [[first, first + 2], [first + 1]]
  return [[first], b === 6 ? [first + 1, first + 3] : [first + 1]]
}

function* named(country: string, regions: string, name: string, days: readonly Day[]): Generator<Holiday> {
  for (const region of regions === '' ? [''] : regions.split(' '))
    for (const day of days) yield { country, region, day, name }
}

function* australia(year: number): Generator<Holiday> {
  const au = (regions: string, name: string, ...days: Day[]) => named('AU', regions, name, days)
  const monday = (month: number, n: number) => nth(year, month, MONDAY, n)
  const sunday = easter(year)
  const anzac = fromYmd(year, 4, 25)
  const [christmas, boxing] = pair(fromYmd(year, 12, 25))
  // Western Australia moved its holidays by the Public and Bank Holidays Amendment Bill 2025, from 2028 on.
  const moved = year >= 2028
  yield* au('', "New Year's Day", ...orMonday(fromYmd(year, 1, 1)))
  yield* au('', 'Australia Day', orMonday(fromYmd(year, 1, 26)).at(-1)!)
  yield* au('', 'Good Friday', sunday - 2)
  yield* au(`ACT NSW NT QLD SA VIC${moved ? ' WA' : ''}`, 'Easter Saturday', sunday - 1)
  yield* au('ACT NSW NT QLD SA VIC WA', 'Easter Sunday', sunday)
  yield* au('', 'Easter Monday', sunday + 1)
  yield* au('', 'Anzac Day', anzac)
  if (weekday(anzac) === 7) yield* au('NT QLD SA', 'Anzac Day holiday', anzac + 1)
  // New South Wales by the Public Holidays Amendment (Anzac Day) Order 2026, for 2026 and 2027.
  if (weekday(anzac) > 5)
    yield* au(`ACT WA${year === 2026 || year === 2027 ? ' NSW' : ''}`, 'Anzac Day holiday', ...orMonday(anzac).slice(1))
  yield* au('VIC', 'Labour Day', monday(3, 2))
  yield* au('TAS', 'Eight Hours Day', monday(3, 2))
  yield* au('SA', 'Adelaide Cup Day', monday(3, 2))
  yield* au('ACT', 'Canberra Day', monday(3, 2))
  yield* au('WA', 'Labour Day', monday(3, moved ? 2 : 1))
  yield* au('QLD', 'Labour Day', monday(5, 1))
  yield* au('NT', 'May Day', monday(5, 1))
  yield* au('ACT', 'Reconciliation Day', fromYmd(year, 5, 27) + ((8 - weekday(fromYmd(year, 5, 27))) % 7))
  yield* au('WA', 'Western Australia Day', moved ? monday(11, 2) : monday(6, 1))
  yield* au(`ACT NSW NT SA TAS VIC${moved ? ' WA' : ''}`, "King's Birthday", monday(6, 2))
  // Proclaimed a week early in 2024.
  if (!moved) yield* au('WA', "King's Birthday", year === 2024 ? fromYmd(2024, 9, 23) : monday(9, -1))
  yield* au('NT', 'Picnic Day', monday(8, 1))
  yield* au('QLD', "King's Birthday", monday(10, 1))
  yield* au('ACT NSW SA', 'Labour Day', monday(10, 1))
  yield* au('VIC', 'Melbourne Cup Day', nth(year, 11, 2, 1))
  yield* au('', 'Christmas Day', ...christmas)
  // South Australia calls it Proclamation Day.
  yield* au('', 'Boxing Day', ...boxing)
  if (year === 2022) yield* au('', 'National Day of Mourning', fromYmd(2022, 9, 22))
}

function* britain(year: number): Generator<Holiday> {
  const gb = (regions: string, name: string, ...days: Day[]) => named('GB', regions, name, days)
  const monday = (month: number, n: number) => nth(year, month, MONDAY, n)
  const sunday = easter(year)
  const newYear = fromYmd(year, 1, 1)
  const second = weekday(newYear) === 7 ? [newYear + 1, newYear + 2] : pair(newYear)[1]
  const [christmas, boxing] = pair(fromYmd(year, 12, 25))
  yield* gb('', "New Year's Day", ...orMonday(newYear))
  yield* gb('SCT', '2nd January', ...second)
  yield* gb('NIR', "St Patrick's Day", ...orMonday(fromYmd(year, 3, 17)))
  yield* gb('', 'Good Friday', sunday - 2)
  yield* gb('ENG NIR WLS', 'Easter Monday', sunday + 1)
  yield* gb('', 'Early May bank holiday', monday(5, 1))
  // One-off days by royal proclamation, and the spring holiday that one of them moved.
  yield* gb('', 'Spring bank holiday', year === 2022 ? fromYmd(2022, 6, 2) : monday(5, -1))
  if (year === 2022) yield* gb('', 'Platinum Jubilee', fromYmd(2022, 6, 3))
  if (year === 2022) yield* gb('', 'State Funeral of Queen Elizabeth II', fromYmd(2022, 9, 19))
  if (year === 2023) yield* gb('', 'Coronation of King Charles III', fromYmd(2023, 5, 8))
  yield* gb('NIR', 'Battle of the Boyne', ...orMonday(fromYmd(year, 7, 12)))
  yield* gb('SCT', 'Summer bank holiday', monday(8, 1))
  yield* gb('ENG NIR WLS', 'Summer bank holiday', monday(8, -1))
  yield* gb('SCT', "St Andrew's Day", ...orMonday(fromYmd(year, 11, 30)))
  yield* gb('', 'Christmas Day', ...christmas)
  yield* gb('', 'Boxing Day', ...boxing)
}

function* america(year: number): Generator<Holiday> {
  const us = (name: string, ...days: Day[]) => named('US', '', name, days)
  const observed = (day: Day) => (weekday(day) === 6 ? [day - 1, day] : weekday(day) === 7 ? [day, day + 1] : [day])
  const monday = (month: number, n: number) => nth(year, month, MONDAY, n)
  yield* us("New Year's Day", ...observed(fromYmd(year, 1, 1)))
  yield* us('Martin Luther King Day', monday(1, 3))
  yield* us("Washington's Birthday", monday(2, 3))
  yield* us('Memorial Day', monday(5, -1))
  yield* us('Juneteenth', ...observed(fromYmd(year, 6, 19)))
  yield* us('Independence Day', ...observed(fromYmd(year, 7, 4)))
  yield* us('Labor Day', monday(9, 1))
  yield* us('Columbus Day', monday(10, 2))
  yield* us('Veterans Day', ...observed(fromYmd(year, 11, 11)))
  yield* us('Thanksgiving Day', nth(year, 11, THURSDAY, 4))
  yield* us('Christmas Day', ...observed(fromYmd(year, 12, 25)))
}

const [from, to] = process.argv.slice(2).map(Number)
if (!from || !to || to < from) throw new Error('Say the first and the last year: node tools/holidays.ts 2026 2028')
const years = Array.from({ length: to - from + 1 }, (_, at) => from + at)
const lines = [australia, britain, america].flatMap((country) =>
  years
    .flatMap((year) => [...country(year)])
    .sort((a, b) => a.day - b.day || a.region.localeCompare(b.region))
    .map((one) => `${one.country},${one.region},${formatDay(one.day)},${one.name}`),
)
process.stdout.write(`country,region,day,name\n${lines.join('\n')}\n`)
