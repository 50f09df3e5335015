import { contract } from '@pillar/contract'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEEP } from '../../../test/deep.ts'
import { makeCompany, makeLogin, type SignedIn, signIn, stepUp, type TestLogin } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'

/** For each kind of object. */
const ROUNDS = DEEP ? 1_000 : 10
const EDITORS = 2

let server: TestServer
let login: TestLogin
let tab: SignedIn
beforeAll(async () => {
  server = await startTestServer()
  login = await makeLogin(server, (await makeCompany(server)).id, { flags: ['data_analytics'] })
  tab = await signIn(server, login)
})
afterAll(() => server.close())

/** A versioned object: its present content, and a function that changes it and returns a status. */
interface Edited {
  read: () => Promise<{ text: string; version: number }>
  save: (text: string, version: number) => Promise<number>
}

async function savedView(): Promise<Edited> {
  const { create, list, edit } = contract.savedView
  const made = await server.call<{ id: string }>(create.path, { name: 'Both', state: { words: '' } }, tab.bearer)
  const { id } = made.body
  return {
    async read() {
      const { body } = await server.call<{ views: { id: string; state: { words: string }; version: number }[] }>(
        ...([list.path, {}, tab.bearer] as const),
      )
      const view = body.views.find((one) => one.id === id)!
      return { text: view.state.words, version: view.version }
    },
    save: async (words, version) =>
      (await server.call(edit.path.replace('{id}', id), { state: { words }, version }, tab.bearer)).status,
  }
}

async function template(): Promise<Edited> {
  const { create, info, edit } = contract.template
  const draft = { name: 'Both', subject: null, sms_template: true, email_template: false }
  const save = async (path: string, object: string | null, more: object) =>
    server.call<{ id: string }>(path, { ...draft, ...more }, await stepUp(server, { login, tab }, 'save', object))
  const { id } = (await save(create.path, null, { body: '{Pharmacy Name}' })).body
  return {
    async read() {
      const { body } = await server.call<{ body: string; version: number }>(
        info.path.replace('{id}', id),
        {},
        tab.bearer,
      )
      return { text: body.body.replace('{Pharmacy Name}', ''), version: body.version }
    },
    save: async (text, version) =>
      (await save(edit.path.replace('{id}', id), id, { body: `{Pharmacy Name}${text}`, version })).status,
  }
}

describe('two who edit the same thing at once (T25)', () => {
  it.each([
    ['saved view', savedView],
    ['template', template],
  ])(
    'of a %s one is told to look again, and nothing of either is lost',
    { timeout: 1_800_000 },
    async (_name, make) => {
      const thing = await make()
      let [written, conflicts] = [0, 0]
      /** Appends a word to the present ones, and again to the newer ones if another editor was first. */
      const add = async (word: string, waits: number) => {
        for (;;) {
          const { text, version } = await thing.read()
          for (let turn = 0; turn < waits; turn++) await new Promise(setImmediate)
          const status = await thing.save([...text.split(' ').slice(-EDITORS), word].join(' '), version)
          if (status === 200) return void written++
          expect(status).toBe(409)
          conflicts++
        }
      }
      const waits = fc.array(fc.nat(8), { minLength: EDITORS, maxLength: EDITORS })
      for (const [round, each] of fc.sample(waits, ROUNDS).entries()) {
        const words = each.map((_, editor) => `${round}-${editor}`)
        await Promise.all(words.map((word, editor) => add(word, each[editor]!)))
        const { text, version } = await thing.read()
        expect([text.split(' ').slice(-EDITORS).sort(), version]).toEqual([words, 1 + (round + 1) * EDITORS])
      }
      expect(written).toBe(ROUNDS * EDITORS)
      expect(conflicts).toBeGreaterThan(0)
    },
  )
})
