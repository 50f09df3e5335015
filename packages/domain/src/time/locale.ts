import { type Day, toYmd, weekday } from './day.ts'

export const COUNTRIES = ['AU', 'GB', 'US'] as const
export type Country = (typeof COUNTRIES)[number]

/** The name of a country in addresses and the support console. */
export const COUNTRY_NAMES: Readonly<Record<Country, string>> = {
  AU: 'Australia',
  GB: 'United Kingdom',
  US: 'United States',
}

export interface LocaleRules {
  readonly locale: string
  readonly currency: 'AUD' | 'GBP' | 'USD'
  readonly currencySymbol: string
  readonly centSign: 'c' | 'p'
  /** The tax excluded from amounts of money. */
  readonly salesTax: 'GST' | 'VAT' | 'sales tax'
  /** Who pays for a script besides the patient. */
  readonly payer: 'the government' | 'the NHS' | 'insurers'
  readonly distanceUnit: 'km' | 'mi'
  /** The label of an address's postal code. */
  readonly postcodeName: 'Postcode' | 'ZIP code'
  /** The label of an address's state; null where addresses have none. */
  readonly stateName: 'State' | null
  /** Order of the parts of a short date. */
  readonly dateFormat: 'dd/mm/yy' | 'mm/dd/yy'
  /** Base path of the portal: '/' for Australia, '/en_{country}' elsewhere. */
  readonly basePath: string
}

export const LOCALES: Readonly<Record<Country, LocaleRules>> = {
  AU: {
    locale: 'en-AU',
    currency: 'AUD',
    currencySymbol: '$',
    centSign: 'c',
    salesTax: 'GST',
    payer: 'the government',
    distanceUnit: 'km',
    postcodeName: 'Postcode',
    stateName: 'State',
    dateFormat: 'dd/mm/yy',
    basePath: '/',
  },
  GB: {
    locale: 'en-GB',
    currency: 'GBP',
    currencySymbol: '£',
    centSign: 'p',
    salesTax: 'VAT',
    payer: 'the NHS',
    distanceUnit: 'mi',
    postcodeName: 'Postcode',
    stateName: null,
    dateFormat: 'dd/mm/yy',
    basePath: '/en_gb',
  },
  US: {
    locale: 'en-US',
    currency: 'USD',
    currencySymbol: '$',
    centSign: 'c',
    salesTax: 'sales tax',
    payer: 'insurers',
    distanceUnit: 'mi',
    postcodeName: 'ZIP code',
    stateName: 'State',
    dateFormat: 'mm/dd/yy',
    basePath: '/en_us',
  },
}

/** The name of a postal code within a sentence: 'postcode', in the United States 'ZIP code'. */
export const postcodeWord = (country: Country): string => (country === 'US' ? LOCALES.US.postcodeName : 'postcode')

/** Shown when there is no value. */
export const NO_VALUE = '–'

// Fixed names: Intl abbreviates July to "Jul" or "July" depending on the machine's locale data.
export const MONTH_NAMES = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const

/** Full name of month 1..12. */
export function monthName(month: number): string {
  return MONTH_NAMES[month - 1] ?? String(month)
}

/** Three-letter name of month 1..12. */
export function monthShort(month: number): string {
  return monthName(month).slice(0, 3)
}

const formats = new Map<string, Intl.NumberFormat>()

function digits(country: Country, value: number, decimals: number, useGrouping = true): string {
  const key = `${country}${decimals}${useGrouping}`
  let format = formats.get(key)
  if (!format) {
    format = new Intl.NumberFormat(LOCALES[country].locale, {
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
      signDisplay: 'negative',
      useGrouping,
    })
    formats.set(key, format)
  }
  return format.format(withoutRemainder(value))
}

// Floating point makes 14.374999999999998 of 0.14375 × 100, which must round as 14.375, as it does in a spreadsheet.
const withoutRemainder = (value: number) => Number(value.toPrecision(14))

/** A number in a file that programs read: rounded as on the screen, but ungrouped and with a hyphen: '1234.50', '-3.10', never '-0.00'. */
export const plainDecimals = (value: number, decimals = 2): string => digits('AU', value, decimals, false)

/** Puts a true minus sign before a negative figure, and none when it rounds to zero. */
function signed(value: number, text: string): string {
  return value < 0 && /[1-9]/.test(text) ? `−${text}` : text
}

