import { describe, expect, test } from 'vitest'
import { isLoopbackName, WEB_ADDRESS_LIMIT, webAddress } from './web-address.ts'

describe('a web address', () => {
  test('is kept in its normal spelling', () => {
    expect(webAddress(' https://meridian-trials.example ')).toBe('https://meridian-trials.example/')
    expect(webAddress('HTTPS://Meridian-Trials.example/Privacy?v=2#top')).toBe(
      'https://meridian-trials.example/Privacy?v=2#top',
    )
    expect(webAddress('https://bücher.example/logo.svg')).toBe('https://xn--bcher-kva.example/logo.svg')
    expect(webAddress('https://www.example:443/')).toBe('https://www.example/')
    const longest = `https://meridian-trials.example/${'a'.repeat(WEB_ADDRESS_LIMIT - 32)}`
    expect([longest.length, webAddress(longest)]).toEqual([WEB_ADDRESS_LIMIT, longest])
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
    'https://meridian-trials.example\\privacy',
    'https://[meridian-trials.example',
    '//meridian-trials.example',
    'https://user:secret@meridian-trials.example',
    'https://bank.example@meridian-trials.example/',
    'https://:secret@meridian-trials.example/',
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
    'https://127.0.0.1:443/',
    'https://127.0.0.1./',
    'https://0/',
    'https://0.0.0.0/',
    'https://017700000001/',
    'https://0x7f.0.0.1/',
    'https://0x7F.1/',
    'https://127.0.1/',
    'https://２１３０７０６４３３/',
    'https://①②⑦.0.0.1/',
    'https://127。0。0。1/',
    'https://10.0.0.5/',
    'https://192.168.1.1/',
    'https://172.16.0.1/',
    'https://100.100.100.200/latest/meta-data',
    'https://2852039166/',
    'https://0xa9fea9fe/',
    'https://0251.0376.0251.0376/',
    'https://[::]/',
    'https://[::127.0.0.1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[0:0:0:0:0:ffff:a9fe:a9fe]/',
    'https://[fe80::1]/',
    'https://[fd00:ec2::254]/latest/meta-data',
    'https://[64:ff9b::7f00:1]/',
    'https://LOCALHOST/',
    'https://app.localhost/',
    'https://localhost./',
    'https://meridian-trials.example.local/',
    'https://intranet/',
    'https://nas.home/',
    'https://db.corp/',
    'https://xyz.onion/',
    'https://meridian trials.example/',
    'https://meridian-trials.example/\u202egnp.exe',
    'https://mer\tidian.example/',
    `https://meridian-trials.example/${'a'.repeat(WEB_ADDRESS_LIMIT)}`,
  ])('is never %j', (text) => {
    expect(webAddress(text)).toBeNull()
  })
})

test('a name of this machine is nobody else’s: passwords go there in the clear', () => {
  for (const name of ['localhost', '127.0.0.1', '127.8.9.10', '[::1]']) expect(isLoopbackName(name), name).toBe(true)
  for (const name of [
    'localhost.example',
    'mylocalhost',
    '127.example',
    '127.0.0.1.example',
    'x127.0.0.1',
    '[::1].example',
  ])
    expect(isLoopbackName(name), name).toBe(false)
})
