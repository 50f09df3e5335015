import { createHash } from 'node:crypto'
import type { Day } from '@pillar/domain/time/day'
import { copyOf, type Findings, shown } from '../fault.ts'

/** Identifiers remembered in one load, so that a resource can be referred to by one; many times the patients of a pharmacy. */
const MAX_IDENTIFIERS = 300_000
const MAX_NAMES = 10_000
const MAX_DRUGS = 50_000
const SHOWN_NAMES = 5
/** FHIR R4 has some 150 types of resources. */
const MAX_TYPES = 300
/** No remembered text is longer than this: a line may hold a megabyte in one text, and so may each of many lines. */
const MAX_KEY = 200

/** A text in remembered form: itself, or for a long one a unique digest. */
const keyOf = (text: string) =>
  text.length <= MAX_KEY ? copyOf(text) : createHash('sha256').update(text).digest('base64url')

/** What one load remembers from file to file, and what it has to report about each file. */
export class FhirState {
  readonly #ids = new Map<string, string | null>()
  readonly #servers = new Map<string, { key: string; shown: string }>()
  readonly #drugs = new Map<string, string>()
  #counts = new Map<string, number>()
  /** For each kind its names as shown, by their remembered form. */
  #names = new Map<string, Map<string, string>>()
  /** Whether more identifiers came than can be remembered. */
  overflow = false

  /** Remembers that a resource has an identifier; if several have it, that it identifies none of them. */
  remember(type: string, system: string, value: string, id: string): void {
    // No row has an id that long.
    if (id.length > MAX_KEY) return
    const key = identifierKey(type, system, value)
    const known = this.#ids.get(key)
    if (known === undefined && this.#ids.size >= MAX_IDENTIFIERS) this.overflow = true
    else this.#ids.set(key, known === undefined ? copyOf(id) : known === id ? known : null)
  }

  /** The id of the resource with an identifier: null if several have it, undefined if none of this upload has. */
  idOf(type: string, system: string, value: string): string | null | undefined {
    return this.#ids.get(identifierKey(type, system, value))
  }

  /** Whether resources of a type are on this server: the first one named counts. */
  isOnFirstServer(type: string, named: string): boolean {
    const known = this.#servers.get(keyOf(type))
    if (known !== undefined) return known.key === keyOf(named)
    if (this.#servers.size < MAX_TYPES) this.#servers.set(keyOf(type), { key: keyOf(named), shown: shown(named) })
    return true
  }

  /** The server that resources of a type are on, as shown. */
  firstServer(type: string): string {
    return this.#servers.get(keyOf(type))?.shown ?? ''
  }

  /** Whether a product with exactly this content was written before: dispenses repeat the same few. */
  knowsDrug(id: string, content: string): boolean {
    const key = keyOf(content)
    if (this.#drugs.get(id) === key) return true
    if (this.#drugs.size >= MAX_DRUGS) this.#drugs.clear()
    this.#drugs.set(copyOf(id), key)
    return false
  }

  count(what: string): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + 1)
  }

  name(what: string, name: string): void {
    const names = this.#names.get(what) ?? new Map()
    if (names.size < MAX_NAMES) names.set(keyOf(name), shown(name))
    this.#names.set(what, names)
  }

  /** The report on the file just read; the next file starts afresh. */
  report(): { count: (what: string) => number; names: (what: string) => readonly string[] } {
    const [counts, names] = [this.#counts, this.#names]
    this.#counts = new Map()
    this.#names = new Map()
    return { count: (what) => counts.get(what) ?? 0, names: (what) => [...(names.get(what)?.values() ?? [])] }
  }
}

const identifierKey = (type: string, system: string, value: string) => keyOf(`${type} ${system} ${value}`)

const states = new WeakMap<Findings, FhirState>()

/** The state of one load. */
export function stateOf(findings: Findings): FhirState {
  const state = states.get(findings) ?? new FhirState()
  states.set(findings, state)
  return state
}

/** What reading a resource needs. */
export interface FhirContext {
  /** Today at the pharmacy. */
  readonly today: Day
  readonly timeZone: string
  readonly state: FhirState
}

/** The first few of several names, and how many more there are. */
export function listed(names: readonly string[]): string {
  const more = names.length - SHOWN_NAMES
  return names.slice(0, SHOWN_NAMES).join('; ') + (more > 0 ? `; and ${more} more` : '')
}