/** A count or measure with grouped digits: 1,234; −5. Null gives the "no value" dash. */
export function formatNumber(country: Country, value: number | null, decimals = 0): string {
  if (value === null) return NO_VALUE
  return signed(value, digits(country, Math.abs(value), decimals))
}

/** A count with its noun: '1 script', '1,234 scripts'. The singular follows the rounded figure: 0.8 is shown as 1. Null gives the "no value" dash. */
export function formatCounted(country: Country, count: number | null, one: string, many: string): string {
  const text = formatNumber(country, count)
  return `${text} ${text === '1' ? one : many}`
}

/** Money in whole units of the currency by default, as in tables ($1,234); pass 2 decimals where cents matter. */
export function formatMoney(country: Country, value: number | null, decimals = 0): string {
  if (value === null) return NO_VALUE
  return signed(value, LOCALES[country].currencySymbol + digits(country, Math.abs(value), decimals))
}

/** Small amounts as people write them, such as the price of a text: 12c, 12p in Great Britain, and $1.20 from a dollar or pound upwards. */
export function formatCents(country: Country, cents: number): string {
  return cents >= 100 ? formatMoney(country, cents / 100, 2) : `${cents}${LOCALES[country].centSign}`
}

/** The head of a column of money in a file, which may lie beside one of another country: 'Cost, AUD'. */
export const moneyHead = (country: Country, words: string): string => `${words}, ${LOCALES[country].currency}`

/** Money for a card: $1.81m, $12.4k, $980; three figures at most. */
export function formatMoneyCompact(country: Country, value: number | null): string {
  if (value === null) return NO_VALUE
  return signed(value, LOCALES[country].currencySymbol + compact(country, Math.abs(value)))
}

function compact(country: Country, size: number): string {
  // The limits lie half a unit of the last figure below the power, so that 999,999 becomes 1.00m and not 1000k.
  for (const [power, letter] of [
    [1e9, 'b'],
    [1e6, 'm'],
    [1e3, 'k'],
  ] as const) {
    if (size < power * 0.9995) continue
    const scaled = size / power
    const decimals = scaled < 9.995 ? 2 : scaled < 99.95 ? 1 : 0
    return digits(country, scaled, decimals) + letter
  }
  return digits(country, size, 0)
}

/** A fraction 0..1 as percent: value times 100 with two decimals, 80.82%; a minus sign when negative. */
export function formatPercent(country: Country, value: number | null, decimals = 2): string {
  if (value === null) return NO_VALUE
  return signed(value, `${digits(country, Math.abs(value) * 100, decimals)}%`)
}

/** A change as percent with an explicit sign: +9.09%, −3.10%, 0.00%. */
export function formatChange(country: Country, value: number | null, decimals = 2): string {
  const text = formatPercent(country, value, decimals)
  return value !== null && value > 0 && /[1-9]/.test(text) ? `+${text}` : text
}

/** 19 Nov 2026; Nov 19, 2026 in the US. */
export function formatDate(country: Country, value: Day): string {
  const { year, month, day } = toYmd(value)
  return country === 'US' ? `${monthShort(month)} ${day}, ${year}` : `${day} ${monthShort(month)} ${year}`
}

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const

/** The same with its day of the week: Thu 19 Nov 2026. Browsers write June, July and Sept in full or longer; only this function's output is used. */
export const formatWeekday = (country: Country, value: Day): string =>
  `${WEEKDAYS[weekday(value) - 1]} ${formatDate(country, value)}`

/** A date without its year: 19 Nov, Thu 19 Nov. */
export const withoutYear = (date: string): string => date.replace(/,? \d{4}$/, '')

/** Real dates of a span without repeating what both ends share: 1 Jul – 19 Nov 2026; 1 Jul 2025 – 30 Jun 2026; 1 – 30 Nov 2026. */
export function formatSpan(country: Country, from: Day, to: Day): string {
  if (from === to) return formatDate(country, from)
  const a = toYmd(from)
  const b = toYmd(to)
  if (a.year !== b.year) return `${formatDate(country, from)} – ${formatDate(country, to)}`
  if (country === 'US') {
    const end = a.month === b.month ? String(b.day) : `${monthShort(b.month)} ${b.day}`
    return `${monthShort(a.month)} ${a.day} – ${end}, ${b.year}`
  }
  const start = a.month === b.month ? String(a.day) : `${a.day} ${monthShort(a.month)}`
  return `${start} – ${formatDate(country, to)}`
}
