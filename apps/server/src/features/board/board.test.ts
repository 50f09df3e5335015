import { randomUUID } from 'node:crypto'
import type { contract, ReplyOf } from '@pillar/contract'
import { decodeJwt, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FakeSuperset, startSuperset } from '../../../test/outside/superset.ts'
import { asOwner, makeCompany, makeLocation, makeLogin, type SignedIn, signIn } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { complete, dispense, makeMolecules } from '../../../test/world/board-world.ts'
import { inScope } from '../../db/scope.ts'
import { ensureSubcategories } from '../metrics/subcategory.queries.ts'
import { publishBoards } from './board.jobs.ts'
import { DEAD_TOKENS, READS } from './board-throttle.ts'

type Data = ReplyOf<typeof contract.board.data>
type List = ReplyOf<typeof contract.board.list>

const NOW = new Date('2026-11-22T02:00:00Z')
const OCTOBER = 202610
let server: TestServer
let superset: FakeSuperset
/** Six companies: a person of the first reads, the others have a pharmacy or two. */
const companies: { id: number; uuid: string; places: { id: number }[] }[] = []
let supplier: SignedIn
let rival: SignedIn
const boards: Record<string, string> = {}
let rivalBoard: string

async function addBoard(company: number, type: string, products: string[] = []): Promise<string> {
  const id = randomUUID()
  await asOwner(
    server,
    `insert into dashboard (uuid, company_id, dashboard_id, name, dashboard_type, domain_url, products, created_at)
     values ($1, $2, $3, $4, $5, 'https://analytics.pillar.example', $6, now())`,
    [randomUUID(), company, id, `Board ${id}`, type, products],
  )
  return id
}

const tokenFor = async (who: SignedIn, dashboard_id: string) =>
  server.call<{ token: string; message: string }>('/api/superset-token', { dashboard_id }, who.bearer)
const dataFor = (token: string, more: object = {}) => server.call<Data>('/api/board-data', { token, ...more })
const openBoard = async (dashboard: string, more: object = {}) =>
  (await dataFor((await tokenFor(supplier, dashboard)).body.token, more)).body

beforeAll(async () => {
  superset = await startSuperset()
  server = await startTestServer()
  server.clock.offsetMs = NOW.getTime() - Date.now()
  await ensureSubcategories(server.services.pools.app)
  const molecules = await makeMolecules(server)
  for (const count of [2, 2, 2, 1, 1, 1]) {
    const company = await makeCompany(server)
    const places = []
    for (let at = 0; at < count; at++) places.push(await makeLocation(server, company.id))
    companies.push({ ...company, places })
  }
  for (const [company, { places }] of companies.entries())
    for (const { id } of places) {
      await complete(server, id, OCTOBER)
      await dispense(server, id, 'Cardaxa 10 mg', molecules[0]!, 10)
      await dispense(server, id, 'Rosuvastatin 10 mg', molecules[0]!, 20)
      await dispense(server, id, 'Atorvastatin 20 mg', molecules[1]!, 20)
      // Only one company sells it: nobody must find that out.
      if (company === 3) await dispense(server, id, 'Fluvastatin 40 mg', molecules[2]!, 7)
    }
  // A refund counts in revenue and nowhere else.
  await asOwner(
    server,
    `insert into script (location_id, source, source_id, dispensed_on, patient_id, drug_id, days_supply, days_basis, patient_price_cents, government_cents)
     select location_id, source, 'refund', dispensed_on, patient_id, drug_id, days_supply, days_basis, -700, 0
     from script where location_id = $1 and source_id like 'Atorvastatin%' order by source_id limit 1`,
    [companies[5]!.places[0]!.id],
  )
  boards.supplier = await addBoard(companies[0]!.id, 'Supplier', ['Cardaxa'])
  boards.industry = await addBoard(companies[0]!.id, 'Industry Dashboard')
  boards.advertiser = await addBoard(companies[0]!.id, 'Advertiser')
  rivalBoard = await addBoard(companies[1]!.id, 'Supplier', ['Cardaxa'])
  supplier = await signIn(server, await makeLogin(server, companies[0]!.id, { flags: ['supplier_analytics'] }))
  rival = await signIn(server, await makeLogin(server, companies[1]!.id, { flags: ['supplier_analytics'] }))
  await publishBoards(server.services)
})
afterAll(async () => {
  await server.close()
  await superset.close()
})

