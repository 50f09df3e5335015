import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'
import { httpCall } from './http-call.ts'

/** A server in a thread of its own, which goes on while this one sleeps; asked, it tells how many requests it got. */
const SERVER = `
  const { parentPort } = require('node:worker_threads')
  let heard = 0
  const server = require('node:http').createServer((_request, response) => { heard++; response.end() })
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port))
  parentPort.on('message', () => parentPort.postMessage(heard))`

it('nothing leaves a process that slept while it was connecting: another may have sent it meanwhile', async () => {
  const server = new Worker(SERVER, { eval: true })
  const [port] = await once(server, 'message')
  const call = httpCall({ method: 'POST', url: `http://127.0.0.1:${port}/`, headers: {}, body: 'a text' })
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 4_500)
  await expect(call).rejects.toMatchObject({ left: false, message: 'it did not accept the connection in time' })
  server.postMessage('how many?')
  expect(await once(server, 'message')).toEqual([0])
  await server.terminate()
}, 30_000)
