import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import type { Place } from '@pillar/domain/cohort/distance'
import type { Country } from '@pillar/domain/time/locale'

const FILE = new URL('../../../data/postcodes.csv.gz', import.meta.url)

const places = new Map<Country, ReadonlyMap<string, Place>>()

/** Loads one country: nine in ten postcodes of the table are American. */
function load(country: Country): ReadonlyMap<string, Place> {
  const lines = gunzipSync(readFileSync(FILE)).toString('utf8').trimEnd().split('\n')
  return new Map(
    lines.flatMap((line) => {
      const [of, postcode = '', latitude, longitude] = line.split(',')
      return of === country ? [[postcode, { latitude: Number(latitude), longitude: Number(longitude) }]] : []
    }),
  )
}

/** The part of a postcode used by the table: four digits in Australia, the outward code in Great Britain, five digits in the United States. */
function postcodeKey(country: Country, postcode: string): string {
  const text = postcode.trim().toUpperCase()
  if (country === 'AU') return /^\d{3,4}$/.test(text) ? text.padStart(4, '0') : text
  if (country === 'US') {
    // Four more digits may follow, with or without a dash; a spreadsheet drops the leading zeros of either.
    const [, zip = text, more = ''] = /^(\d{3,9})(-\d{4})?$/.exec(text) ?? []
    return zip.padStart(zip.length > 5 && more === '' ? 9 : 5, '0').slice(0, 5)
  }
  const joined = text.replaceAll(/\s+/g, '')
  return /\d[A-Z]{2}$/.test(joined) && joined.length > 4 ? joined.slice(0, -3) : joined
}

/** The centre of a postcode; null if unknown. */
export function placeOf(country: Country, postcode: string | null): Place | null {
  if (!postcode) return null
  const known = places.get(country) ?? load(country)
  places.set(country, known)
  return known.get(postcodeKey(country, postcode)) ?? null
}
