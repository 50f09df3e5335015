import { nameInMessage } from '../text/name-in-message.ts'

/** The merge fields of a message: the wire name, and the placeholder a person sees and types. */
export const MERGE_FIELDS = {
  first_name: '{First Name}',
  last_name: '{Last Name}',
  pharmacy_name: '{Pharmacy Name}',
  pharmacy_address: '{Pharmacy Address}',
  pharmacy_number: '{Pharmacy Number}',
  consent_id: '{Consent ID}',
  trial_name: '{Trial Name}',
  trial_provider: '{Trial Provider}',
} as const
export type MergeField = keyof typeof MERGE_FIELDS
export const MERGE_FIELD_NAMES = Object.keys(MERGE_FIELDS) as readonly MergeField[]
/** The fields that an invitation to a clinical trial fills and nothing else does. */
const TRIAL_FIELDS: readonly MergeField[] = ['trial_name', 'trial_provider']
/** The fields with a patient's name. */
const NAMES: readonly MergeField[] = ['first_name', 'last_name']

export type MessagePart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'field'; readonly field: MergeField; readonly text: string }
  /** Braces around anything else, a field without its closing brace, or a single brace (also one of two around a field). */
  | { readonly kind: 'unknown'; readonly text: string }

export type MergeValues = Readonly<Partial<Record<MergeField, string | null>>>

const fold = (name: string) =>
  name
    .replace(/[\s_]+/g, ' ')
    .trim()
    .toLowerCase()

const BY_NAME = new Map(MERGE_FIELD_NAMES.map((field) => [fold(MERGE_FIELDS[field].slice(1, -1)), field]))

// Names may contain several spaces or underscores, as people and older templates write them.
const UNCLOSED = MERGE_FIELD_NAMES.map((field) => MERGE_FIELDS[field].slice(1, -1).replace(' ', '[\\s_]+')).join('|')
const BRACED = new RegExp(`\\{([^{}]*)\\}|\\{\\s*(?:${UNCLOSED})|[{}]`, 'gi')

/** The field a placeholder's inner text names, whatever its case and spacing ('first_name', 'First  Name'); undefined for none. */
export function fieldNamed(name: string): MergeField | undefined {
  return BY_NAME.get(fold(name))
}

/** A message as runs of plain text and fields, in order; joined, the parts are the message. Every brace outside a field is unknown. */
export function partsOfMessage(text: string): MessagePart[] {
  const parts: MessagePart[] = []
  let at = 0
  const plain = (to: number) => {
    if (to > at) parts.push({ kind: 'text', text: text.slice(at, to) })
  }
  for (const match of text.matchAll(BRACED)) {
    const inner = match[1]
    const field = inner === undefined ? undefined : fieldNamed(inner)
    plain(match.index)
    parts.push(field ? { kind: 'field', field, text: match[0] } : { kind: 'unknown', text: match[0] })
    at = match.index + match[0].length
  }
  plain(text.length)
  return parts
}

/** The distinct fields of a message, in order of first use. */
export function fieldsIn(text: string): MergeField[] {
  return [...new Set(partsOfMessage(text).flatMap((part) => (part.kind === 'field' ? [part.field] : [])))]
}

/**
 * Braces that are not a field, as written, each once: '{Frist Name}', '{First Name' without its closing brace, '{' and '}' around '{{First Name}}'.
 */
export function unknownFields(text: string): string[] {
  return [...new Set(partsOfMessage(text).flatMap((part) => (part.kind === 'unknown' ? [part.text] : [])))]
}

/** The fields of a message that only an invitation to a clinical trial can fill, as placeholders: '{Trial Name}'. In any other message they would be empty. */
export function trialFieldsIn(text: string): string[] {
  return fieldsIn(text)
    .filter((field) => TRIAL_FIELDS.includes(field))
    .map((field) => MERGE_FIELDS[field])
}

/** Every field in its canonical spelling: '{pharmacy name}' becomes '{Pharmacy Name}'. Everything else stays. */
export function canonicalFields(text: string): string {
  return partsOfMessage(text)
    .map((part) => (part.kind === 'field' ? MERGE_FIELDS[part.field] : part.text))
    .join('')
}

// Line ends and other controls could add lines or mail headers; direction marks could reverse text.
const CONTROLS = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu

/** A value as it may enter a message: one line, no control or direction marks, no braces (they become parentheses), trimmed. */
export function safeValue(value: string): string {
  return value.replace(CONTROLS, ' ').replaceAll('{', '(').replaceAll('}', ')').trim()
}

export interface RenderedMessage {
  readonly text: string
  /** Fields without a value. Each is left out together with the space before it. */
  readonly missing: readonly MergeField[]
}

/**
 * The message as one patient gets it. Values are inserted once and never parsed for fields. Unknown braces stay as
 * written; templates with unknown braces are refused earlier, so none are sent. The HTML layout escapes the text.
 */
export function renderMessage(text: string, values: MergeValues): RenderedMessage {
  const missing = new Set<MergeField>()
  let out = ''
  for (const part of partsOfMessage(text)) {
    if (part.kind !== 'field') {
      out += part.text
      continue
    }
    const given = safeValue(values[part.field] ?? '')
    const value = NAMES.includes(part.field) ? nameInMessage(given) : given
    if (value === '') {
      missing.add(part.field)
      while (out.endsWith(' ')) out = out.slice(0, -1)
    }
    out += value
  }
  return { text: out, missing: [...missing] }
}

/** A rendered subject line: like a message, but always one line, so that no value or template can add a mail header. */
export function renderSubject(text: string, values: MergeValues): RenderedMessage {
  const rendered = renderMessage(text, values)
  return { ...rendered, text: rendered.text.replace(CONTROLS, ' ').trim() }
}
