import { canonicalFields, MERGE_FIELDS, type MergeField, partsOfMessage } from '@pillar/domain/message/merge-field'
import { plainText } from '@pillar/domain/text/plain-text'

/** The fields every message may contain; those of clinical trials have no value in a campaign. */
export const CAMPAIGN_FIELDS: readonly MergeField[] = [
  'first_name',
  'last_name',
  'pharmacy_name',
  'pharmacy_address',
  'pharmacy_number',
]

/** A field's name on its chip: 'First Name'. */
export function fieldLabel(field: MergeField): string {
  return MERGE_FIELDS[field].slice(1, -1)
}

export interface ChipRange {
  from: number
  to: number
  /** The field's name, or the text in braces if it is not a field. */
  label: string
  known: boolean
}

/** The positions of chips in a message: each field, and everything in braces that is not one. Offsets are UTF-16, as the editor counts. */
export function chipRanges(text: string): ChipRange[] {
  const ranges: ChipRange[] = []
  let at = 0
  for (const part of partsOfMessage(text)) {
    const to = at + part.text.length
    if (part.kind === 'field') ranges.push({ from: at, to, label: fieldLabel(part.field), known: true })
    if (part.kind === 'unknown') ranges.push({ from: at, to, label: part.text, known: false })
    at = to
  }
  return ranges
}

/** Pasted or dropped text as inserted: plain characters, line ends as \n, fields in their canonical spelling. */
export function pastedText(text: string): string {
  return canonicalFields(plainText(text))
}

export interface FieldQuery {
  /** The position of the brace that the field will replace. */
  from: number
  typed: string
}

/** The open brace before the cursor, with the text typed since; null if none is open. */
export function queryAt(text: string, cursor: number): FieldQuery | null {
  const line = text.slice(text.lastIndexOf('\n', cursor - 1) + 1, cursor)
  const match = /\{([A-Za-z_ ]{0,20})$/.exec(line)
  if (!match || text[cursor] === '}') return null
  return { from: cursor - match[0].length, typed: match[1]! }
}

/** The offered fields whose name contains every typed word, ignoring case. */
export function fieldsMatching(offered: readonly MergeField[], typed: string): MergeField[] {
  const words = typed
    .toLowerCase()
    .split(/[\s_]+/)
    .filter(Boolean)
  return offered.filter((field) => words.every((word) => fieldLabel(field).toLowerCase().includes(word)))
}

/** A field's placeholder with a space to separate it from the surrounding words. */
export function insertionOf(field: MergeField, before: string, after: string): string {
  const lead = /[\p{L}\p{N}}.,;:!?]$/u.test(before) ? ' ' : ''
  const tail = /^[\p{L}\p{N}{]/u.test(after) ? ' ' : ''
  return `${lead}${MERGE_FIELDS[field]}${tail}`
}
