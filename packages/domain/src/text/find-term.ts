import { UPLOAD_KEY_PREFIX } from '../upload/upload-key.ts'

/** Letters of an upload key that may be searched for; the rest is a secret and is left out before anything is sent. */
const KEY_LETTERS = 6

/** A term with no more of an upload key than finds its pharmacy. */
export function withoutWholeKey(term: string): string {
  const at = term.indexOf(UPLOAD_KEY_PREFIX)
  return at < 0 ? term.trim() : term.slice(at, at + UPLOAD_KEY_PREFIX.length + KEY_LETTERS).trim()
}

/** What a search term may stand for. */
export interface FindTerm {
  /** The words of a name, lower case; empty for a key. */
  words: readonly string[]
  /** The term in one piece, lower case. */
  whole: string
  /** The uuids that begin with it; null where it is not hexadecimal or too short. */
  uuids: { from: string; to: string } | null
  /** The beginning of an upload key. */
  key: string | null
}

const MOST_WORDS = 8
/** Fewer hexadecimal digits may well be a word. */
const LEAST_DIGITS = 8

/** Reads a search term; null where there is nothing to search for. */
export function findTerm(text: string): FindTerm | null {
  const term = withoutWholeKey(text)
  const whole = term.toLowerCase()
  const words = [...whole.matchAll(/[\p{L}\p{N}]+/gu)].map(([word]) => word).slice(0, MOST_WORDS)
  if (words.length === 0) return null
  if (term.startsWith(UPLOAD_KEY_PREFIX) && term.length > UPLOAD_KEY_PREFIX.length)
    return { words: [], whole, uuids: null, key: term }
  const digits = whole.replaceAll('-', '')
  const hex = /^[\da-f]+$/.test(digits) && digits.length >= LEAST_DIGITS && digits.length <= 32
  return {
    words,
    whole,
    uuids: hex ? { from: uuidOf(digits.padEnd(32, '0')), to: uuidOf(digits.padEnd(32, 'f')) } : null,
    key: null,
  }
}

const uuidOf = (digits: string) => digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
