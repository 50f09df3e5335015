import { contract } from '@pillar/contract'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { framesOf, reportError } from './report-error.ts'

const ORIGIN = 'https://pillar.example'

describe('the positions of an error', () => {
  test('are read from the stacks of every browser', () => {
    const file = '/assets/portal-a1.js'
    const chromium = `TypeError: x of Ines\n    at render (${ORIGIN}${file}:1:20)\n    at ${ORIGIN}${file}:3:4`
    const firefox = `render@${ORIGIN}${file}:1:20\n@${ORIGIN}${file}:3:4`
    for (const stack of [chromium, firefox]) {
      expect(framesOf(stack, ORIGIN)).toEqual([
        { file, line: 1, column: 20, function: 'render' },
        { file, line: 3, column: 4, function: '' },
      ])
    }
  })
  test('are only those in our own files', () => {
    const stack = [
      'Error: tok_secret',
      '    at x (https://elsewhere.example/assets/a.js:1:1)',
      '    at x (https://others.example/assets/a.js:1:1)',
      `    at y (${ORIGIN}/reset-password/tok_secret:1:1)`,
      `    at Ines Moran, +61400 (${ORIGIN}/assets/a.js:1:1)`,
      `    at z (${ORIGIN}/assets/a.js?tok_secret:1:1)`,
    ]
    expect(framesOf(stack.join('\n'), ORIGIN)).toEqual([])
  })
})

describe('an error report', () => {
  afterEach(() => vi.unstubAllGlobals())
  test('has the route and not its address, once for each position, at most five; refusals are not reported', () => {
    const sent: string[] = []
    const location = { origin: ORIGIN, pathname: '/en_gb/reset-password/tok_secret' }
    vi.stubGlobal('window', { location })
    vi.stubGlobal('fetch', async (path: string, { body }: { body: string }) => {
      sent.push(`${path} ${body}`)
    })
    const thrown = (name: string, at: number) => {
      const error = new Error('tok_secret of Ines')
      return Object.assign(error, { name, stack: `${name}: tok_secret\n    at f (${ORIGIN}/assets/a.js:1:${at})` })
    }
    reportError(thrown('TypeError', 1))
    reportError(thrown('TypeError', 1))
    reportError(thrown('RefusedError', 2))
    reportError(thrown('AbortError', 3))
    reportError('tok_secret')
    const frames = [{ file: '/assets/a.js', line: 1, column: 1, function: 'f' }]
    expect(sent).toEqual([
      `${contract.portal.reportError.path} ${JSON.stringify({ name: 'TypeError', page: '/reset-password/{id}', frames })}`,
    ])
    for (let at = 2; at < 20; at++) reportError(thrown('TypeError', at))
    expect(sent).toHaveLength(5)
    expect(sent.join()).not.toContain('tok_secret')
  })
})
