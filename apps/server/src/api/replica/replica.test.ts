import { type Call, contract } from '@pillar/contract'
import { everyCall } from '@pillar/contract/every-call'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bodyFor } from '../../../test/every-call/every-call-values.ts'
import { MORPHINE, productsFile } from '../../../test/register.ts'
import type { Replicated } from '../../../test/replica/pair.ts'
import { FIGURE_FLAGS, makeReplicaWorld, type ReplicaWorld } from '../../../test/replica/world.ts'
import type { TestPharmacy, UploadServer } from '../../../test/upload.ts'
import { bringUpToDate } from '../../features/sixty-day/sixty-day.jobs.ts'
import { followUp } from '../../features/upload/after-upload.jobs.ts'
import type { Context } from '../context.ts'
import { Replica } from './replica.ts'
import { tellingReplica } from './wrote.ts'

const MOVED = everyCall.filter(({ call }) => call.replica)

let world: ReplicaWorld
let pair: Replicated
let server: UploadServer
let replica: Replica
let pharmacy: TestPharmacy
let counted: ReplicaWorld['counted']
let stats: ReplicaWorld['stats']

beforeAll(async () => {
  world = await makeReplicaWorld()
  ;({ pair, server, replica, pharmacy, counted, stats } = world)
}, 180_000)
beforeEach(() => world.inStep())
afterEach(() => pair.resume().catch(() => {}))
afterAll(() => world?.close())

const year = { year: 2026 }
const scripts = async (who = world.bearer) => (await stats(who)).body.scripts.total

describe('reads that a replica may answer', () => {
  it('are reads of the company’s own figures that write nothing', () => {
    expect(MOVED.length).toBeGreaterThan(12)
    for (const { name, call } of MOVED) {
      const { kind, scratch, waits, long, stepUp, reach, needs } = call
      expect([name, kind, scratch, waits, long, stepUp, reach]).toEqual([name, 'read', ...Array(5).fill(undefined)])
      expect(FIGURE_FLAGS).toContain(needs)
    }
  })

  it('have the same answer from the replica as from the primary', async () => {
    const refused: string[] = []
    for (const { name, call } of MOVED) {
      const drugs = name === 'financials.opportunity' ? { category: 'Molecule', subcategory: 'Atorvastatin' } : {}
      const body = { ...(bodyFor(call, world.place) as object), ...drugs }
      const ask = () => server.call(call.path, body, world.bearer)
      let moved: Awaited<ReturnType<typeof ask>> | undefined
      const where = await counted(async () => {
        moved = await ask()
      })
      server.services.replica = undefined
      const here = await ask()
      server.services.replica = replica
      expect([name, where, moved!.status, moved!.body]).toEqual([name, { replica: 1 }, here.status, here.body])
      if (here.status !== 200) refused.push(name)
    }
    expect(refused).toEqual([])
    expect(await scripts()).toBe(3)
  })

  it('see no other company there, and cannot write', async () => {
    let status = 0
    const where = await counted(async () => {
      status = (await stats(world.rival)).status
    })
    expect([where, status]).toEqual([{ replica: 1 }, 404])
    const seen = await replica.read(pharmacy.companyId, async (tx) => {
      const { rows } = await sql<{ role: string; rows: number; standby: boolean; limit: string }>`
        select current_user as role, (select count(*) from script)::int as rows, pg_is_in_recovery() as standby,
          current_setting('statement_timeout') as limit`.execute(tx)
      return rows[0]
    })
    expect(seen).toEqual({ role: 'pillar_app', rows: 0, standby: true, limit: '8500ms' })
    await expect(sql`reset role`.execute(server.services.pools.app)).resolves.toBeDefined()
  })
})

