import http, { createServer } from 'node:http'
import https from 'node:https'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { expect, it, vi } from 'vitest'
import { selfSigned } from '../../test/outside/certificate.ts'
import { httpCall, shortAnswer } from './http-call.ts'

it('nothing is sent by a process that slept while it was connecting, because another may have sent it meanwhile', async () => {
  let heard = 0
  const server = createServer((_request, response) => {
    heard++
    response.end()
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  // After a sleep the connection is there before any timer has fired.
  const clock = vi.spyOn(performance, 'now').mockReturnValueOnce(0).mockReturnValue(4_500)
  const call = httpCall({ method: 'POST', url, headers: {}, body: 'a text' })
  await expect(call).rejects.toMatchObject({ left: false, message: 'it did not accept the connection in time' })
  clock.mockRestore()
  expect(heard).toBe(0)
  server.close()
})

it('a body arrives completely, whatever its letters', async () => {
  const server = createServer(async (request, response) => response.end(await text(request)))
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const body = 'Grüße an Zoë 😀 für 5 €'
  expect(await httpCall({ method: 'POST', url, headers: {}, body })).toMatchObject({ status: 200, body })
  server.close()
})

it('a call that broke off after it was sent may have been received', async () => {
  const server = createServer((request) => request.socket.destroy())
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  await expect(httpCall({ method: 'POST', url, headers: {}, body: 'a text' })).rejects.toMatchObject({ left: true })
  server.close()
})

it('an answer that never ends is dropped, and a redirect is not followed', async () => {
  let dropped = false
  const server = createServer((request, response) => {
    if (request.url === '/elsewhere') return void response.writeHead(307, { location: '/' }).end()
    const more = () => {
      while (response.write('x'.repeat(10_000)));
    }
    response.on('drain', more).on('close', () => {
      dropped = true
    })
    more()
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await expect(shortAnswer(url).then((answer) => answer.text())).rejects.toThrow('its answer is too long')
  await vi.waitUntil(() => dropped)
  await expect(shortAnswer(`${url}/elsewhere`)).rejects.toThrow('fetch failed')
  server.close()
})

it('every call has its own connection, because a kept one may be closed with the request in it', async () => {
  let connections = 0
  const server = createServer((_request, response) => response.end()).on('connection', () => connections++)
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  for (let time = 0; time < 3; time++) await httpCall({ method: 'POST', url, headers: {}, body: 'a text' })
  expect(connections).toBe(3)
  server.close()
})

it('a network with a proxy for outgoing connections is left through it, also with TLS', async () => {
  const { key, cert } = selfSigned('gateway.example')
  const gateway = https.createServer({ key, cert }, async (request, response) => response.end(await text(request)))
  await new Promise<void>((ready) => gateway.listen(0, '127.0.0.1', ready))
  let refuses = false
  const asked: string[] = []
  const proxy = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    response.end('from the proxy')
  }).on('connect', (request, client) => {
    asked.push(`${request.method} ${request.url}`)
    if (refuses) return client.end('HTTP/1.1 403 Forbidden\r\n\r\n')
    client.write('HTTP/1.1 200 Connection Established\r\n\r\n')
    const onward = connect((gateway.address() as AddressInfo).port, '127.0.0.1')
    onward.pipe(client).pipe(onward)
    for (const end of [client, onward]) end.on('error', () => {})
  })
  await new Promise<void>((ready) => proxy.listen(0, '127.0.0.1', ready))
  const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  const known = getCACertificates('default')
  setDefaultCACertificates([cert])
  const restore = http.setGlobalProxyFromEnv({ https_proxy: address, http_proxy: address, no_proxy: '127.0.0.1' })
  const call = (url: string) => httpCall({ method: 'POST', url, headers: {}, body: 'a text' })
  try {
    expect(await call('https://gateway.example/sms')).toMatchObject({ status: 200, body: 'a text' })
    expect(await call('http://gateway.example/sms')).toMatchObject({ status: 200, body: 'from the proxy' })
    refuses = true
    await expect(call('https://gateway.example/sms')).rejects.toMatchObject({ left: false })
    const tunnel = 'CONNECT gateway.example:443'
    expect(asked).toEqual([tunnel, 'POST http://gateway.example/sms', tunnel])
  } finally {
    restore()
    setDefaultCACertificates(known)
    proxy.closeAllConnections()
    gateway.closeAllConnections()
    proxy.close()
    gateway.close()
  }
})

it.each([
  [{ headers: { 'x-api-key': 'a\u200bb' } }, 'Invalid character in header content ["x-api-key"]'],
  [{ headers: { 'x api key': 'a' } }, 'Header name must be a valid HTTP token ["x api key"]'],
  [{ url: 'http://gateway.example:130133/' }, 'Invalid URL'],
])('a call that cannot be made as requested has not been sent: %j', async (wrong, message) => {
  const call = httpCall({ method: 'POST', url: 'http://127.0.0.1:9/', headers: {}, body: 'a text', ...wrong })
  await expect(call).rejects.toMatchObject({ left: false, message })
})