describe('the dashboards of a company', () => {
  it('are its own, of the types its people may see, at the address of the boards', async () => {
    const { body } = await server.call<List>('/api/get-dashboards', { active: true }, supplier.bearer)
    expect(body.map((one) => one.dashboard_id).sort()).toEqual([boards.supplier!, boards.industry!].sort())
    expect(body[0]).toMatchObject({ domain_url: 'http://127.0.0.1:3000' })
    expect(Object.keys(body[0]!).sort()).toEqual(['dashboard_id', 'dashboard_type', 'domain_url', 'id', 'name'])
  })

  it('need one of the two flags', async () => {
    const other = await signIn(server, await makeLogin(server, companies[0]!.id, { flags: ['data_analytics'] }))
    for (const path of ['/api/get-dashboards', '/api/superset-token'])
      expect((await server.call(path, { dashboard_id: boards.supplier }, other.bearer)).status).toBe(403)
  })
})

describe('a token for a board', () => {
  it('is for one board of the caller’s company, for a guest, and lasts 300 seconds', async () => {
    const { body } = await tokenFor(supplier, boards.supplier!)
    const claims = decodeJwt(body.token)
    expect(claims).toMatchObject({
      type: 'guest',
      resources: [{ type: 'dashboard', id: boards.supplier }],
      rls_rules: [{ clause: `company_id = ${companies[0]!.id}` }],
    })
    expect(claims.exp! - claims.iat!).toBe(300)
  })

  it('is not issued for another company’s board, one of a type the caller may not see, or none at all', async () => {
    const answers = await Promise.all(
      [rivalBoard, boards.advertiser!, randomUUID()].map((dashboard) => tokenFor(supplier, dashboard)),
    )
    for (const { status, body } of answers)
      expect([status, body.message]).toEqual([404, 'That dashboard was not found.'])
  })

  it('opens nothing once it has expired, was altered, or is of another kind', async () => {
    const { token } = (await tokenFor(supplier, boards.supplier!)).body
    expect((await dataFor(token)).status).toBe(200)
    const [head, body, signature] = token.split('.') as [string, string, string]
    const forged = { ...decodeJwt(token), company_id: companies[1]!.id }
    const swapped = [head, Buffer.from(JSON.stringify(forged)).toString('base64url'), signature].join('.')
    const none = [Buffer.from('{"alg":"none"}').toString('base64url'), body, ''].join('.')
    const foreign = await new SignJWT(decodeJwt(token)).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.alloc(32, 1))
    for (const bad of [swapped, none, foreign, `${token}x`, '', supplier.token])
      expect((await dataFor(bad)).status).toBe(404)
    server.clock.offsetMs += 301_000
    expect((await dataFor(token)).status).toBe(404)
    server.clock.offsetMs -= 301_000
  })

  it('opens nothing once the session has ended, the login has lost its flag or its company, or the board is inactive', async () => {
    const login = await makeLogin(server, companies[0]!.id, { flags: ['supplier_analytics'] })
    const tab = await signIn(server, login)
    const { token } = (await tokenFor(tab, boards.supplier!)).body
    await asOwner(server, 'update login set supplier_analytics = false where id = $1', [login.id])
    expect((await dataFor(token)).status).toBe(404)
    await asOwner(server, 'update login set supplier_analytics = true where id = $1', [login.id])
    await asOwner(server, 'update dashboard set active = false where dashboard_id = $1', [boards.supplier])
    expect((await dataFor(token)).status).toBe(404)
    await asOwner(server, 'update dashboard set active = true where dashboard_id = $1', [boards.supplier])
    expect((await dataFor(token)).status).toBe(200)
    for (const [company, status] of [
      [companies[1]!.id, 404],
      [companies[0]!.id, 200],
    ]) {
      await asOwner(server, 'update login set company_id = $2 where id = $1', [login.id, company])
      expect((await dataFor(token)).status).toBe(status)
    }
    await asOwner(server, 'update session set ended_at = now() where login_id = $1', [login.id])
    expect((await dataFor(token)).status).toBe(404)
  })

  it('opens nothing once the board’s address is not allowed, or belongs to another server', async () => {
    const { token } = (await tokenFor(supplier, boards.supplier!)).body
    const move = (to: string) =>
      asOwner(server, 'update dashboard set domain_url = $2 where dashboard_id = $1', [boards.supplier, to])
    await move('https://elsewhere.example')
    expect((await dataFor(token)).status).toBe(404)
    await move('https://analytics.pillar.example')
    expect((await dataFor(token)).status).toBe(200)
    const { services } = server
    services.superset = { guestToken: () => Promise.reject(new Error('never asked')) }
    expect((await dataFor(token)).status).toBe(404)
    services.superset = null
  })

  it('opens its own board and no other', async () => {
    const answer = await openBoard(boards.industry!, { drug_class: 'Statins', dashboard_id: boards.supplier })
    expect(answer).toMatchObject({ dashboard_type: 'Industry Dashboard' })
    expect(answer.shares.every((one) => !one.own)).toBe(true)
  })
})

