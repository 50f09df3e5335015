import { once } from 'node:events'
import { connect } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { limitPipelining } from './pipelining.ts'

let app: FastifyInstance
let answered = 0
beforeAll(async () => {
  app = Fastify()
  limitPipelining(app, 4)
  app.get('/', async () => {
    await new Promise((done) => setTimeout(done, 50))
    answered++
    return 'here'
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => app.close())

const open = () => connect((app.server.address() as { port: number }).port, '127.0.0.1')
const GET = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n'

it('a connection may send a few requests ahead, and continue when it has its answers', async () => {
  const socket = open()
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  for (const answers of [4, 8, 12]) {
    socket.write(GET.repeat(4))
    await expect.poll(() => text.split('here').length - 1).toBe(answers)
  }
  socket.destroy()
})

it('a connection that sends a thousand requests at once is closed, and none of the rest are started', async () => {
  const before = answered
  const socket = open()
  socket.on('error', () => {}).resume()
  socket.write(GET.repeat(1_000))
  await once(socket, 'close')
  await new Promise((done) => setTimeout(done, 100))
  expect(answered - before).toBeLessThanOrEqual(4)
})
