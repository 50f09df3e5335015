import { contract } from '@pillar/contract'
import { MutationObserver, onlineManager, QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { RefusedError } from '../shared/refused.ts'
import { createQueries, mayRetry, nameOf, pathOf, refresh, retryDelay, type SentOf, send } from './client.ts'

afterEach(() => vi.unstubAllGlobals())

test('a call is cached under its name in the contract', () => {
  expect(nameOf(contract.financials.stats)).toBe('financials.stats')
  expect(() => nameOf({ ...contract.financials.stats })).toThrow(/outside the contract/)
})
test('path parts are filled in and escaped', () => {
  expect(pathOf('/api/campaign/{id}/info/enterprise', { id: 'a/b' })).toBe('/api/campaign/a%2Fb/info/enterprise')
})
test('a write goes out with the session’s token and a key, a read without a key, and signing out with the cookie alone', async () => {
  const sent: [path: string, names: string[]][] = []
  vi.stubGlobal('localStorage', { setItem: () => {} })
  vi.stubGlobal('fetch', async (path: string, { headers }: { headers: Record<string, string> }) => {
    sent.push([path, Object.keys(headers).filter((name) => name !== 'content-type')])
    return Response.json({ access_token: 'token' })
  })
  await send(contract.session.logout, {})
  await send(contract.inbound.readReply, { id: '01980000-0000-7000-8000-00000000000a', read: true })
  await send(contract.inbound.unreadReplies, {})
  expect(sent.map(([path, names]) => [path.split('/').at(-1), ...names])).toEqual([
    ['logout'],
    ['refresh'],
    ['read', 'authorization', 'idempotency-key'],
    [expect.any(String), 'authorization'],
  ])
})
test('what is not found after an attempt without an answer may be gone by that attempt, and the sentence says so', async () => {
  vi.stubGlobal('localStorage', { setItem: () => {} })
  const erase = (reason: string) =>
    send(contract.erasure.erasePatient, { id: 'a', location_id: 'b', number: '1', last_name: 'Moran', reason })
  const answers = (answer: () => Response | Promise<never>) =>
    vi.stubGlobal('fetch', async (path: string) =>
      path.endsWith('erase-patient') ? answer() : Response.json({ access_token: 'token' }),
    )
  const none = { code: 'not_found', message: 'There is no such patient. Nothing was erased.' }
  answers(() => Response.json(none, { status: 404 }))
  await expect(erase('Letter')).rejects.toThrow(/Nothing was erased\.$/)
  answers(() => Promise.reject(new TypeError('Failed to fetch')))
  await expect(erase('Letter')).rejects.toThrow('it may or may not have been done')
  answers(() => Response.json(none, { status: 404 }))
  await expect(erase('Letter of 3 November')).rejects.toThrow(
    'Nothing was erased. This may also come from your own earlier attempt, which got no answer.',
  )
})
test('only a missing answer, or one from a proxy, is retried', () => {
  expect(mayRetry(0, new RefusedError(0, ''))).toBe(true)
  expect(mayRetry(0, new RefusedError(503, ''))).toBe(true)
  expect(mayRetry(1, new RefusedError(503, ''))).toBe(false)
  expect(mayRetry(0, new RefusedError(422, ''))).toBe(false)
  expect(mayRetry(0, new RefusedError(500, ''))).toBe(false)
  expect(mayRetry(0, new Error('bug'))).toBe(false)
})
test('a read refused for a moment is retried once after the wait', () => {
  const busy = new RefusedError(429, '', { retryAfter: 2 })
  expect(mayRetry(0, busy)).toBe(true)
  expect(mayRetry(1, busy)).toBe(false)
  expect(retryDelay(0, busy)).toBe(2000)
  expect(retryDelay(0, new RefusedError(503, ''))).toBe(1000)
  expect(mayRetry(0, new RefusedError(429, ''))).toBe(false)
  expect(mayRetry(0, new RefusedError(429, '', { retryAfter: 900 }))).toBe(false)
})
test('without a connection reads and writes fail at once, and nothing is sent automatically once it is back', async () => {
  const client = createQueries()
  const gone = () => Promise.reject(new RefusedError(400, 'The server did not answer.'))
  onlineManager.setOnline(false)
  try {
    await expect(client.fetchQuery({ queryKey: ['inbound.replies', {}], queryFn: gone })).rejects.toThrow(
      'did not answer',
    )
    const write = new MutationObserver(client, { mutationFn: gone })
    await expect(write.mutate()).rejects.toThrow('did not answer')
  } finally {
    onlineManager.setOnline(true)
  }
}, 5000)
test('a first read in flight during a write is fetched again', async () => {
  const client = createQueries()
  const waiting: ((answer: string) => void)[] = []
  const read = new QueryObserver(client, {
    queryKey: ['inbound.replies', {}],
    queryFn: () => new Promise<string>((done) => waiting.push(done)),
  })
  const shown: (string | undefined)[] = []
  const stop = read.subscribe(({ data }) => shown.push(data))
  const done = refresh(client, contract.inbound.readReply)
  await expect.poll(() => waiting.length).toBe(2)
  waiting[0]!('from before')
  waiting[1]!('from after')
  await done
  expect(shown.at(-1)).toBe('from after')
  expect(shown).not.toContain('from before')
  stop()
})

test('a screen cannot save without the version it started from', () => {
  const rules = {} as Omit<SentOf<typeof contract.sending.saveRules>, 'version'>
  // @ts-expect-error: without a version
  const save: SentOf<typeof contract.sending.saveRules> = { ...rules }
  // @ts-expect-error: without a version
  const template: SentOf<typeof contract.template.edit> = { id: '' }
  // @ts-expect-error: with none
  const campaign: SentOf<typeof contract.campaign.edit> = { id: '', version: null }
  // A call that takes no version is sent without one.
  const read: SentOf<typeof contract.sending.rules> = {}
  expect([save, template, campaign, read]).toHaveLength(4)
})
