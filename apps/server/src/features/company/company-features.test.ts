import { contract } from '@pillar/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeCompany, makeLogin, signIn } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { makeSupport, type Support } from '../../../test/support.ts'

const { edit } = contract.company
let server: TestServer
let support: Support
beforeAll(async () => {
  server = await startTestServer()
  support = await makeSupport(server)
})
afterAll(() => server.close())

const FEATURES = { sixty_day_signup: false, cloud_ecdr: false, ad_dashboard: false, supplier_dashboard: false }
const FLAGS = ['sixty_day_signup', 'ecdr', 'ad_analytics', 'supplier_analytics'] as const
const flagsOf = async (login: Parameters<typeof signIn>[1]) => {
  const { body } = (await signIn(server, login)).reply
  return FLAGS.filter((flag) => (body as Record<string, unknown>)[flag])
}

describe('a feature of a company', () => {
  it('opens to people who may open the head office’s pages, and closes to everybody when switched off', async () => {
    const [company, other] = [await makeCompany(server), await makeCompany(server)]
    const head = await makeLogin(server, company.id, { flags: ['data_analytics'] })
    const guild = await makeLogin(server, company.id, { flags: ['guild_login'] })
    const register = await makeLogin(server, company.id, { flags: ['ecdr'] })
    const neighbour = await makeLogin(server, other.id, { flags: ['data_analytics', 'ecdr'] })
    const save = (features: Partial<typeof FEATURES>) =>
      support.ask(edit, { uuid: company.uuid, name: company.name, ...features })

    expect((await save({ cloud_ecdr: true, ad_dashboard: true })).status).toBe(200)
    expect(await flagsOf(head)).toEqual(['ecdr', 'ad_analytics'])
    expect(await flagsOf(guild)).toEqual([])

    await save({ ad_dashboard: false })
    expect(await flagsOf(head)).toEqual(['ecdr'])
    expect(await flagsOf(register)).toEqual(['ecdr'])
    await save({ cloud_ecdr: false })
    expect([await flagsOf(head), await flagsOf(register)]).toEqual([[], []])
    expect(await flagsOf(neighbour)).toEqual(['ecdr'])
  })

  it('changes nobody while it stays the same', async () => {
    const company = await makeCompany(server)
    const person = await makeLogin(server, company.id, { flags: ['data_analytics', 'supplier_analytics'] })
    await support.ask(edit, { uuid: company.uuid, name: company.name, ...FEATURES })
    expect(await flagsOf(person)).toEqual(['supplier_analytics'])
  })
})
