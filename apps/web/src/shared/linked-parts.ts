export interface TextPart {
  /** The start of the part: a key that never changes. */
  at: number
  text: string
  href?: string
}

/** Splits plain text at its http(s) addresses, so that a letter's links work. Nothing else becomes a link. */
export function linkedParts(text: string): TextPart[] {
  const parts: TextPart[] = []
  let from = 0
  for (const match of text.matchAll(/https?:\/\/[^\s<>"']+/g)) {
    // A full stop or bracket at the end belongs to the sentence.
    const href = match[0].replace(/[.,;:!?)\]]+$/, '')
    if (match.index > from) parts.push({ at: from, text: text.slice(from, match.index) })
    parts.push({ at: match.index, text: href, href })
    from = match.index + href.length
  }
  if (from < text.length) parts.push({ at: from, text: text.slice(from) })
  return parts
}
