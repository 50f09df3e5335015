import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AiPeer, startAiPeer } from '../../../../test/outside/ai-peer.ts'
import { asOwner, makeCompany, makeLocation, makeLogin, type SignedIn, signIn } from '../../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../../test/server.ts'
import { openAi } from '../../../gateways/ai-service.ts'

let peer: AiPeer
let server: TestServer
let plain: TestServer
let tab: SignedIn
let plainTab: SignedIn

beforeAll(async () => {
  peer = await startAiPeer()
  const env = { AI_BASE_URL: peer.url, AI_API_KEY: 'our-key', AI_MODEL: 'small' }
  ;[server, plain] = [await startTestServer({ env }), await startTestServer()]
  const company = await makeCompany(server)
  const place = await makeLocation(server, company.id)
  const rival = await makeLocation(server, (await makeCompany(server)).id)
  const people = [
    [place.id, 'Mary Anne', 'Nguyen'],
    [place.id, 'Grace', "O'Brien-Park"],
    [rival.id, 'Boris', 'Foreign'],
  ]
  for (const [location, first, last] of people) {
    await asOwner(
      server,
      `insert into patient (location_id, source, source_id, first_name, last_name) values ($1, 'canonical', $2, $2, $3)`,
      [location, first, last],
    )
  }
  tab = await signIn(server, await makeLogin(server, company.id, { flags: ['data_analytics'] }))
  plainTab = await signIn(plain, await makeLogin(plain, (await makeCompany(plain)).id, { flags: ['data_analytics'] }))
})
afterAll(async () => {
  await Promise.all([server.close(), plain.close()])
  peer.close()
})

interface Answer extends Record<string, unknown> {
  message: string
  template_text: string
  drafts: { title: string; text: string }[]
}
const ask = (body: object, at = server, as = tab) => at.call<Answer>('/api/template/chatgpt', body, as.bearer)

