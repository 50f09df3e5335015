const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ensp: ' ',
  emsp: ' ',
  thinsp: ' ',
  lsquo: "'",
  rsquo: "'",
  sbquo: "'",
  prime: "'",
  ldquo: '"',
  rdquo: '"',
  bdquo: '"',
  ndash: '-',
  mdash: '-',
  minus: '-',
  shy: '',
  hellip: '...',
  bull: '-',
}

/** Word processor characters and the plain character for each, as regular expressions. */
const REPLACEMENTS: readonly (readonly [RegExp, string])[] = [
  [/\r\n?|[\u0085\u2028\u2029]/g, '\n'],
  [/[\u2018\u2019\u201a\u201b\u2032\u2035\u02bc\u00b4`]/g, "'"],
  [/[\u201c\u201d\u201e\u201f\u2033\u2036]/g, '"'],
  [/[\u2010-\u2015\u2212\u2043]/g, '-'],
  [/\u2026/g, '...'],
  [/[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\t]/g, ' '],
  // Zero-width space, soft hyphen and byte order mark: invisible, and each would double the cost of a text. Joiners stay for emoji.
  [/[\u00ad\u200b\u2060\ufeff]/g, ''],
]

function entity(_whole: string, name: string): string {
  // An unknown entity keeps one ampersand, so that '&amp;nosuch;' reads as its writer saw it: '&nosuch;'.
  const unread = `&${name};`
  if (!name.startsWith('#')) return NAMED[name] ?? unread
  const hexadecimal = name[1] === 'x' || name[1] === 'X'
  const code = hexadecimal ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10)
  const printable = code === 9 || code === 10 || code === 13 || (code >= 32 && code <= 0x10ffff)
  return printable && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : unread
}

// However often an entity was escaped ('&amp;amp;lt;'), its ampersands are decoded in one pass.
const ENTITY = /&(?:(?:amp|#0{0,4}38|#[xX]0{0,4}26);)*(#\d{1,7}|#[xX][\da-fA-F]{1,6}|[a-z]{2,6});/g
/** Maximum cleaning passes; only crafted text needs more. */
const MAX_PASSES = 10

function once(text: string): string {
  const decoded = text.normalize('NFC').replace(ENTITY, entity)
  return REPLACEMENTS.reduce((out, [from, to]) => out.replace(from, to), decoded)
}

/**
 * A message in plain characters: smart quotes, dashes, ellipsis, odd spaces and HTML entities replaced, lines ended by \n,
 * composed (NFC). Cleaning twice changes nothing more, so browser and server may both do it; double-escaped text is fully decoded.
 */
export function plainText(text: string): string {
  let before = text
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const after = once(before)
    if (after === before) break
    before = after
  }
  return before
}

/** A name or subject: plain characters, one line, trimmed. */
export function oneLine(text: string): string {
  return plainText(text)
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
}