describe('the content of a board', () => {
  it('is the supplier’s products against the rest of the drug type, for all pharmacies', async () => {
    const answer = await openBoard(boards.supplier!)
    expect(answer).toMatchObject({ drug_class: 'Statins', months: ['2026-10'], pharmacies: [9], year: null })
    // 9 pharmacies of 10, 20 and 20 scripts, and 7 of one company.
    expect(answer.scripts).toEqual([457])
    const cardaxa = answer.shares.find((one) => one.own)!
    expect(cardaxa).toEqual({ label: 'Cardaxa', own: true, values: [90 / 457] })
    expect((await openBoard(boards.supplier!, { drug_class: 'Unheard of' })).drug_class).toBe('Statins')
  })

  it('hides what only one company sells, and what would reveal it', async () => {
    const answer = await openBoard(boards.industry!)
    const named = Object.fromEntries(answer.shares.map((one) => [one.label, one.values[0]]))
    expect(named).not.toHaveProperty('fluvastatin')
    const { parts } = (
      await asOwner<{ parts: { scripts: { of: string[][]; n: number }[] } }>(
        server,
        'select parts from board_publication where company_id = $1 and period = $2',
        [companies[0]!.id, OCTOBER],
      )
    )[0]!
    const bundle = parts.scripts.find((one) => one.of.some(([, molecule]) => molecule === 'fluvastatin'))!
    expect(bundle.of.length).toBeGreaterThan(1)
  })

  it('never changes once published', async () => {
    const before = await openBoard(boards.supplier!)
    await asOwner(server, 'delete from script where location_id = $1', [companies[4]!.places[0]!.id])
    expect(await publishBoards(server.services)).toBe(0)
    expect(await openBoard(boards.supplier!)).toEqual(before)
  })

  it('is published after the product average it is divided by, and to nobody who was not shown that', async () => {
    const unread = companies[2]!.id
    await addBoard(unread, 'Industry Dashboard')
    // Inactive or deleted boards make no product the company's own.
    for (const off of ['active = false', 'removed_at = now()'])
      await asOwner(server, `update dashboard set ${off} where dashboard_id = $1`, [
        await addBoard(unread, 'Supplier', ['Cardaxa']),
      ])
    const published = () =>
      asOwner(
        server,
        `select period, strpos(parts::text, 'Cardaxa') as own from board_publication where company_id = $1`,
        [unread],
      )
    await publishBoards(server.services)
    expect(await published()).toEqual([])
    await makeLogin(server, unread, { flags: ['supplier_analytics'] })
    await publishBoards(server.services)
    expect(await published()).toEqual([{ period: OCTOBER, own: 0 }])
  })

  it('can be read only by the company it was published to', async () => {
    const { app } = server.services.pools
    const scope = { companyId: companies[1]!.id, locationIds: [] }
    const seen = await inScope(app, scope, (tx) =>
      tx.selectFrom('board_publication').select('company_id').distinct().execute(),
    )
    expect(seen).toEqual([{ company_id: companies[1]!.id }])
    const facts = await inScope(app, scope, (tx) => tx.selectFrom('board_fact').selectAll().execute())
    expect(facts).toEqual([])
    expect((await tokenFor(rival, rivalBoard)).status).toBe(200)
    for (const { places } of companies) for (const { id } of places) await complete(server, id, 202609)
    await publishBoards(server.services)
    expect(await asOwner(server, 'select from board_fact where period = 202609')).toHaveLength(9)
  })
})

