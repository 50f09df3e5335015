/** A JSON object without a prototype: a key such as "__proto__" or "constructor" is a key like any other. */
export interface JsonObject {
  readonly [key: string]: Json | undefined
}
export type Json = null | boolean | number | string | readonly Json[] | JsonObject

/** Why a text is not trustworthy JSON: a sentence that follows the name of the line. */
export class JsonFault extends Error {}

/** FHIR nests about ten deep; contained resources and extensions a few more. */
export const MAX_DEPTH = 60

/**
 * Reads JSON more strictly than JSON.parse. It refuses a key that occurs twice in an object, half a character (a lone surrogate), a NUL and
 * nesting deeper than 60, because different programs read these differently.
 * @throws JsonFault saying what is wrong and at which character
 */
export function parseJson(text: string): Json {
  const reader = new Reader(text)
  const value = reader.value(0)
  reader.end()
  return value
}

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const WORDS: readonly (readonly [string, Json])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
]
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what JSON forbids within a string
const CONTROL = /[\u0000-\u001f]/
const QUOTE = 34
const BACKSLASH = 92

class Reader {
  readonly text: string
  /** Whether a string can hold a control character: tabs between values are allowed, so this is only a hint. */
  readonly doubtful: boolean
  at = 0
  /** The position of the next backslash, so that strings without one are used directly. */
  slash: number

  constructor(text: string) {
    this.text = text
    this.doubtful = CONTROL.test(text)
    this.slash = this.slashFrom(0)
  }

  value(depth: number): Json {
    this.blanks()
    const char = this.text[this.at]
    if (char === '{') return this.object(depth + 1)
    if (char === '[') return this.array(depth + 1)
    if (char === '"') return this.string()
    for (const [word, value] of WORDS) {
      if (!this.text.startsWith(word, this.at)) continue
      this.at += word.length
      return value
    }
    return this.number()
  }

  end(): void {
    this.blanks()
    if (this.at < this.text.length) this.fail('has more text after its end')
  }

  private object(depth: number): JsonObject {
    this.deeper(depth)
    const made: Record<string, Json> = Object.create(null)
    if (this.closes('}')) return made
    for (;;) {
      this.blanks()
      if (this.text[this.at] !== '"') this.fail('lacks a key in quotes')
      const key = this.string()
      // Without a prototype, "in" sees only own keys.
      if (key in made) this.fail(`has the key "${key.slice(0, 40)}" twice in one object, the second`)
      this.blanks()
      if (this.text[this.at] !== ':') this.fail('lacks a colon')
      this.at++
      made[key] = this.value(depth)
      if (this.more('}')) continue
      return made
    }
  }

  private array(depth: number): Json[] {
    this.deeper(depth)
    const made: Json[] = []
    if (this.closes(']')) return made
    for (;;) {
      made.push(this.value(depth))
      if (this.more(']')) continue
      return made
    }
  }

  private deeper(depth: number): void {
    if (depth > MAX_DEPTH) this.fail(`is nested more than ${MAX_DEPTH} deep`)
    this.at++
  }

  /** Whether an empty object or array ends here. */
  private closes(bracket: string): boolean {
    this.blanks()
    if (this.text[this.at] !== bracket) return false
    this.at++
    return true
  }

  /** Whether another member follows; otherwise the bracket has closed. */
  private more(bracket: string): boolean {
    this.blanks()
    const char = this.text[this.at]
    if (char !== ',' && char !== bracket) this.fail(`lacks a comma or ${bracket}`)
    this.at++
    return char === ','
  }

  private string(): string {
    const from = this.at + 1
    if (this.slash < from) this.slash = this.slashFrom(from)
    const close = this.text.indexOf('"', from)
    if (close >= 0 && close < this.slash) {
      const plain = this.text.slice(from, close)
      if (this.doubtful && CONTROL.test(plain))
        this.fail('has a control character in a text; JSON writes it as \\n or \\t')
      this.at = close + 1
      return plain
    }
    return this.escaped(from)
  }

  private escaped(from: number): string {
    let end = from
    for (;;) {
      const code = this.text.charCodeAt(end)
      if (Number.isNaN(code)) this.fail('ends within a text')
      if (code === QUOTE) break
      end += code === BACKSLASH ? 2 : 1
    }
    let value: string
    try {
      value = JSON.parse(this.text.slice(from - 1, end + 1)) as string
    } catch {
      return this.fail('has a text with an escape or a control character that JSON does not allow')
    }
    if (!value.isWellFormed()) this.fail('has half a character (a lone surrogate such as \\ud83d) in a text')
    if (value.includes('\0')) this.fail('has a NUL (\\u0000) in a text')
    this.at = end + 1
    return value
  }

  private number(): number {
    NUMBER.lastIndex = this.at
    const match = NUMBER.exec(this.text)
    if (!match) return this.fail(this.at >= this.text.length ? 'ends too early' : 'has no value')
    this.at += match[0].length
    return Number(match[0])
  }

  private blanks(): void {
    for (;;) {
      const code = this.text.charCodeAt(this.at)
      if (code !== 32 && code !== 9 && code !== 13 && code !== 10) return
      this.at++
    }
  }

  private slashFrom(from: number): number {
    const found = this.text.indexOf('\\', from)
    return found < 0 ? Number.POSITIVE_INFINITY : found
  }

  private fail(what: string): never {
    throw new JsonFault(`${what} at character ${this.at + 1}`)
  }
}

/** Why a line is not JSON, if it is one of two common mistakes; null otherwise. */
export function otherThanJson(text: string): string | null {
  if (/^\s*[{[]\s*$/.test(text)) return 'goes on over the next lines: NDJSON has each resource whole on one line'
  return text.trimStart().startsWith('<') ? 'is XML: send FHIR as JSON, one resource on each line' : null
}
