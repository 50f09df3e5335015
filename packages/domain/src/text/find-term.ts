import { UPLOAD_KEY_PREFIX } from '../upload/upload-key.ts'

/** The letters of an upload key that may be searched for. The rest is secret and is removed before anything is sent. */
const KEY_LETTERS = 6

/** A term with only as much of an upload key as it takes to find the pharmacy. */
export function withoutWholeKey(term: string): string {
  const at = term.indexOf(UPLOAD_KEY_PREFIX)
  return at < 0 ? term.trim() : term.slice(at, at + UPLOAD_KEY_PREFIX.length + KEY_LETTERS).trim()
}

/** What a search term may mean. */
export interface FindTerm {
  /** The words of a name, lower case; empty for a key. */
  words: readonly string[]
  /** The whole term, in lower case. */
  whole: string
  /** The range of uuids that begin with it; null if it is too short or not hexadecimal. */
  uuids: { from: string; to: string } | null
  /** The beginning of an upload key. */
  key: string | null
}

const MOST_WORDS = 8
/** Anything with fewer hexadecimal digits may well be a word. */
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
