import { describe, expect, it } from 'vitest'
import { agentFamily } from './agent.ts'

const MOZILLA = 'Mozilla/5.0'
const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)'

describe('the family of a browser', () => {
  it.each([
    [`${MOZILLA} (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0`, 'Firefox on Windows'],
    [`${MOZILLA} (X11; Linux x86_64) ${WEBKIT} Chrome/142.0.0.0 Safari/537.36`, 'Chrome on Linux'],
    [`${MOZILLA} (Windows NT 10.0) ${WEBKIT} Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0`, 'Edge on Windows'],
    [`${MOZILLA} (Linux; Android 15) ${WEBKIT} Chrome/142.0.0.0 Mobile Safari/537.36`, 'Chrome on Android'],
    [
      `${MOZILLA} (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1`,
      'Safari on iOS',
    ],
    [`${MOZILLA} (Macintosh; Intel Mac OS X 10_15_7) Something/1.0`, 'A browser on macOS'],
    [`${MOZILLA} (Windows NT 10.0) ${WEBKIT} Chrome/142.0.0.0 Safari/537.36 OPR/126.0.0.0`, 'Opera on Windows'],
    ['curl/8.5.0', 'A program'],
    ['python-requests/2.32 (Linux)', 'A program'],
    ['', null],
    [null, null],
  ])('%s', (agent, family) => {
    expect(agentFamily(agent)).toBe(family)
  })

  it('leaves out the version', () => {
    expect(agentFamily(`${MOZILLA} (X11; Linux x86_64) ${WEBKIT} Chrome/142.0.0.0 Safari/537.36`)).not.toMatch(/\d/)
  })
})