describe('while the replica stands still', () => {
  it('an upload that is COMPLETED is seen by everybody in the company, and others still read from the replica', async () => {
    await pair.pause()
    const before = await scripts()
    await world.dispense('B', 4)
    for (const who of [world.bearer, world.colleague]) {
      expect(await counted(async () => expect(await scripts(who)).toBe(before + 4))).toEqual({ behind: 1 })
    }
    const others = () => server.call('/api/enterprise-init-info', year, world.rival)
    expect(await counted(others)).toEqual({ replica: 1 })
    await pair.resume()
    await pair.caughtUp()
    await world.inStep()
    expect(await counted(async () => expect(await scripts()).toBe(before + 4))).toEqual({ replica: 1 })
  })

  it('so is one with only a register', async () => {
    const held = pair.on('primary', `select pg_advisory_xact_lock(7301, ${pharmacy.id}), pg_sleep(4)`)
    await new Promise((done) => setTimeout(done, 200))
    const { uuid } = (await pharmacy.upload({ s8_products: productsFile([MORPHINE]) })).body
    await world.inStep()
    await pair.pause()
    expect(await counted(stats)).toEqual({ replica: 1 })
    await held
    expect(await pharmacy.settled(uuid)).toMatchObject({ etl_state: 'COMPLETED' })
    expect(await counted(stats)).toEqual({ behind: 1 })
  })

  it('people who wrote read what they wrote, in any web process', async () => {
    await pair.pause()
    expect(await counted(stats)).toEqual({ replica: 1 })
    const saved = await server.call(
      contract.savedView.create.path,
      bodyFor(contract.savedView.create, world.place) as object,
      world.bearer,
    )
    expect(saved.status).toBe(200)
    expect(await counted(stats)).toEqual({ behind: 1 })
    const other = (await Replica.open(server.services.env, server.services.pools, server.services.log))!
    await other.look()
    await other.read(pharmacy.companyId, async () => {})
    expect(other.counts).toMatchObject({ replica: 0 })
    await other.close()
  })

  it('the same holds if the write could not report its position: once it could, in every web process', async () => {
    const other = (await Replica.open(server.services.env, server.services.pools, server.services.log))!
    await world.inStep()
    await other.look()
    const elsewhere = async () => {
      const before = other.counts.replica
      await other.read(pharmacy.companyId, async () => {})
      return other.counts.replica > before ? 'replica' : 'primary'
    }
    await pair.pause()
    expect(await elsewhere()).toBe('replica')
    const body = { ...(bodyFor(contract.savedView.create, world.place) as object), name: 'Another' }
    await pair.on('primary', 'revoke insert on company_change from pillar_system')
    const saved = await server.call(contract.savedView.create.path, body, world.bearer)
    // Meanwhile the replica is checked as usual.
    replica.lag = null
    await replica.look()
    expect(replica.lag).not.toBeNull()
    await pair.on('primary', 'grant insert on company_change to pillar_system')
    expect(saved.status).toBe(200)
    expect(await counted(stats)).toEqual({ behind: 1 })
    await replica.look()
    expect([await elsewhere(), await counted(stats)]).toEqual(['primary', { behind: 1 }])
    await other.close()
  })

  it('support’s writes are seen by every company', async () => {
    await pair.pause()
    const others = () => server.call('/api/enterprise-init-info', year, world.rival)
    expect(await counted(others)).toEqual({ replica: 1 })
    await pair.on('primary', `update company set name = name || '!'`)
    const support = { companyId: pharmacy.companyId, flags: new Set(['sr_login']) } as unknown as Context['caller']
    const context = { services: server.services, caller: support, location: null } as unknown as Context
    expect(await tellingReplica(contract.company.edit as Call, context, Promise.resolve('made'))).toBe('made')
    expect(await counted(others)).toEqual({ behind: 1 })
  })

  it('positions of another server, from before a restore, keep nobody from the replica', async () => {
    await pair.on('primary', `update company_change set position = 'FFFF/0' where company_id = ${pharmacy.companyId}`)
    await world.inStep()
    expect(await counted(stats)).toEqual({ replica: 1 })
    await world.dispense('E', 1)
    await world.inStep()
    const [row] = await pair.on<{ ours: boolean }>(
      'primary',
      `select position <= pg_current_wal_lsn() as ours from company_change where company_id = ${pharmacy.companyId}`,
    )
    expect(row?.ours).toBe(true)
  })

  it('a load whose worker died before it could report its position counts as newest', async () => {
    await pair.pause()
    expect(await counted(stats)).toEqual({ replica: 1 })
    await pair.on('primary', `update company_change set position = null where company_id = ${pharmacy.companyId}`)
    expect(await counted(stats)).toEqual({ behind: 1 })
    expect(await counted(stats)).toEqual({ behind: 1 })
    await pair.resume()
    await world.dispense('D', 1)
    await expect.poll(world.openPositions).toBe(0)
  })

  it('results of jobs do not disappear from the next page either', async () => {
    await pair.pause()
    expect(await counted(stats)).toEqual({ replica: 1 })
    const { id, companyId } = pharmacy
    await followUp(server.services, companyId, id, ['60-day sums'])
    expect(await counted(stats)).toEqual({ behind: 1 })
    await pair.resume()
    await world.inStep()
    await pair.pause()
    expect(await counted(stats)).toEqual({ replica: 1 })
    await pair.on('primary', 'delete from sixty_day_base')
    await bringUpToDate(server.services)
    expect(await counted(stats)).toEqual({ behind: 1 })
  })

  it('beyond the limit nobody reads there, and the replica is reported', async () => {
    await pair.pause()
    await pair.on('primary', `update location set name = 'Older' where id = ${pharmacy.id}`)
    await world.looked(false)
    const others = () => server.call('/api/enterprise-init-info', year, world.rival)
    expect(await counted(others)).toEqual({ behind: 1 })
    expect(replica.sentence).toBe('The replica is not asked: it is more than 2 s behind.')
    expect(replica.lag!.seconds).toBeGreaterThan(2)
    expect(replica.lag!.bytes).toBeGreaterThan(0)
    const { body } = await server.app.inject({ method: 'GET', url: '/metrics', remoteAddress: '127.0.0.1' })
    expect(body).toMatch(/^pillar_replica_used 0$/m)
    expect(body).toMatch(/^pillar_replica_lag_seconds ([2-9]|\d\d)/m)
    expect(body).toMatch(/^pillar_replica_reads_total\{answered="behind"\} [1-9]/m)
    const ready = await server.app.inject({ method: 'GET', url: '/readyz' })
    expect([ready.statusCode, ready.json()]).toEqual([200, { status: 'ready', replica: replica.sentence }])
  })
})
