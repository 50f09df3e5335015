import { describe, expect, test } from 'vitest'
import { WEB_ADDRESS_LIMIT, webAddress } from './web-address.ts'

describe('a web address', () => {
  test('is kept in its normal spelling', () => {
    expect(webAddress(' https://meridian-trials.example ')).toBe('https://meridian-trials.example/')
    expect(webAddress('HTTPS://Meridian-Trials.example/Privacy?v=2#top')).toBe(
      'https://meridian-trials.example/Privacy?v=2#top',
    )
    expect(webAddress('https://bücher.example/logo.svg')).toBe('https://xn--bcher-kva.example/logo.svg')
    expect(webAddress('https://www.example:443/')).toBe('https://www.example/')
  })

  test.each([
    '',
    'meridian-trials.example',
    'http://meridian-trials.example',
    'javascript:alert(1)',
    'JaVaScRiPt://meridian-trials.example/%0aalert(1)',
    'java\nscript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'file:///etc/passwd',
    'ftp://meridian-trials.example',
    'https:meridian-trials.example',
    'https:///meridian-trials.example',
    'https:\\\\meridian-trials.example',
    '//meridian-trials.example',
    'https://user:secret@meridian-trials.example',
    'https://meridian-trials.example@203.0.113.9/',
    'https://meridian-trials.example:8443/',
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0177.0.0.1/',
    'https://127.1/',
    'https://[::1]/',
    'https://[::ffff:169.254.169.254]/',
    'https://169.254.169.254/latest/meta-data',
    'https://localhost/',
    'https://pillar/',
    'https://router.local/',
    'https://metadata.google.internal/',
    'https://metadata.google.internal./',
    'https://meridian trials.example/',
    'https://meridian-trials.example/\u202egnp.exe',
    'https://mer\tidian.example/',
    `https://meridian-trials.example/${'a'.repeat(WEB_ADDRESS_LIMIT)}`,
  ])('is never %j', (text) => {
    expect(webAddress(text)).toBeNull()
  })
})
