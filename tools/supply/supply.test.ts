import { expect, it } from 'vitest'
import { type Locked, lockBreaches } from './lock.ts'
import { bitsOf, secretsIn } from './secrets.ts'

const GOOD: Locked = { version: '1.0.0', integrity: 'sha512-abc', license: '(MIT OR Apache-2.0)' }
const breaches = (one: Locked) => lockBreaches({ 'node_modules/x': { ...GOOD, ...one } }, { known: true })

it('a lock with checksums from a registry passes', () => {
  expect(breaches({ dependencies: { y: '^1.0.0', z: 'npm:y@1' } })).toEqual([])
  // A part for another platform.
  expect(breaches({ integrity: undefined, optional: true })).toEqual([])
  expect(lockBreaches({ 'node_modules/known': { ...GOOD, hasInstallScript: true } }, { known: true })).toEqual([])
})

it('each way around the registry is found', () => {
  expect(breaches({ integrity: undefined })).toEqual(['node_modules/x has no checksum.'])
  expect(breaches({ integrity: 'sha1-abc' })[0]).toMatch('weak checksum')
  expect(breaches({ resolved: 'https://host.example/x.tgz' })[0]).toMatch('names where it was fetched')
  expect(breaches({ hasInstallScript: true })[0]).toMatch('which nobody approved')
  expect(breaches({ license: 'MIT AND GPL-3.0-only' })[0]).toMatch('the licence MIT AND GPL-3.0-only')
  for (const from of ['git+ssh://git@host.example/x', 'https://host.example/x.tgz', 'github:a/b', 'a/b', 'file:../x'])
    expect(breaches({ dependencies: { y: from } }), from).toHaveLength(1)
})

/** Assembled here, so that the scan does not find it in this file. */
const planted = (...parts: string[]) => parts.join('')

it('a planted secret of each kind is found, with its line, and is not repeated', () => {
  const body = 'aB3dE5gH7jK9mN1pQ2sT4vW6xY8zA0cD2eF4'
  const secrets = [
    planted('AK', 'IA', 'QWERTYUIOPASDFGH'),
    planted('gh', 'p_', body),
    planted('npm', '_', body),
    planted('-----BEGIN ', 'PRIVATE KEY-----\n', body),
    planted('sk-', 'proj-', body),
    planted('S', 'K', '0123456789abcdef0123456789abcdef'),
    planted('AS', 'IA', 'QWERTYUIOPASDFGH'),
    planted('github', '_pat_', body, body),
    planted('xox', 'b-', body),
    planted('sk_', 'live_', body),
    planted('S', 'G.', body.slice(0, 22), '.', body, 'aB3dE5gH7'),
    planted('AI', 'za', body.slice(0, 35)),
    planted('ey', 'J', body, '.ey', 'J', body, '.', body),
    planted('-----BEGIN RSA ', 'PRIVATE KEY-----\n', body),
    planted('pass', 'word = "', 'h7Gk2Lq9Zx4Wv8Tn1Rm6Pd', '"'),
  ]
  for (const secret of secrets) {
    const [found, ...more] = secretsIn(`one\ntwo\n${secret}\n`, new Set())
    expect(found, secret).toMatch(/, line 3$/)
    expect(more).toEqual([])
    expect(found).not.toContain(body)
  }
  expect(secretsIn(`token: ${planted('h7Gk2Lq9Zx4W', 'v8Tn1Rm6Pd')}`, new Set(['h7Gk2Lq9Zx4Wv8Tn1Rm6Pd']))).toEqual([])
})

it('words are not secrets', () => {
  expect(secretsIn('password: "Pillar-demo-2026", token = request.headers.authorization', new Set())).toEqual([])
  expect(secretsIn('secret: the-secret-part-of-the-link', new Set())).toEqual([])
  expect(bitsOf('aaaa')).toBeCloseTo(0)
  expect(bitsOf('abcd')).toBe(2)
})
