import { readData } from '../data-files.ts'
import { pick, type Random } from '../random.ts'

const rows = readData('names.csv').map((row) => ({
  kind: row.kind ?? '',
  from: Number(row.born_from),
  to: Number(row.born_to),
  names: (row.names ?? '').split(' '),
}))

const surnames = rows.find((row) => row.kind === 'surname')?.names ?? []
export const STREETS: readonly string[] = rows.find((row) => row.kind === 'street')?.names ?? []
const STREET_KINDS = ['Street', 'Road', 'Avenue', 'Parade', 'Crescent', 'Lane', 'Place', 'Drive', 'Court']

/** A given name common for people of that sex born in that year. */
export function givenName(random: Random, female: boolean, bornIn: number): string {
  const fitting = rows.find((row) => row.kind === (female ? 'F' : 'M') && row.from <= bornIn && bornIn <= row.to)
  return pick(random, fitting?.names ?? ['Alex'])
}

/** A surname; those at the front of the list, the common ones, come up more often. */
export function surname(random: Random): string {
  return surnames[Math.floor(random.next() ** 1.7 * surnames.length)] as string
}

export function streetAddress(random: Random): string {
  return `${1 + random.int(180)} ${pick(random, STREETS)} ${pick(random, STREET_KINDS)}`
}
