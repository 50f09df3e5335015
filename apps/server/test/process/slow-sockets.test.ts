import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { DEEP } from '../deep.ts'
import { type RunningPillar, startPillar, temporaryFolder } from '../running-pillar.ts'

/** Of each kind. */
const SOCKETS = 334
const CLOSED_WITHIN_MS = 30_000
/** As in /proc/net/tcp. */
const ESTABLISHED = '01'
const LOST_BODY_BYTES = 100 * 1024 ** 2

let folder: string
let pillar: RunningPillar
beforeAll(async () => {
  folder = await temporaryFolder('sockets')
  pillar = await startPillar({ DATA_DIR: folder, LOG_LEVEL: 'fatal' })
})
afterAll(async () => {
  await pillar.end('SIGTERM')
  await rm(folder, { recursive: true, force: true })
})

const port = () => Number(new URL(pillar.url).port)
const HEAD = 'host: localhost\r\ncontent-type: application/json\r\n'

/** Opens a connection, sends `begun`, and then `more` every second until the server closes it. */
async function slow(begun: string, more: string): Promise<Socket> {
  const socket = connect(port(), '127.0.0.1')
    .on('error', () => {})
    .resume()
  await once(socket, 'connect')
  socket.write(begun)
  const timer = setInterval(() => socket.writable && socket.write(more), 1_000)
  socket.on('close', () => clearInterval(timer))
  return socket
}

/** Requests more than the network buffers hold, and reads nothing. */
async function reader(): Promise<Socket> {
  const found = connect(port(), '127.0.0.1').on('error', () => {})
  await once(found, 'connect')
  found.write('GET /api/docs HTTP/1.1\r\nhost: localhost\r\n\r\n'.repeat(8))
  return found
}

const megabytes = () => {
  const [, pages] = readFileSync(`/proc/${pillar.process.pid}/statm`, 'utf8').split(' ')
  return (Number(pages) * 4096) / 1024 ** 2
}

/** 99th percentile of an ordinary user's waiting time, in milliseconds, until stopped. */
function ordinary(): () => Promise<number> {
  const took: number[] = []
  let going = true
  const asking = (async () => {
    while (going) {
      const began = performance.now()
      const answer = await fetch(`${pillar.url}/api/enterprise-login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{}',
      })
      await answer.text()
      expect(answer.status).toBe(422)
      took.push(performance.now() - began)
      await pause(20)
    }
  })()
  return async () => {
    going = false
    await asking
    return took.sort((a, b) => a - b)[Math.floor(took.length * 0.99)] as number
  }
}

/** Connections the server holds open. */
function held(): number {
  const own = `:${port().toString(16).toUpperCase().padStart(4, '0')}`
  const rows = readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
  return rows.filter(([, local, , state]) => local?.endsWith(own) && state === ESTABLISHED).length
}

describe('slow connections (T31)', () => {
  it.runIf(DEEP)(
    'a thousand at once are closed within 30 s, and nobody else waits for them (DEEP=1)',
    // A busy machine may miss a deadline once; a fault misses it twice.
    { timeout: 120_000, retry: process.env.CI ? 1 : 0 },
    async () => {
      const stop = ordinary()
      await pause(500)
      const before = held()
      const sockets: Socket[] = []
      onTestFinished(async () => {
        for (const socket of sockets) socket.destroy()
        await stop()
      })
      for (let at = 0; at < SOCKETS; at++)
        sockets.push(
          await slow(`POST /api/enterprise-login HTTP/1.1\r\n${HEAD}x-slow: `, 'a'),
          await slow(`POST /api/enterprise-login HTTP/1.1\r\n${HEAD}content-length: 4000\r\n\r\n{`, ' '),
          await reader(),
        )
      expect(held()).toBeGreaterThan(before + 2 * SOCKETS)
      const began = performance.now()
      while (held() > before + 2 && performance.now() - began < CLOSED_WITHIN_MS) await pause(500)
      expect(held()).toBeLessThanOrEqual(before + 2)
      expect(await stop()).toBeLessThan(500)
    },
  )

  // If a thousand are tried, these are among them.
  it.runIf(!DEEP)(
    'of each kind are closed within 30 s',
    { timeout: 60_000, retry: process.env.CI ? 1 : 0 },
    async () => {
      const sockets = [
        await slow(`POST /api/enterprise-login HTTP/1.1\r\n${HEAD}x-slow: `, 'a'),
        await slow(`POST /api/enterprise-login HTTP/1.1\r\n${HEAD}content-length: 4000\r\n\r\n{`, ' '),
        await reader(),
      ]
      onTestFinished(() => {
        for (const socket of sockets) socket.destroy()
      })
      expect(held()).toBe(sockets.length)
      await expect.poll(held, { timeout: CLOSED_WITHIN_MS, interval: 500 }).toBe(0)
    },
  )

  it('that send a hundred requests without waiting are closed before they get that many answers', async () => {
    let answers = ''
    const socket = connect(port(), '127.0.0.1')
      .on('error', () => {})
      .on('data', (chunk) => {
        answers += chunk
      })
    onTestFinished(() => void socket.destroy())
    await once(socket, 'connect')
    socket.write('GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n'.repeat(100))
    await Promise.race([once(socket, 'close'), pause(5_000)])
    expect(socket.closed).toBe(true)
    expect(answers.split('HTTP/1.1 200').length - 1).toBeLessThan(100)
  })

  it('that bring 100 MB get 413, and none of it is kept', { timeout: 60_000 }, async () => {
    const before = megabytes()
    const socket = connect(port(), '127.0.0.1')
    let [answer, most, sent] = ['', 0, 0]
    socket
      .on('error', () => {})
      .on('data', (chunk) => {
        answer += chunk
      })
    await once(socket, 'connect')
    socket.write(`POST /api/enterprise-login HTTP/1.1\r\n${HEAD}transfer-encoding: chunked\r\n\r\n`)
    const piece = `10000\r\n${' '.repeat(65_536)}\r\n`
    while (sent < LOST_BODY_BYTES && !socket.destroyed) {
      sent += 65_536
      if (!socket.write(piece)) await Promise.race([once(socket, 'drain').catch(() => {}), pause(1_000)])
      most = Math.max(most, megabytes())
    }
    await expect.poll(() => answer).toContain('413')
    expect(most - before).toBeLessThan(20)
    socket.destroy()
  })
})
