import { type Day, parseDay } from './day.ts'
import { COUNTRIES, type Country } from './locale.ts'

/** A public holiday of a country, or of one region of it. */
export interface Holiday {
  readonly country: Country
  /** Code of the state or nation; empty for the whole country. */
  readonly region: string
  readonly day: Day
  readonly name: string
}

const HEAD = 'country,region,day,name'

/**
 * Reads a list of public holidays: lines 'AU,VIC,2026-11-03,Melbourne Cup Day' under the header 'country,region,day,name'.
 * @throws RangeError naming the line
 */
export function parseHolidays(text: string): Holiday[] {
  const [head, ...lines] = text.trimEnd().split(/\r?\n/)
  if (head !== HEAD) throw new RangeError(`Line 1 must be "${HEAD}".`)
  return lines.map((line, at) => {
    const [country = '', region = '', iso = '', ...name] = line.split(',')
    const day = parseDay(iso)
    if (!COUNTRIES.includes(country as Country) || day === null) {
      throw new RangeError(
        `Line ${at + 2} must be a country (AU, GB, US), a region or nothing, a day and a name: ${line}`,
      )
    }
    return { country: country as Country, region, day, name: name.join(',') }
  })
}

const REGION_NAMES: Readonly<Partial<Record<Country, Readonly<Record<string, string>>>>> = {
  AU: {
    'AUSTRALIAN CAPITAL TERRITORY': 'ACT',
    'NEW SOUTH WALES': 'NSW',
    'NORTHERN TERRITORY': 'NT',
    QUEENSLAND: 'QLD',
    'SOUTH AUSTRALIA': 'SA',
    TASMANIA: 'TAS',
    VICTORIA: 'VIC',
    'WESTERN AUSTRALIA': 'WA',
  },
  GB: { ENGLAND: 'ENG', WALES: 'WLS', CYMRU: 'WLS', SCOTLAND: 'SCT', 'NORTHERN IRELAND': 'NIR' },
}

/** States by the first digit of a postcode, if nothing else gives the state. */
const AU_POSTCODES = ['NT', null, 'NSW', 'VIC', 'QLD', 'SA', 'WA', 'TAS'] as const
const isAct = (postcode: number) => (postcode >= 2600 && postcode <= 2618) || (postcode >= 2900 && postcode <= 2920)
const SCOTTISH_AREAS = 'AB DD DG EH FK G HS IV KA KW KY ML PA PH TD ZE'.split(' ')
const WELSH_AREAS = 'CF LD LL NP SA'.split(' ')

/**
 * The region whose holidays a pharmacy observes: an Australian state or a nation of the United Kingdom, from the region of
 * its address, else from its postcode. Null when neither is known, and in the United States, where only federal holidays count.
 */
export function holidayRegion(country: Country, region: string | null, postcode: string | null): string | null {
  const names = REGION_NAMES[country]
  if (!names) return null
  const written = region?.trim().toUpperCase() ?? ''
  const named = names[written] ?? (Object.values(names).includes(written) ? written : null)
  if (named !== null) return named
  const code = postcode?.trim().toUpperCase() ?? ''
  if (country === 'AU') {
    if (!/^\d{4}$/.test(code)) return null
    return isAct(Number(code)) ? 'ACT' : (AU_POSTCODES[Number(code[0])] ?? null)
  }
  const area = /^[A-Z]+/.exec(code)?.[0] ?? ''
  if (area === '') return null
  if (area === 'BT') return 'NIR'
  return SCOTTISH_AREAS.includes(area) ? 'SCT' : WELSH_AREAS.includes(area) ? 'WLS' : 'ENG'
}

/** The holidays of a region: those of the whole country and its own. */
export function holidaysIn(list: readonly Holiday[], country: Country, region: string | null): ReadonlySet<Day> {
  const kept = list.filter((one) => one.country === country && (one.region === '' || one.region === region))
  return new Set(kept.map((one) => one.day))
}
