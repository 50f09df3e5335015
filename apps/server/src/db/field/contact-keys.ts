import { SEALED } from './columns.ts'
import type { FieldKey } from './envelope.ts'

/** The keys of patients' contacts, and how contacts are stored. */
export interface ContactKeys {
  /** 'plain': as they are; 'both': as they are or by a handle, while some processes do not know of the switch yet; 'sealed': only by a handle. */
  state: 'plain' | 'both' | 'sealed'
  /** Whether no row still holds a plain contact. */
  filled: boolean
  /** Null if there is none. */
  seal: FieldKey | null
  /** The keys by which contacts are looked up. */
  live: readonly FieldKey[]
}

/** @param rows wrapped keys, newest first; @param live the keys of each column, newest first; @param writers the keys that seal now */
export function contactKeys(
  rows: readonly { column_name: string; settled: boolean; filled: boolean }[],
  live: ReadonlyMap<string, FieldKey[]>,
  writers: ReadonlyMap<string, FieldKey>,
): ContactKeys {
  const { name } = SEALED.contact
  const own = rows.filter(({ column_name }) => column_name === name)
  const keys = live.get(name) ?? []
  const writer = writers.get(name)
  return {
    // The oldest key tells when contacts were switched over; a newer one comes from a rotation.
    state: writer ? (own.at(-1)!.settled ? 'sealed' : 'both') : 'plain',
    filled: own.some(({ filled }) => filled),
    seal: writer ?? keys[0] ?? null,
    live: keys,
  }
}
