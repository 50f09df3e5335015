import { afterEach, expect, test, vi } from 'vitest'
import { filenameOf, post, within } from './post.ts'
import { RefusedError } from './refused.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

test.each([
  [`attachment; filename="a_b.csv"; filename*=UTF-8''a%20%E2%80%93%20b.csv`, 'a – b.csv'],
  ['attachment; filename="2026_adherence.csv"', '2026_adherence.csv'],
  [`attachment; filename="plain.csv"; filename*=UTF-8''%E2%28`, 'plain.csv'],
  [null, 'export.csv'],
])('file name of %s', (header, name) => {
  expect(filenameOf(header)).toBe(name)
})

test('sends JSON with the bearer and the grant, and reads JSON', async () => {
  const fetched = vi.fn(async (_path: string, _options: RequestInit) => Response.json({ ok: 1 }))
  vi.stubGlobal('fetch', fetched)
  expect(await post('/api/x', { a: 1 }, { bearer: 't', grant: 'g' })).toEqual({ ok: 1 })
  const [path, options] = fetched.mock.calls[0]!
  expect(path).toBe('/api/x')
  expect(options).toMatchObject({ method: 'POST', body: '{"a":1}', credentials: 'same-origin' })
  expect(options.headers).toEqual({
    'content-type': 'application/json',
    authorization: 'Bearer t',
    'x-step-up-grant': 'g',
  })
})

test('CSV is returned as a file', async () => {
  const headers = { 'content-type': 'text/csv; charset=utf-8', 'content-disposition': 'attachment; filename="x.csv"' }
  vi.stubGlobal('fetch', async () => new Response('a,b\r\n', { headers }))
  expect(await post('/api/x', {})).toEqual({ filename: 'x.csv', text: 'a,b\r\n' })
})

test('a long file may take 15 minutes, and is returned unchanged, including its byte order mark', async () => {
  const headers = { 'content-type': 'text/csv; charset=utf-8', 'content-disposition': 'attachment; filename="x.csv"' }
  vi.stubGlobal('fetch', async () => new Response('\uFEFFa,b\r\n', { headers }))
  const deadline = vi.spyOn(globalThis, 'setTimeout')
  const { filename, file } = (await post('/api/x', {}, { long: true })) as { filename: string; file: Blob }
  expect([filename, new Uint8Array(await file.arrayBuffer()).slice(0, 4)]).toEqual([
    'x.csv',
    new Uint8Array([0xef, 0xbb, 0xbf, 0x61]),
  ])
  await post('/api/x', {})
  expect(deadline.mock.calls.map(([, ms]) => ms)).toEqual([900_000, 30_000])
  deadline.mockRestore()
})

test('a page that a network filter puts in the place of a long file is not saved as the file', async () => {
  const headers = { 'content-type': 'text/html' }
  vi.stubGlobal('fetch', async () => new Response('<h1>Blocked</h1>', { headers }))
  await expect(post('/api/x', {}, { long: true })).rejects.toThrow('could not be read')
})

test('a missing answer is a refusal of status 0, and claims nothing more', async () => {
  vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('Failed to fetch')))
  const error = await post('/api/x', {}).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(RefusedError)
  expect(error).toMatchObject({ status: 0, message: expect.stringContaining('did not answer') })
  // The page cannot know whether it was done.
  expect((error as Error).message).not.toContain('Nothing was changed')
})

test('a call its caller gave up on is not reported as a missing answer', async () => {
  const stop = new AbortController()
  vi.stubGlobal('fetch', async () => {
    stop.abort()
    throw new DOMException('stopped', 'AbortError')
  })
  await expect(post('/api/x', {}, { signal: stop.signal })).rejects.toMatchObject({ name: 'AbortError' })
})

test('an answer that is not JSON is a refusal', async () => {
  vi.stubGlobal('fetch', async () => new Response('<html>'))
  await expect(post('/api/x', {})).rejects.toBeInstanceOf(RefusedError)
})

test('a signal aborts once its time is over', () => {
  vi.useFakeTimers()
  const signal = within(30_000)
  vi.advanceTimersByTime(29_999)
  expect(signal.aborted).toBe(false)
  vi.advanceTimersByTime(1)
  expect(signal.reason).toMatchObject({ name: 'TimeoutError' })
})

test('a signal aborts with another one, now or later, for the same reason', () => {
  const other = new AbortController()
  const signal = within(30_000, other.signal)
  expect(signal.aborted).toBe(false)
  other.abort('left')
  expect([signal.reason, within(30_000, other.signal).reason]).toEqual(['left', 'left'])
})
