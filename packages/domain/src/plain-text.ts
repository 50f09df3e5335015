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

/** What a word processor puts in, and the plain character meant, each set as a regular expression. */
const REPLACEMENTS: readonly (readonly [RegExp, string])[] = [
  [/\r\n?|[\u0085\u2028\u2029]/g, '\n'],
  [/[\u2018\u2019\u201a\u201b\u2032\u2035\u02bc\u00b4`]/g, "'"],
  [/[\u201c\u201d\u201e\u201f\u2033\u2036]/g, '"'],
  [/[\u2010-\u2015\u2212\u2043]/g, '-'],
  [/\u2026/g, '...'],
  [/[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\t]/g, ' '],
  // Zero-width space, soft hyphen and byte order mark: unseen, and each would make a text cost twice. Joiners stay for emoji.
  [/[\u00ad\u200b\u2060\ufeff]/g, ''],
]

function entity(_whole: string, name: string): string {
  // Of an entity nobody knows one ampersand stays, so that '&amp;nosuch;' is what its writer saw: '&nosuch;'.
  const unread = `&${name};`
  if (!name.startsWith('#')) return NAMED[name] ?? unread
  const hexadecimal = name[1] === 'x' || name[1] === 'X'
  const code = hexadecimal ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10)
  const printable = code === 9 || code === 10 || code === 13 || (code >= 32 && code <= 0x10ffff)
  return printable && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : unread
}

// However often an entity was escaped ('&amp;amp;lt;'), its ampersands are read in one go.
const ENTITY = /&(?:(?:amp|#0{0,4}38|#[xX]0{0,4}26);)*(#\d{1,7}|#[xX][\da-fA-F]{1,6}|[a-z]{2,6});/g
/** Passes after which cleaning stops: more are needed only by text made to need them. */
const MAX_PASSES = 10

function once(text: string): string {
  const decoded = text.normalize('NFC').replace(ENTITY, entity)
  return REPLACEMENTS.reduce((out, [from, to]) => out.replace(from, to), decoded)
}

/**
 * A message in plain characters: smart quotes, dashes, ellipsis, odd spaces and HTML entities replaced, lines ended by \n,
 * composed (NFC). Cleaning twice changes nothing more, so browser and server may both do it; text escaped twice is decoded whole.
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

/** A name or subject: in plain characters, on one line, without space at its ends. */
export function oneLine(text: string): string {
  return plainText(text)
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
}
