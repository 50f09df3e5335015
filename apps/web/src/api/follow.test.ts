import { contract } from '@pillar/contract'
import { afterEach, expect, test, vi } from 'vitest'
import { RefusedError } from '../shared/refused.ts'
import { follow } from './follow.ts'

const { endIfExpired } = vi.hoisted(() => ({ endIfExpired: vi.fn() }))
vi.mock('../session/session.ts', () => ({ bearer: async () => 'token', endIfExpired }))
afterEach(() => vi.unstubAllGlobals())

/** An answer that arrives in these pieces. */
function answerWith(...pieces: string[]) {
  const fetched = vi.fn(async (_path: string, _options: RequestInit) => {
    const body = new ReadableStream({
      start(controller) {
        for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece))
        controller.close()
      },
    })
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  })
  vi.stubGlobal('fetch', fetched)
  return fetched
}
const asked = (onPart: (part: unknown) => void = () => {}, signal = new AbortController().signal) =>
  follow(contract.template.draft, { prompt: 'flu' }, onPart, signal)

test('parts are reported as they arrive, and the whole answer is the result', async () => {
  const fetched = answerWith(
    'event: text\ndata: {"template_text":"Gr',
    'üß"}\n\nevent: done\nda',
    'ta: {"template_text":"Grüße"}\n\n',
  )
  const parts: unknown[] = []
  expect(await asked((part) => parts.push(part))).toEqual({ template_text: 'Grüße' })
  expect(parts).toEqual([{ template_text: 'Grüß' }])
  const [path, options] = fetched.mock.calls[0]!
  expect([path, options.body]).toEqual(['/api/template/chatgpt', '{"prompt":"flu"}'])
  expect(options.headers).toMatchObject({ accept: 'text/event-stream', authorization: 'Bearer token' })
})

test('a refusal midway is like any other', async () => {
  answerWith('event: text\ndata: {}\n\n', 'event: refused\ndata: {"code":"unavailable","message":"It broke off."}\n\n')
  const error = await asked().catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(RefusedError)
  expect(error).toMatchObject({ status: 503, code: 'unavailable', message: 'It broke off.' })
})

test('a connection that stays open after the end of the answer is closed', async () => {
  for (const last of [
    'event: done\ndata: {}\n\n',
    'event: refused\ndata: {"code":"unavailable","message":"No."}\n\n',
  ]) {
    const cancel = vi.fn()
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode(last)),
      cancel,
    })
    vi.stubGlobal('fetch', async () => new Response(body))
    await asked().catch(() => {})
    expect(cancel).toHaveBeenCalledTimes(1)
  }
})

test('a refusal at the start, and an answer that ends too soon, are refusals too', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ code: 'invalid', message: 'Leave out names.' }, { status: 422 }))
  await expect(asked()).rejects.toMatchObject({ status: 422, message: 'Leave out names.' })
  // An expired session is noticed here too.
  expect(endIfExpired).toHaveBeenCalledWith(expect.objectContaining({ status: 422 }))
  answerWith('event: text\ndata: {"template_text":"Hi"}\n\n', 'event: done\ndata: {')
  await expect(asked()).rejects.toMatchObject({ status: 0, message: expect.stringContaining('broke off') })
  vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('Failed to fetch')))
  await expect(asked()).rejects.toBeInstanceOf(RefusedError)
})

test('an abort is not a refusal', async () => {
  const stop = new AbortController()
  vi.stubGlobal('fetch', async () => {
    stop.abort()
    throw new DOMException('stopped', 'AbortError')
  })
  await expect(asked(() => {}, stop.signal)).rejects.toMatchObject({ name: 'AbortError' })
})
