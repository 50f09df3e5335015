import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { databaseProxy } from '../../../test/database-proxy.ts'
import type { Replicated } from '../../../test/replica/pair.ts'
import { makeReplicaWorld, type ReplicaWorld } from '../../../test/replica/world.ts'
import type { TestPharmacy, UploadServer } from '../../../test/upload.ts'
import { Replica } from './replica.ts'

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

describe('a replica that fails', () => {
  it('in the middle of a read, cancelled by replay, costs a second read and no error', async () => {
    await pair.on('primary', 'create table if not exists scrap as select generate_series(1, 1000) as n')
    await pair.caughtUp()
    let begun = 0
    const where = await counted(async () => {
      const reading = replica.read(pharmacy.companyId, async (tx) => {
        if (begun++ > 0) return 'read'
        await sql`select count(*), pg_sleep(2.5) from location`.execute(tx)
        return 'not cancelled'
      })
      await new Promise((done) => setTimeout(done, 300))
      await pair.on('primary', 'delete from scrap')
      await pair.on('primary', 'vacuum scrap')
      expect(await reading).toBe('read')
    })
    expect([where, begun]).toEqual([{ conflict: 1 }, 2])
  })

  it('in a read of more than 3 s leaves time for the primary', async () => {
    let begun = 0
    const began = performance.now()
    const where = await counted(() =>
      replica.read(pharmacy.companyId, async (tx) => {
        if (begun++ === 0) await sql`select pg_sleep(5)`.execute(tx)
      }),
    )
    expect([where, begun, replica.used]).toEqual([{ away: 1 }, 2, true])
    expect(performance.now() - began).toBeLessThan(4_500)
    expect(await counted(stats)).toEqual({ replica: 1 })
  })

  it('by freezing delays the first reads for half a second and the next ones not at all', async () => {
    pair.signalReplica('SIGSTOP')
    try {
      const took = async () => {
        const began = performance.now()
        expect((await stats()).status).toBe(200)
        return performance.now() - began
      }
      expect(await took()).toBeLessThan(2_000)
      expect(replica.used).toBe(false)
      // A read that asked the replica again would wait half a second each time, and this machine may be busy during any one of them.
      const next: number[] = []
      const five = async () => {
        while (next.length < 5) next.push(await took())
      }
      expect(await counted(five)).toEqual({ away: 5 })
      expect(Math.min(...next)).toBeLessThan(400)
    } finally {
      pair.signalReplica('SIGCONT')
    }
    await world.inStep()
    expect(await counted(stats)).toEqual({ replica: 1 })
  })

  it('by stopping is left alone, and used again once it is back', async () => {
    expect(await counted(stats)).toEqual({ replica: 1 })
    await pair.stopReplica()
    for (let at = 0; at < 5; at++) expect((await stats()).status).toBe(200)
    await replica.look()
    expect(replica.sentence).toMatch(/^The replica is not asked: it does not answer/)
    expect(replica.lag).toBeNull()
    await world.dispense('C', 1)
    expect((await stats()).status).toBe(200)
    await pair.startReplica()
    await world.inStep()
    expect(await counted(stats)).toEqual({ replica: 1 })
  })

  it('is no error for a refused call: the refusal stands', async () => {
    const nobody = '01980000-0000-7000-8000-0000000000ff'
    const where = await counted(async () => {
      const { status } = await server.call('/api/enterprise-pharmacy', { pharmacy_id: nobody, ...year }, world.bearer)
      expect(status).toBe(404)
    })
    expect(where).toEqual({ replica: 1 })
  })
})

describe('a server that is not a replica of this database', () => {
  const opened = async (url: string) => {
    const env = { ...server.services.env, DATABASE_REPLICA_URL: url }
    const other = (await Replica.open(env, server.services.pools, server.services.log))!
    await other.look()
    const { sentence, used } = other
    await other.close()
    return { sentence, used }
  }

  it('is not used: the primary itself, another database of the server, a login with too many rights, or behind a pooler', async () => {
    const itself = await opened(pair.servingUrl)
    expect(itself).toEqual({ used: false, sentence: 'The replica is not asked: it is not a standby.' })
    const template = pair.replicaUrl.replace('/pillar?', '/postgres?')
    expect((await opened(template)).used).toBe(false)
    const superuser = await opened(pair.replicaUrl.replace('pillar_server', 'postgres'))
    expect(superuser.used).toBe(false)
    expect(superuser.sentence).toContain('is a superuser')
    const pooler = await databaseProxy(pair.replicaUrl, { options: 'ignored' })
    const pooled = await opened(pooler.url).finally(() => pooler.close())
    expect(pooled.used).toBe(false)
    expect(pooled.sentence).toContain('is a pooler')
  })

  it('is never used beside the embedded database', async () => {
    const env = { ...server.services.env, DATABASE_URL: undefined }
    await expect(Replica.open(env, server.services.pools, server.services.log)).rejects.toThrow('needs DATABASE_URL')
  })
})

describe('a primary that was restored or failed over', () => {
  it('stops a replica that still follows the old one from answering, even if it is further ahead in the log', async () => {
    const before = (await stats()).body.scripts.total
    await pair.keepPrimary()
    await expect.poll(async () => (await stats()).status, { timeout: 20_000 }).toBe(200)
    await world.dispense('F', 2)
    await world.inStep()
    expect((await stats()).body.scripts.total).toBe(before + 2)
    await pair.failOver()
    await expect.poll(async () => (await stats()).status, { timeout: 20_000 }).toBe(200)
    const where = await counted(async () => expect((await stats()).body.scripts.total).toBe(before))
    expect(where).toEqual({ behind: 1 })
    await world.looked(false)
    expect(replica.sentence).toBe('The replica is not asked: it does not show that it follows this primary.')
  })
})