describe('drafts from an AI service', () => {
  it('use the OpenAI protocol and come back in plain characters', async () => {
    peer.say = '<think>Hm.</think>\n```text\n“Hi {first name} – your flu vaccine is here… {PHARMACY NAME}”\n```'
    const reply = await ask({
      prompt: 'Invite to the flu vaccine',
      category_name: 'Drug Type',
      subcategory_name: 'Vaccines',
      communication_type: 'sms',
    })
    expect(reply.body).toEqual({
      template_text: 'Hi {First Name} - your flu vaccine is here... {Pharmacy Name}',
      source: 'ai',
      drafts: [],
    })
    const heard = peer.heard.at(-1)!
    expect([heard.path, heard.key]).toEqual(['/v1/chat/completions', 'Bearer our-key'])
    const asked = JSON.parse(heard.text)
    expect(asked.model).toBe('small')
    expect(asked.messages[1]).toEqual({
      role: 'user',
      content: 'About: Drug Type: Vaccines\nInvite to the flu vaccine',
    })
    const [row] = await asOwner(server, `select detail from audit where action = 'template.draft'`)
    expect(row).toEqual({ detail: { model: 'small', prompt_characters: 25 } })
    expect((await server.call('/api/enterprise-group-list-names', {}, tab.bearer)).body.ai).toBe(true)
  })

  it('are refused before anything is sent when the request identifies a person (T37)', async () => {
    const before = peer.heard.length
    const refusals: [string, string][] = [
      ['call 0412 345 678', 'phone numbers and other long numbers'],
      ['for ann@mail.example', 'email addresses'],
      ['card 2950 51473 1', 'Medicare numbers'],
      ['ask Mary Nguyen to come', 'names of patients ("mary nguyen")'],
      ['ask NGUYEN, Anne to come', 'names of patients ("anne nguyen")'],
      ['a card for grace park', 'names of patients ("grace park")'],
      ['tell Mrs Nguyen', 'names of patients ("nguyen")'],
      [
        'Mary Q. Nguyen on 0412345678, m@x.au',
        'email addresses, phone numbers and other long numbers, and names of patients ("mary nguyen")',
      ],
    ]
    for (const [prompt, what] of refusals) {
      const reply = await ask({ prompt })
      expect([prompt, reply.status, reply.body.message]).toEqual([
        prompt,
        422,
        `Please leave out ${what}. Nothing was sent to the AI service.`,
      ])
    }
    expect((await ask({ prompt: 'hello', subcategory_name: 'Mary Nguyen' })).status).toBe(422)
    expect((await ask({ prompt: ' ' })).body.message).toBe('Please describe the message you would like.')
    expect(peer.heard.length).toBe(before)
  })

  it('reveal nothing about another company’s patients', async () => {
    peer.say = 'Hello {Pharmacy Name}'
    expect((await ask({ prompt: 'tell Boris Foreign' })).status).toBe(200)
  })

  it('say so when they fail, without quoting the service', async () => {
    for (const [say, reason] of [
      [500, 'it answered with error 500'],
      [401, 'it does not accept our key'],
      [429, 'it has too much to do, or its quota is used up'],
      ['  ', 'its answer was empty'],
    ] as const) {
      peer.say = say
      const reply = await ask({ prompt: 'flu' })
      expect([reply.status, reply.body.message]).toEqual([
        503,
        `The AI service gave no draft: ${reason}. Please try again, or write the text yourself.`,
      ])
    }
    peer.say = 'hang'
    const impatient = openAi({ AI_BASE_URL: peer.url, AI_API_KEY: undefined, AI_MODEL: 'small' }, 200)!
    await expect(impatient.write('a', 'b')).rejects.toThrow('it did not answer within 0.2 seconds')
    const nobody = openAi({ AI_BASE_URL: 'http://127.0.0.1:9/v1', AI_API_KEY: 'k', AI_MODEL: 'small' })!
    await expect(nobody.write('a', 'b')).rejects.toThrow('it could not be reached')
  })

  it('are text, end, and come from the service itself', async () => {
    const none = {
      status: 503,
      body: { message: expect.stringContaining('gave no draft: its answer could not be read') },
    }
    for (const odd of [5, { text: 'Hi' }, [{ type: 'text', text: 'Hi' }], 'y'.repeat(11_000_000)]) {
      peer.say = { content: odd }
      expect(await ask({ prompt: 'flu' })).toMatchObject(none)
    }
    const other = await startAiPeer()
    peer.say = { goTo: `${other.url}/chat/completions` }
    expect((await ask({ prompt: 'flu' })).status).toBe(503)
    expect(other.heard).toEqual([])
    other.close()
    const began = performance.now()
    peer.say = '<think>'.repeat(200_000)
    expect((await ask({ prompt: 'flu' })).body.template_text).toHaveLength(5_000)
    expect(performance.now() - began).toBeLessThan(3_000)
  })

  it('hold no database connection while waiting', async () => {
    peer.say = 'hang'
    const waiting = Array.from({ length: 8 }, () => ask({ prompt: 'flu' }))
    const [before, wanted] = [peer.heard.length, peer.heard.length + 8]
    while (peer.heard.length < wanted) await new Promise((done) => setTimeout(done, 20))
    expect(peer.heard.length).toBeGreaterThan(before)
    const [row] = await asOwner(
      server,
      `select count(*)::int as busy from pg_stat_activity where datname = current_database() and state = 'idle in transaction'`,
    )
    expect(row).toEqual({ busy: 0 })
    peer.server.closeAllConnections()
    expect((await Promise.all(waiting)).map((reply) => reply.status)).toEqual(Array(8).fill(503))
  })

  it('are limited to sixty an hour per login', async () => {
    peer.say = 'Hello {Pharmacy Name}'
    await asOwner(server, `update throttle set points = 60 where key like 'hour-draft%'`)
    const reply = await ask({ prompt: 'flu' })
    expect(reply.status).toBe(429)
    expect(reply.body.message).toMatch(
      /^You have used your 60 AI drafts of this hour\. Please try again in \d+ minutes\.$/,
    )
  })

  it('need a model, or the server does not start', () => {
    expect(() => openAi({ AI_BASE_URL: 'http://x', AI_API_KEY: undefined, AI_MODEL: undefined })).toThrow('AI_MODEL')
  })
})

describe('without an AI service', () => {
  it('starter drafts are offered, and never called AI', async () => {
    const reply = await ask(
      { prompt: 'remind about the flu vaccination', subcategory_name: 'Vaccines' },
      plain,
      plainTab,
    )
    expect(reply.body.source).toBe('starter')
    expect(reply.body.drafts[0]).toEqual({ title: 'Flu vaccine', text: reply.body.template_text })
    expect(reply.body.drafts).toHaveLength(8)
    expect((await ask({}, plain, plainTab)).body.template_text).toContain('{Pharmacy Name}')
    expect((await plain.call('/api/enterprise-group-list-names', {}, plainTab.bearer)).body.ai).toBe(false)
  })

  it('the call needs its flag', async () => {
    const login = await makeLogin(plain, (await makeCompany(plain)).id, { flags: ['ecdr'] })
    expect((await ask({}, plain, await signIn(plain, login))).status).toBe(403)
    expect((await plain.call('/api/template/chatgpt', {})).status).toBe(401)
  })
})
