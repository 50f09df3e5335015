import type { Day } from '@pillar/domain/time/day'
import type { Findings } from '../fault.ts'

/** Identifiers remembered of one load, so that a resource can be named by one; a pharmacy's patients fit many times. */
export const MAX_IDENTIFIERS = 300_000
const MAX_NAMES = 10_000
const MAX_DRUGS = 50_000
const SHOWN_NAMES = 5

/** What one load remembers from file to file, and what it has to tell of each file. */
export class FhirState {
  readonly #ids = new Map<string, string | null>()
  readonly #servers = new Map<string, string>()
  readonly #drugs = new Map<string, string>()
  #counts = new Map<string, number>()
  #names = new Map<string, Set<string>>()
  /** Whether more identifiers came than are remembered. */
  overflow = false

  /** Remembers that a resource has an identifier; of one that several have, that it names none of them. */
  remember(type: string, system: string, value: string, id: string): void {
    const key = identifierKey(type, system, value)
    const known = this.#ids.get(key)
    if (known === undefined && this.#ids.size >= MAX_IDENTIFIERS) this.overflow = true
    else this.#ids.set(key, known === undefined || known === id ? id : null)
  }

  /** The id of the resource with an identifier: null when several have it, undefined when none of this upload has. */
  idOf(type: string, system: string, value: string): string | null | undefined {
    return this.#ids.get(identifierKey(type, system, value))
  }

  /** The server that resources of a type are on: the first that was named. */
  serverOf(type: string, named: string): string {
    const known = this.#servers.get(type)
    if (known === undefined) this.#servers.set(type, named)
    return known ?? named
  }

  /** Whether a product was written exactly so before: dispenses repeat the same few. */
  knowsDrug(id: string, content: string): boolean {
    if (this.#drugs.get(id) === content) return true
    if (this.#drugs.size >= MAX_DRUGS) this.#drugs.clear()
    this.#drugs.set(id, content)
    return false
  }

  count(what: string): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + 1)
  }

  name(what: string, name: string): void {
    const names = this.#names.get(what) ?? new Set()
    if (names.size < MAX_NAMES) names.add(name)
    this.#names.set(what, names)
  }

  /** What there is to tell of the file just read; the next file begins anew. */
  told(): { count: (what: string) => number; names: (what: string) => readonly string[] } {
    const [counts, names] = [this.#counts, this.#names]
    this.#counts = new Map()
    this.#names = new Map()
    return { count: (what) => counts.get(what) ?? 0, names: (what) => [...(names.get(what) ?? [])] }
  }
}

const identifierKey = (type: string, system: string, value: string) => `${type} ${system} ${value}`

const states = new WeakMap<Findings, FhirState>()

/** The state of one load. */
export function stateOf(findings: Findings): FhirState {
  const state = states.get(findings) ?? new FhirState()
  states.set(findings, state)
  return state
}

/** What a resource is read with. */
export interface FhirContext {
  /** Today at the pharmacy. */
  readonly today: Day
  readonly timeZone: string
  readonly state: FhirState
}

/** The first few of some names, and how many more there are. */
export function listed(names: readonly string[]): string {
  const more = names.length - SHOWN_NAMES
  return names.slice(0, SHOWN_NAMES).join('; ') + (more > 0 ? `; and ${more} more` : '')
}
