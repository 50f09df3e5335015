import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type AiPeer, startAiPeer } from '../../../../test/outside/ai-peer.ts'
import { asOwner, makeCompany, makeLocation, makeLogin, type SignedIn, signIn } from '../../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../../test/server.ts'
import { openAi } from '../../../gateways/ai-service.ts'

let peer: AiPeer
let server: TestServer
let plain: TestServer
let tab: SignedIn
let plainTab: SignedIn
let [address, plainAddress] = ['', '']

beforeAll(async () => {
  peer = await startAiPeer()
  const env = { AI_BASE_URL: peer.url, AI_API_KEY: 'our-key', AI_MODEL: 'small' }
  ;[server, plain] = [await startTestServer({ env }), await startTestServer()]
  const company = await makeCompany(server)
  const place = await makeLocation(server, company.id)
  await asOwner(
    server,
    `insert into patient (location_id, source, source_id, first_name, last_name) values ($1, 'canonical', 'a', 'Mary', 'Nguyen')`,
    [place.id],
  )
  tab = await signIn(server, await makeLogin(server, company.id, { flags: ['data_analytics'] }))
  plainTab = await signIn(plain, await makeLogin(plain, (await makeCompany(plain)).id, { flags: ['data_analytics'] }))
  ;[address, plainAddress] = (await Promise.all(
    [server, plain].map(({ app }) => app.listen({ port: 0, host: '127.0.0.1' })),
  )) as [string, string]
})
afterAll(async () => {
  await Promise.all([server.close(), plain.close()])
  peer.close()
})
beforeEach(() => {
  Object.assign(peer, { say: 'x', steps: [], left: 0 })
})

interface Told {
  event: string
  data: { template_text?: string; source?: string; code?: string; message?: string }
}

/** Asks over a real connection, as a browser does. */
const ask = (prompt: string, more: RequestInit = {}, at = address, as = tab) =>
  fetch(`${at}/api/template/chatgpt`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...as.bearer },
    body: JSON.stringify({ prompt }),
    ...more,
  })

const eventsIn = (text: string): Told[] =>
  text
    .split('\n\n')
    .slice(0, -1)
    .map((block) => {
      const [event, data] = block.split('\n')
      return { event: event!.replace('event: ', ''), data: JSON.parse(data!.replace('data: ', '')) }
    })

/** All events received, and how the stream ended. */
async function all(answer: Response): Promise<Told[]> {
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
  return eventsIn(await answer.text())
}

