import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import type { Place } from '@pillar/domain/cohort/distance'
import type { Country } from '@pillar/domain/time/locale'

const FILE = new URL('../../../data/postcodes.csv.gz', import.meta.url)

let places: ReadonlyMap<string, Place> | null = null

function load(): ReadonlyMap<string, Place> {
  const lines = gunzipSync(readFileSync(FILE)).toString('utf8').trimEnd().split('\n').slice(1)
  return new Map(
    lines.map((line) => {
      const [country, postcode, latitude, longitude] = line.split(',')
      return [`${country} ${postcode}`, { latitude: Number(latitude), longitude: Number(longitude) }]
    }),
  )
}

/** The part of a postcode that the table knows: four digits in Australia, the outward code in Great Britain, five digits in the United States. */
export function postcodeKey(country: Country, postcode: string): string {
  const text = postcode.trim().toUpperCase()
  if (country === 'AU') return /^\d{3,4}$/.test(text) ? text.padStart(4, '0') : text
  if (country === 'US') {
    // Four more digits may follow, with a dash or without; a spreadsheet drops the noughts at the beginning of either.
    const [, zip = text, more = ''] = /^(\d{3,9})(-\d{4})?$/.exec(text) ?? []
    return zip.padStart(zip.length > 5 && more === '' ? 9 : 5, '0').slice(0, 5)
  }
  const joined = text.replaceAll(/\s+/g, '')
  return /\d[A-Z]{2}$/.test(joined) && joined.length > 4 ? joined.slice(0, -3) : joined
}

/** The middle of a postcode; null when it is not known. */
export function placeOf(country: Country, postcode: string | null): Place | null {
  if (!postcode) return null
  places ??= load()
  return places.get(`${country} ${postcodeKey(country, postcode)}`) ?? null
}
