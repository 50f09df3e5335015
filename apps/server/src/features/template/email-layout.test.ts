import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { emailOf } from './email-layout.ts'

const pharmacy = {
  name: 'Coventry & Sons <Pharmacy>',
  street_address: '12 High Street',
  town: 'Ballarat',
  region: 'VIC',
  postcode: '3350',
  phone_number: '(03) 5331 0000',
}
const parts = {
  body: 'Hello Ann,\nyour flu vaccine is here.\n\nBook at https://example.org/book?a=1&b=2.',
  subject: 'Flu vaccine',
  pharmacy,
  unsubscribeUrl: 'https://pillar.example/unsubscribe/abc',
  productName: 'Pillar',
}

const OWN_TAGS = new Set(
  '!doctype html head meta title style body table tr td div p span strong bdi a br hr h1'.split(' '),
)

/** Building blocks of attacks on markup, attributes, addresses and headers. */
const PIECES = [
  ...[
    '<script>',
    '</script>',
    '<img src=x onerror=alert(1)>',
    '"><svg onload=alert(1)>',
    "' onmouseover='x",
    '</title>',
  ],
  ...['<!--', '-->', ']]>', '&#60;script&#62;', '&lt;b&gt;', 'javascript:alert(1)', 'https://a.example/" onclick="x'],
  ...[
    'data:text/html,<script>',
    '\r\nBcc: x@y.example',
    '\n',
    '\0',
    '<',
    '>',
    '"',
    "'",
    '`',
    '=',
    ' ',
    '/',
    'a',
    '＜script＞',
  ],
  ...[
    '<iframe srcdoc="x">',
    '<a href="javascript:x">',
    '<style>*{}</style>',
    '{{7*7}}',
    '\u202e',
    '\u2028',
    '<ScRiPt\t>',
  ],
]

describe('the email of a message', () => {
  it('has text, sender identity and the unsubscribe link, in HTML and in plain text', () => {
    const { html, text, subject } = emailOf(parts)
    expect(subject).toBe('Flu vaccine')
    expect(html).toContain('<html lang="en-AU">')
    expect(html).toContain('Hello Ann,<br>your flu vaccine is here.</p>')
    expect(html).toContain('12 High Street, Ballarat VIC 3350')
    expect(html).toContain('href="tel:0353310000"')
    expect(html).toContain('href="https://pillar.example/unsubscribe/abc"')
    expect(text).toContain('Hello Ann,\nyour flu vaccine is here.')
    expect(text).toContain('Coventry & Sons <Pharmacy>\n12 High Street, Ballarat VIC 3350\n(03) 5331 0000')
    expect(text).toContain('Unsubscribe: https://pillar.example/unsubscribe/abc')
  })

  it('turns addresses into links, without a trailing full stop', () => {
    const { html } = emailOf(parts)
    expect(html).toContain('<a href="https://example.org/book?a=1&#38;b=2" ')
    expect(html).toContain('b=2</a>.</p>')
    expect(emailOf({ ...parts, body: 'javascript:alert(1) data:text/html,x' }).html).not.toMatch(
      /href="(javascript|data)/,
    )
  })

  it('escapes text, names and addresses in markup and headers (T36)', () => {
    const payload = fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 6 }).map((all) => all.join(''))
    fc.assert(
      fc.property(payload, (one) => {
        const names = { name: one, street_address: one, town: one, phone_number: one }
        const { html, subject } = emailOf({ ...parts, body: one, subject: one, pharmacy: names })
        // As a browser would read it: only tags that the layout itself writes, and no attribute that runs anything.
        const tags = [...html.matchAll(/<\/?([a-z!][a-z0-9]*)/gi)].map(([, name]) => name!.toLowerCase())
        expect(tags.filter((name) => !OWN_TAGS.has(name))).toEqual([])
        expect(html.match(/<[^>]*\son[a-z]+\s*=/i)).toBeNull()
        expect(html.match(/(?:href|src)=["']?\s*(?:javascript|data|vbscript):/i)).toBeNull()
        expect(subject).not.toMatch(/[\r\n]/)
      }),
      { numRuns: 300 },
    )
    expect(emailOf({ ...parts, subject: 'a\r\nBcc: all@example.org' }).subject).toBe('a Bcc: all@example.org')
    expect(emailOf({ ...parts, subject: '' }).subject).toBe('A message from Coventry & Sons <Pharmacy>')
  })

  it('isolates a right-to-left name, and lets each paragraph run in its own direction', () => {
    const { html, text } = emailOf({ ...parts, pharmacy: { name: 'صيدلية النور' } })
    expect(html).toContain('<p dir="auto" ')
    expect(html).toContain('a patient of <bdi>صيدلية النور</bdi>. Sent with Pillar.')
    expect(text).toContain('a patient of \u2068صيدلية النور\u2069. Sent with Pillar.')
  })

  it('works without address and telephone, and loads nothing', () => {
    const { html, text } = emailOf({ ...parts, pharmacy: { name: 'Corner' } })
    expect(html).not.toContain('tel:')
    expect(html).not.toMatch(/src=|url\(|@import|<link/)
    expect(text).toContain('-- \nCorner\n\nYou receive')
  })
})
