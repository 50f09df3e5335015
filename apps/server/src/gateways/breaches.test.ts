import { createHash } from 'node:crypto'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Peer, startPeer } from '../../test/outside/peer.ts'
import { openBreaches } from './breaches.ts'

const PASSWORD = 'two magpies on the fence'
const sha1 = (text: string) => createHash('sha1').update(text, 'utf8').digest('hex').toUpperCase()
const padding = Array.from({ length: 50 }, (_, index) => `${sha1(`padding ${index}`).slice(5)}:0`)

/** The requests since the start of the test. */
let peer: Peer
let logged: { level: number; reason?: string; msg: string }[]
const log = pino({ base: null }, { write: (line) => void logged.push(JSON.parse(line)) })

/** A server that speaks the range protocol: answers every prefix with these passwords and their counts, padded. */
const range = (...known: [password: string, times: number][]) => {
  peer.answer = (heard, response) => {
    const prefix = /^\/range\/([0-9A-F]{5})$/.exec(heard.url.pathname)?.[1]
    const rows = known.map(([password, times]) => `${sha1(password).slice(5)}:${times}`)
    response.writeHead(prefix ? 200 : 400, { 'content-type': 'text/plain' })
    response.end([...padding, ...rows, ...padding].join('\r\n'))
    return undefined
  }
}
const open = (limitMs?: number) => openBreaches({ BREACHED_PASSWORDS_URL: `${peer.url}/range/` }, log, limitMs)

beforeAll(async () => {
  peer = await startPeer()
})
afterAll(() => peer.close())
beforeEach(() => {
  peer.heard.length = 0
  logged = []
})

describe('breached passwords', () => {
  it('are found by the range of their hash', async () => {
    range(['hunter', 5], [PASSWORD, 3])
    expect(await open().hold(PASSWORD)).toBe(true)
    expect(await open().hold('three herons over Ballarat')).toBe(false)
    expect(logged).toEqual([])
  })

  it('are looked up by five digits only, with padding', async () => {
    range([PASSWORD, 3])
    await open().hold('grüne Wellensittiche im Wald')
    const [heard] = peer.heard
    const hash = sha1('grüne Wellensittiche im Wald')
    expect(heard).toMatchObject({ method: 'GET', body: '' })
    expect(heard!.url.pathname).toBe(`/range/${hash.slice(0, 5)}`)
    expect(heard!.headers['add-padding']).toBe('true')
    const all = JSON.stringify([heard!.url.href, heard!.headers])
    expect(all).not.toContain(hash.slice(5))
    expect(all).not.toContain('cookie')
  })

  it('are never matched by padding lines, and match in any letter case', async () => {
    range([PASSWORD, 0])
    expect(await open().hold(PASSWORD)).toBe(false)
    peer.answer = (_heard, response) => void response.end(`${sha1(PASSWORD).slice(5).toLowerCase()}:1\n`)
    expect(await open().hold(PASSWORD)).toBe(true)
  })

  it('are not looked up when no service is set', async () => {
    expect(await openBreaches({}, log).hold(PASSWORD)).toBe(false)
    expect([peer.heard, logged]).toEqual([[], []])
  })

  const answers: [string, RegExp, Peer['answer']][] = [
    ['an error', /status 503/, (_heard, response) => void response.writeHead(503).end('busy')],
    ['a redirect', /./, (_heard, response) => void response.writeHead(302, { location: '/range/00000' }).end()],
    [
      'a page',
      /not in the form/,
      (_heard, response) => void response.end('<html>Please sign in to the wireless</html>'),
    ],
    ['nothing', /empty/, (_heard, response) => void response.end()],
    ['no end', /too long/, (_heard, response) => void response.end('A'.repeat(2_000_000))],
    ['a broken connection', /./, () => false],
  ]
  it.each(answers)('are accepted, with a log line, when the service answers with %s', async (_what, reason, answer) => {
    peer.answer = answer
    expect(await open().hold(PASSWORD)).toBe(false)
    expect(logged).toHaveLength(1)
    expect(logged[0]).toMatchObject({ level: 40, reason: expect.stringMatching(reason) })
    expect(JSON.stringify(logged)).not.toContain(PASSWORD)
    expect(JSON.stringify(logged)).not.toContain(sha1(PASSWORD).slice(0, 5))
  })

  it('are accepted after two seconds when the service hangs', async () => {
    const hangs: Peer['answer'][] = [
      () => new Promise(() => {}),
      (_heard, response) => {
        response.write(`${padding[0]}\r\n`)
        return new Promise(() => {})
      },
    ]
    for (const answer of hangs) {
      peer.answer = answer
      const began = performance.now()
      expect(await open(150).hold(PASSWORD)).toBe(false)
      expect(performance.now() - began).toBeLessThan(10_000)
      expect(logged.pop()?.reason).toBe('it did not answer within 0.15 seconds')
    }
    const began = performance.now()
    await open().hold(PASSWORD)
    expect(performance.now() - began).toBeGreaterThan(1_900)
    expect(performance.now() - began).toBeLessThan(20_000)
  })

  it('are accepted when the service is down', async () => {
    const gone = await startPeer()
    await gone.close()
    expect(await openBreaches({ BREACHED_PASSWORDS_URL: gone.url }, log).hold(PASSWORD)).toBe(false)
    expect(logged[0]).toMatchObject({ level: 40, reason: 'ECONNREFUSED' })
  })
})
