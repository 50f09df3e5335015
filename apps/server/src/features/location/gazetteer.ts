import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { listOf } from '@pillar/domain/text/sentence'
import { americanZone } from '@pillar/domain/time/american-zone'
import { type Country, LOCALES } from '@pillar/domain/time/locale'
import { hasZone, zoneOf } from '@pillar/domain/time/zone'

const FILE = new URL('../../../data/localities.csv.gz', import.meta.url)

/** A place with its postcode: in Great Britain the outward code, 'EH1'. */
export interface Place {
  country: Country
  postcode: string
  town: string
  /** The state; empty in Great Britain. */
  region: string
  latitude: number
  longitude: number
  time_zone: string
}

interface Known extends Place {
  /** The name's words in lower case, and the state. */
  words: readonly string[]
}

/** The most matching places to show. */
const MOST = 20

let places: ReadonlyMap<string, readonly Known[]> | null = null

function load(): ReadonlyMap<string, readonly Known[]> {
  const byCountry = new Map<string, Known[]>()
  const [, ...lines] = gunzipSync(readFileSync(FILE)).toString('utf8').trimEnd().split('\n')
  for (const line of lines) {
    const [code = '', postcode = '', region = '', latitude, longitude, ...name] = line.split(',')
    const country = code as Country
    const town = name.join(',')
    const words = [...wordsOf(town), region.toLowerCase()]
    const place = { country, postcode, town, region, latitude: Number(latitude), longitude: Number(longitude) }
    const known = byCountry.get(country) ?? []
    known.push({ ...place, time_zone: country === 'US' ? americanZone(region, place) : zoneOf(country, region), words })
    byCountry.set(country, known)
  }
  return byCountry
}

const placesIn = (country: Country): readonly Known[] => {
  places ??= load()
  return places.get(country) ?? []
}

const wordsOf = (text: string) =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}']+/u)
    .filter((word) => word !== '')

/** A whole British postcode, or a beginning longer than its outward code: 'EH12 5AB', 'eh12 5'. */
const BRITISH = /^([a-z]{1,2}\d[a-z\d]?)\s+(\d[a-z]{0,2})$|^([a-z]{1,2}\d[a-z\d]?)(\d[a-z]{2})$/i

/** The outward code of a British postcode and the whole postcode, as usually written. */
function british(text: string): { outward: string; whole: string } | null {
  const match = BRITISH.exec(text.trim())
  if (!match) return null
  const outward = (match[1] ?? match[3] ?? '').toUpperCase()
  return { outward, whole: `${outward} ${(match[2] ?? match[4] ?? '').toUpperCase()}` }
}

/**
 * Places that match typed text: the beginning of a postcode, words of the name, the state, or several of these. Whole names come first,
 * then names that begin with it. A British postcode typed in full finds its outward code and is kept.
 */
export function findPlaces(country: Country, term: string): Place[] {
  const full = country === 'GB' ? british(term) : null
  const wanted = full ? [full.outward.toLowerCase()] : wordsOf(term)
  if (wanted.length === 0) return []
  const found = placesIn(country).filter(({ postcode, words }) =>
    wanted.every((one) =>
      full || /\d/.test(one)
        ? full
          ? postcode.toLowerCase() === one
          : postcode.toLowerCase().startsWith(one)
        : words.some((word) => word.startsWith(one)),
    ),
  )
  const text = wanted.join(' ')
  const rank = ({ words, postcode }: Known) => {
    const name = words.slice(0, -1).join(' ')
    if (name === text || postcode.toLowerCase() === text) return 0
    return name.startsWith(text) ? 1 : 2
  }
  return found
    .map((place) => ({ place, at: rank(place) }))
    .sort((a, b) => a.at - b.at)
    .slice(0, MOST)
    .map(({ place: { words: _, ...place } }) => (full?.whole.length ? { ...place, postcode: full.whole } : place))
}

interface Address {
  country: Country
  town: string | null
  postcode: string | null
}

/** The position of an address: its town within its postcode, otherwise the centre of that postcode; null if the postcode is unknown. */
export function locate({ country, town, postcode }: Address): { latitude: number; longitude: number } | null {
  const code = postcodeOf(country, postcode ?? '')
  const there = placesIn(country).filter((place) => place.postcode === code)
  const named = there.find((place) => place.town.toLowerCase() === town?.trim().toLowerCase())
  if (named) return { latitude: named.latitude, longitude: named.longitude }
  if (there.length === 0) return null
  const mean = (of: (place: Place) => number) =>
    Math.round((there.reduce((sum, place) => sum + of(place), 0) / there.length) * 1000) / 1000
  return { latitude: mean((place) => place.latitude), longitude: mean((place) => place.longitude) }
}

/**
 * The time zone of an address: its state's, or that of its part of an American state with two. An American ZIP code lies in one state, so the
 * spelling of the state does not matter.
 */
export function zoneAt({ country, region, postcode }: Omit<Address, 'town'> & { region: string | null }): string {
  return (country === 'US' ? zoneOfZip(postcode) : null) ?? zoneOf(country, region)
}

/** The time zone of an American ZIP code; null if unknown. */
export function zoneOfZip(postcode: string | null): string | null {
  const place = placeOfZip(postcode)
  return place?.time_zone ?? null
}

function placeOfZip(postcode: string | null): Place | undefined {
  const code = postcodeOf('US', postcode ?? '')
  return placesIn('US').find((place) => place.postcode === code && place.region !== '')
}

/** The state of an American ZIP code as two letters; null if unknown. */
function stateOfZip(postcode: string | null): string | null {
  return placeOfZip(postcode)?.region ?? null
}

/**
 * The state of an American address as two letters: that of its ZIP code if it was left out or written otherwise, such as _California_.
 * As given if neither tells it.
 */
export function stateInAmerica(region: string | null, postcode: string | null): string | null {
  return hasZone('US', region) ? region : (stateOfZip(postcode) ?? region)
}

/**
 * Why an address cannot be in its state, as one sentence; null if it can, or its postcode is not known. The state decides the clock and the
 * holidays, so a wrong one would text patients at night and count wrong business days.
 */
export function otherStateProblem({
  country,
  region,
  postcode,
}: Omit<Address, 'town'> & { region: string | null }): string | null {
  const code = postcodeOf(country, postcode ?? '')
  const there = placesIn(country).filter((place) => place.postcode === code && place.region !== '')
  const states = [...new Set(there.map((place) => place.region))]
  if (region === null || states.length === 0 || states.includes(region)) return null
  return `${LOCALES[country].postcodeName} ${postcode} is in ${listOf(states)}, not in ${region}. Please correct one of them.`
}

/** The part of a postcode used by the table. */
function postcodeOf(country: Country, postcode: string): string {
  const text = postcode.trim().toUpperCase()
  if (country === 'US') return text.slice(0, 5)
  return country === 'GB' ? (british(text)?.outward ?? text) : text
}
