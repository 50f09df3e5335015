import { readFileSync } from 'node:fs'

export const WHOLE_ATC = /^[A-Z]\d{2}[A-Z]{2}\d{2}$/

/** The ingredients of a name in one order, joined by ' + '. */
export function inOrder(components: readonly string[]): string {
  return [...components].sort().join(' + ')
}

/** The reference list of medicine names: the ATC code of each name, and one name for each whole code. In lower case. */
export const moleculeNames = readNames()

function readNames(): { atcOf: Map<string, string>; nameOf: Map<string, string> } {
  const text = readFileSync(new URL('../../../data/molecules.csv', import.meta.url), 'utf8')
  const atcOf = new Map<string, string>()
  const nameOf = new Map<string, string>()
  for (const line of text.trim().split('\n').slice(1)) {
    const [name = '', atc = ''] = line.split(',')
    atcOf.set(inOrder(name.split(' + ')), atc)
    // The list runs from most to least used, so the first name of a code is the best known.
    if (WHOLE_ATC.test(atc) && !nameOf.has(atc)) nameOf.set(atc, name)
  }
  return { atcOf, nameOf }
}