describe('a streamed draft', () => {
  it('grows, and ends with the same whole answer as without streaming', async () => {
    peer.steps = [
      '<think>Hm, fl',
      'u.</think>\n```text\n',
      150,
      '“Hi {fir',
      150,
      'st name} – ',
      150,
      'your flu vaccine is here… {PHARM',
      150,
      'ACY NAME}”\n```',
    ]
    const answer = await ask('Invite to the flu vaccine')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    const told = await all(answer)
    const whole = '"Hi {First Name} - your flu vaccine is here... {Pharmacy Name}"'
    const text = whole.slice(1, -1)
    const grown = told.slice(0, -1)
    expect(grown.length).toBeGreaterThanOrEqual(3)
    for (const { event, data } of grown) {
      expect(event).toBe('text')
      // Never a thought, wrapping or half a field; each event holds the whole draft so far.
      const shown = data.template_text!.trim()
      expect(whole.startsWith(shown) || text.startsWith(shown), shown).toBe(true)
    }
    expect(told.at(-1)).toEqual({ event: 'done', data: { template_text: text, source: 'ai', drafts: [] } })
    const asked = JSON.parse(peer.heard.at(-1)!.text)
    expect(asked).toMatchObject({ model: 'small', stream: true, max_completion_tokens: 2000 })
    const [row] = await asOwner(server, `select count(*)::int as n from audit where action = 'template.draft'`)
    expect(row).toEqual({ n: 1 })
  })

  it('is refused before the first event with an ordinary status', async () => {
    const before = peer.heard.length
    const refusals: [Response, number, RegExp][] = [
      [await ask('ask Mary Nguyen to come'), 422, /names of patients .* Nothing was sent to the AI service\.$/],
      [await ask(' '), 422, /^Please describe the message/],
      [
        await ask('flu', { headers: { 'content-type': 'application/json', accept: 'text/event-stream' } }),
        401,
        /sign in/,
      ],
    ]
    for (const [answer, status, message] of refusals) {
      const body = (await answer.json()) as { message: string }
      expect([answer.status, body.message]).toEqual([status, expect.stringMatching(message)])
    }
    expect(peer.heard.length).toBe(before)
  })

  it('is refused with a status while there is no text yet', async () => {
    peer.say = 429
    const busy = await ask('flu')
    expect([busy.status, ((await busy.json()) as { message: string }).message]).toEqual([
      503,
      'The AI service gave no draft: it has too much to do, or its quota is used up. Please try again, or write the text yourself.',
    ])
    Object.assign(peer, { say: 'x', steps: ['DIE'] })
    expect((await ask('flu')).status).toBe(503)
  })

  it('ends with a clear event when the service crashes, disconnects or fails midway', async () => {
    for (const [end, reason] of [
      ['DIE', 'its answer broke off'],
      ['LEAVE', 'its answer broke off'],
      ['ERR', 'its answer could not be read'],
    ] as const) {
      peer.steps = ['Hi {First Name}, your', 300, end]
      const told = await all(await ask('flu'))
      expect(told).toEqual([
        { event: 'text', data: { template_text: 'Hi {First Name}, your' } },
        {
          event: 'refused',
          data: {
            code: 'unavailable',
            message: `The AI service gave no draft: ${reason}. Please try again, or write the text yourself.`,
          },
        },
      ])
    }
  })

  it('is cancelled at the service when the caller disconnects', async () => {
    peer.steps = ['Hi ', 300, 'there', 20_000, 'late']
    const gone = new AbortController()
    const answer = await ask('flu', { signal: gone.signal })
    const first = await answer.body!.getReader().read()
    expect(new TextDecoder().decode(first.value)).toContain('"Hi"')
    expect(peer.left).toBe(0)
    gone.abort()
    await expect.poll(() => peer.left, { timeout: 5_000 }).toBe(1)
    // Also before there is any text, and for those who wait for the whole answer.
    peer.steps = [20_000, 'late']
    for (const accept of ['text/event-stream', 'application/json']) {
      peer.say = 'hang'
      const [heard, left] = [peer.heard.length, peer.left]
      const early = new AbortController()
      const headers = { 'content-type': 'application/json', accept, ...tab.bearer }
      const waiting = ask('flu', { signal: early.signal, headers }).catch(() => null)
      await expect.poll(() => peer.heard.length).toBe(heard + 1)
      early.abort()
      await waiting
      await expect.poll(() => peer.left, { timeout: 5_000 }).toBe(left + 1)
    }
  })

  it('holds no database connection while it grows', async () => {
    peer.steps = ['Hi', 2_000, ' there']
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask('flu')))
    const [row] = await asOwner(
      server,
      `select count(*)::int as busy from pg_stat_activity where datname = current_database() and state = 'idle in transaction'`,
    )
    expect(row).toEqual({ busy: 0 })
    for (const answer of answers) expect((await all(answer)).at(-1)!.data.template_text).toBe('Hi there')
  })

  it('has the same limits as every draft', async () => {
    await asOwner(server, `update throttle set points = 60 where key like 'hour-draft%'`)
    const answer = await ask('flu')
    expect([answer.status, ((await answer.json()) as { message: string }).message]).toEqual([
      429,
      expect.stringMatching(/^You have used your 60 AI drafts of this hour\./),
    ])
    await asOwner(server, `delete from throttle where key like 'hour-draft%'`)
  })

  it('is one event when starter drafts answer', async () => {
    const told = await all(
      await ask(
        'flu',
        {
          headers: {
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
            ...plainTab.bearer,
          },
        },
        plainAddress,
      ),
    )
    expect(told).toMatchObject([{ event: 'done', data: { source: 'starter' } }])
  })
})

describe('the AI service stream', () => {
  const impatient = () => openAi({ AI_BASE_URL: peer.url, AI_API_KEY: undefined, AI_MODEL: 'small' }, 300)!
  const watch = () => ({ onText: () => {} })

  it('has one time limit for the whole answer, however slow the pieces', async () => {
    peer.steps = Array.from({ length: 100 }, () => ['a', 20] as const).flat()
    const began = performance.now()
    await expect(impatient().write('a', 'b', watch())).rejects.toThrow('it did not answer within 0.3 seconds')
    expect(performance.now() - began).toBeLessThan(5_000)
    peer.steps = [20_000]
    await expect(impatient().write('a', 'b', watch())).rejects.toThrow('it did not answer within 0.3 seconds')
  })

  it('is cut off beyond any sensible message length', async () => {
    peer.steps = Array.from({ length: 30 }, () => 'x'.repeat(1_000))
    const patient = openAi({ AI_BASE_URL: peer.url, AI_API_KEY: undefined, AI_MODEL: 'small' })!
    const text = await patient.write('a', 'b', watch())
    expect(text).toHaveLength(20_000)
  })

  it('logs no fault when the caller disconnects', async () => {
    peer.steps = ['a', 20_000]
    const gone = new AbortController()
    const waiting = impatient().write('a', 'b', { ...watch(), gone: gone.signal })
    await wait(50)
    gone.abort()
    await expect(waiting).rejects.toThrow('nobody waited for it')
  })
})