describe('the figures of a board', () => {
  /** Uses all but one of a counter's points. */
  const spend = (prefix: string, points: number) =>
    asOwner(server, 'update throttle set points = $2 where key like $1 returning key', [`${prefix}:%`, points - 1])

  it('are limited per session, and others still get them', async () => {
    const { token } = (await tokenFor(supplier, boards.supplier!)).body
    expect((await dataFor(token)).status).toBe(200)
    await spend('bred', READS)
    expect((await dataFor(token)).status).toBe(200)
    const refused = await server.call<{ message: string }>('/api/board-data', { token })
    expect([refused.status, refused.body.message]).toEqual([429, expect.stringContaining('Please wait')])
    const again = await signIn(server, await makeLogin(server, companies[0]!.id, { flags: ['supplier_analytics'] }))
    expect((await dataFor((await tokenFor(again, boards.supplier!)).body.token)).status).toBe(200)
    await asOwner(server, "delete from throttle where key like 'bred:%'")
  })

  it('slow down for a network that guesses tokens, but a good token still works', async () => {
    expect((await dataFor('guess')).status).toBe(404)
    await spend('bded', DEAD_TOKENS)
    expect((await dataFor('guess')).status).toBe(404)
    expect((await dataFor('guess')).status).toBe(429)
    expect((await dataFor((await tokenFor(supplier, boards.supplier!)).body.token)).status).toBe(200)
    await asOwner(server, "delete from throttle where key like 'bded:%'")
  })
})

describe('with an analytics server', () => {
  it('the token is Superset’s, and its outage is a sentence', async () => {
    const { services } = server
    const before = services.superset
    superset.dashboards = [boards.supplier!]
    const { openSuperset } = await import('../../gateways/superset.ts')
    services.superset = openSuperset({
      SUPERSET_URL: superset.url,
      SUPERSET_USER: 'pillar',
      SUPERSET_PASSWORD: 'a long password',
    })
    const { body } = await tokenFor(supplier, boards.supplier!)
    expect(decodeJwt(body.token)).toMatchObject({ rls_rules: [{ clause: `company_id = ${companies[0]!.id}` }] })
    expect((await tokenFor(supplier, rivalBoard)).status).toBe(404)
    const list = await server.call<List>('/api/get-dashboards', {}, supplier.bearer)
    expect(list.body[0]!.domain_url).toBe('https://analytics.pillar.example')
    // A Superset's token opens none of our own boards.
    expect((await dataFor(body.token)).status).toBe(404)
    superset.answer = () => false
    const away = await tokenFor(supplier, boards.supplier!)
    expect([away.status, away.body.message]).toEqual([503, expect.stringContaining('cannot be reached')])
    services.superset = before
  })
})
