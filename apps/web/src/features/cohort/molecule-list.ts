import { holdsWords } from '../../kit/list/holds-words.ts'

export interface Molecule {
  readonly molecule: string
  readonly atc_code: string
}

/**
 * The dispensed molecules, after those a recommended campaign selects although nobody has been dispensed them: whoever refines it sees them
 * and can untick them.
 */
export function withChosen(
  dispensed: readonly Molecule[],
  chosen: readonly string[],
  nameOf: (code: string) => string,
): Molecule[] {
  const listed = new Set(dispensed.map(({ atc_code }) => atc_code))
  const others = chosen.filter((code) => !listed.has(code))
  return [
    ...others.map((atc_code) => ({ molecule: `${nameOf(atc_code)} (not dispensed yet)`, atc_code })),
    ...dispensed,
  ]
}

/** Molecules whose name or code contains every typed word. */
export function matchingMolecules(all: readonly Molecule[], typed: string): Molecule[] {
  const holds = holdsWords(typed)
  return all.filter(({ molecule, atc_code }) => holds(`${molecule} ${atc_code}`))
}

/** Select All for the shown molecules: adds all of them, or removes them if all are selected. */
export function toggledShown(chosen: ReadonlySet<string>, shown: readonly Molecule[]): Set<string> {
  const next = new Set(chosen)
  const all = shown.every(({ atc_code }) => chosen.has(atc_code))
  for (const { atc_code } of shown) {
    if (all) next.delete(atc_code)
    else next.add(atc_code)
  }
  return next
}

/** The name split at the first place that matches the typed text, for highlighting: before, match, after. */
export function marked(text: string, typed: string): readonly [string, string, string] {
  const word = typed.trim().toLowerCase().split(/\s+/)[0] ?? ''
  const at = word === '' ? -1 : text.toLowerCase().indexOf(word)
  return at < 0 ? [text, '', ''] : [text.slice(0, at), text.slice(at, at + word.length), text.slice(at + word.length)]
}
