import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { PassThrough, Writable } from 'node:stream'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allowLongBody, watchBodies, watchReaders } from './deadline.ts'

/** Well past every deadline below, and well short of the 20 s or more each slow request would take if none held. */
const PATIENT_MS = 10_000
const LARGE_BYTES = 64 * 1024 ** 2

let app: FastifyInstance
let port: number
beforeAll(async () => {
  // Node's own header deadline stays unchanged: a machine that halts for a moment would miss a short one.
  app = Fastify({ requestTimeout: 0 })
  watchBodies(app, { bodyMs: 400, silenceMs: 600, drainMs: 200 })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('text/plain', { parseAs: 'string' }, (_request, body, done) => done(null, body))
  app.addContentTypeParser('application/upload', (_request, _payload, done) => done(null))
  app.post('/plain', async (request) => ({ length: String(request.body).length }))
  app.post('/refused', async (_request, reply) => reply.code(422).send({}))
  app.post('/stuck', async (request, reply) => {
    request.raw.pipe(new Writable({ write: () => {} }))
    await new Promise((done) => setTimeout(done, 20))
    return reply.code(422).send({})
  })
  app.post('/long', async (request) => {
    allowLongBody(request)
    let length = 0
    for await (const chunk of request.raw) length += (chunk as Buffer).length
    return { length }
  })
  app.post('/growing', async (_request, reply) => {
    const answer = new PassThrough()
    let pieces = 0
    const timer = setInterval(() => {
      answer.write('x')
      if (++pieces < 15) return
      clearInterval(timer)
      answer.end('end')
    }, 100)
    return reply.type('text/event-stream').send(answer)
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  port = (app.server.address() as { port: number }).port
})
afterAll(() => app.close())

/** Sends the head, then a byte every `everyMs`. Returns what came back and how long the connection lived. */
function trickle(head: string, bytes: number, everyMs: number, to = port): Promise<{ answer: string; ms: number }> {
  return new Promise((done) => {
    const began = performance.now()
    const socket = connect(to, '127.0.0.1', () => socket.write(head))
    let answer = ''
    let sent = 0
    const timer = setInterval(() => {
      if (sent++ < bytes && socket.writable) socket.write('x')
    }, everyMs)
    socket.on('data', (chunk) => {
      answer += chunk
      if (/\r\n\r\n\{/.test(answer) && !answer.includes('422')) socket.end()
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      clearInterval(timer)
      done({ answer, ms: performance.now() - began })
    })
  })
}

const head = (path: string, type: string, length: number) =>
  `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: ${type}\r\ncontent-length: ${length}\r\n\r\n`

describe('slow requests', () => {
  it('are closed when the headers never end', async () => {
    const hurried = Fastify({ http: { headersTimeout: 300, connectionsCheckingInterval: 100 } })
    await hurried.listen({ port: 0, host: '127.0.0.1' })
    const { port: hurriedPort } = hurried.server.address() as { port: number }
    const { answer, ms } = await trickle('POST /plain HTTP/1.1\r\nhost: ', 1000, 50, hurriedPort)
    await hurried.close()
    expect(answer).toContain('408 Request Timeout')
    expect(ms).toBeLessThan(PATIENT_MS)
  })

  it('are closed when the body exceeds its deadline', async () => {
    const { answer, ms } = await trickle(head('/plain', 'text/plain', 1000), 1000, 20)
    expect(answer).toBe('')
    expect(ms).toBeGreaterThan(350)
    expect(ms).toBeLessThan(PATIENT_MS)
  })

  it('may take longer if long bodies are allowed', async () => {
    const { answer, ms } = await trickle(head('/long', 'application/upload', 30), 30, 50)
    expect(answer).toContain('{"length":30}')
    expect(ms).toBeGreaterThan(1200)
  })

  it('do not end a streamed answer once the body has arrived', async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/growing`, {
      method: 'POST',
      headers: { 'content-type': 'text/plain' },
      body: 'hello',
    })
    expect(await answer.text()).toBe(`${'x'.repeat(15)}end`)
  })

  it('are closed when a long body goes silent', async () => {
    const { answer, ms } = await trickle(head('/long', 'application/upload', 1000), 5, 50)
    expect(answer).toBe('')
    expect(ms).toBeGreaterThan(600)
    expect(ms).toBeLessThan(PATIENT_MS)
  })

  it('are closed soon after an early answer', async () => {
    const { answer, ms } = await trickle(head('/refused', 'application/upload', 1000), 1000, 20)
    expect(answer).toContain('422')
    expect(ms).toBeLessThan(PATIENT_MS)
  })

  it('are told that a body is too large even if they go on sending it', async () => {
    for (let time = 0; time < 10; time++) {
      const socket = connect(port, '127.0.0.1')
      const answered = once(socket, 'data')
      socket.write('POST /plain HTTP/1.1\r\nhost: x\r\ncontent-type: text/plain\r\ntransfer-encoding: chunked\r\n\r\n')
      for (let piece = 0; piece < 128; piece++) socket.write(`10000\r\n${' '.repeat(65_536)}\r\n`)
      expect(String((await answered)[0])).toContain('413')
      socket.on('error', () => {}).destroy()
    }
  })

  it('keep the connection usable when a refused request has arrived in full', async () => {
    const socket = connect(port, '127.0.0.1')
    socket.write(head('/stuck', 'application/upload', 300_000) + 'x'.repeat(300_000))
    const [refused] = await once(socket, 'data')
    expect(String(refused)).toContain('422')
    socket.write(`${head('/plain', 'text/plain', 5)}hello`)
    const [answer] = await once(socket, 'data')
    expect(String(answer)).toContain('{"length":5}')
    socket.destroy()
  })
})

/** A server with a large answer, and a reader that has requested it and says whom it asks for, as a proxy of `trustProxy` does. */
async function askForLarge(unreadMs: number, trustProxy = '192.0.2.1') {
  const large = Fastify({ trustProxy })
  watchReaders(large, unreadMs, PATIENT_MS)
  large.get('/large', async () => Buffer.alloc(LARGE_BYTES, 'x'))
  await large.listen({ port: 0, host: '127.0.0.1' })
  const accepted = once(large.server, 'connection')
  const { port: largePort } = large.server.address() as { port: number }
  const reader = connect(largePort, '127.0.0.1', () =>
    reader.write(`GET /large HTTP/1.1\r\nhost: x\r\nx-forwarded-for: 203.0.113.9\r\n\r\n`),
  )
  const [served] = (await accepted) as [Socket]
  const close = () => {
    reader.destroy()
    return large.close()
  }
  return { reader, served, close }
}

describe('clients that read an answer slowly', () => {
  it('are disconnected if they read nothing for a while', async () => {
    const { reader, served, close } = await askForLarge(500)
    reader.pause()
    await expect.poll(() => served.destroyed, { timeout: PATIENT_MS }).toBe(true)
    await close()
  })

  it('are our proxy’s business, which takes megabytes at a time', async () => {
    const { reader, served, close } = await askForLarge(500, 'loopback')
    reader.pause()
    await new Promise((done) => setTimeout(done, 2500))
    expect(served.destroyed).toBe(false)
    await close()
  })

  it('may take their time while they go on', async () => {
    // Reading half of it takes over three seconds, twice the unread limit, so a machine that halts for a moment does no harm.
    const { reader, served, close } = await askForLarge(1500)
    let read = 0
    reader.on('error', () => {}).on('readable', () => {})
    while (read <= LARGE_BYTES / 2 && !served.destroyed) {
      read += (reader.read(Math.min(1024 ** 2, reader.readableLength)) as Buffer | null)?.length ?? 0
      await new Promise((done) => setTimeout(done, 100))
    }
    await close()
    expect(read).toBeGreaterThan(LARGE_BYTES / 2)
  })
})
