import { rm } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Cluster, findCitus, startCluster } from '../../../../tools/cluster/nodes.ts'
import { openPools } from '../../src/db/database.ts'
import { checkPlacement, distribute } from '../../src/db/distribute/distribute.ts'
import { createLocation, ensureCompany } from '../../src/features/location/location.queries.ts'
import { createLogin } from '../../src/features/session/login.queries.ts'
import { sendScripts } from '../process/drill-world.ts'
import { type RunningPillar, startPillar, temporaryFolder } from '../running-pillar.ts'
import { copyTemplate, makeTemplate, openCluster } from './cluster-database.ts'

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })
const { CITUS_URL, DEEP } = process.env
const program = CITUS_URL || DEEP ? await findCitus() : null
/** Not the ports of the cluster that other tests share. */
const PORT = 8620
const PASSWORD = 'Of-this-test-alone-1'
const DATABASE = 'lost'
const COMPLETED = 'COMPLETED'
const HEAD = 'script_id,dispensed_on,patient_id,drug_id,units,patient_type,patient_price'

function inDatabase(url: string): string {
  const one = new URL(url)
  one.pathname = `/${DATABASE}`
  return one.href
}

describe.runIf(program)('a worker of a cluster', () => {
  let cluster: Cluster
  let pillar: RunningPillar
  let ownerUrl: string
  let folder: string
  let token: string
  const pharmacies: { uuid: string; key: string }[] = []

  beforeAll(async () => {
    folder = await temporaryFolder(DATABASE)
    // A killed worker keeps what it acknowledged.
    cluster = await startCluster(program!, { synchronous_commit: 'on', 'citus.recover_2pc_interval': '2s' }, PORT)
    const nodes = await openCluster(cluster.url)
    await makeTemplate(nodes, cluster.url, () => {})
    await copyTemplate(nodes, DATABASE)
    const servingUrl = inDatabase(nodes.servingUrl)
    ownerUrl = inDatabase(nodes.ownerUrl)
    const pools = openPools(servingUrl, () => {}, 2)
    const { id: companyId } = await ensureCompany(pools.system, { name: 'Lost', country: 'AU' })
    const names = { username: 'lost', email: 'lost@lost.example', first_name: 'Lo', last_name: 'St' }
    await createLogin(pools.system, { companyId, ...names, flags: ['data_analytics'], password: PASSWORD })
    const place = { country: 'AU', time_zone: 'Australia/Melbourne', data_source: 'canonical' } as const
    const address = { street_address: null, town: null, region: 'VIC', postcode: '3121', phone_number: null }
    for (let at = 1; at <= 8; at++) {
      const location = { companyId, name: `P${at}`, ...address, latitude: null, longitude: null, ...place }
      pharmacies.push(await createLocation(pools.system, location))
    }
    await pools.close()
    const settings = { DATABASE_URL: servingUrl, DATABASE_OWNER_URL: ownerUrl, DATA_DIR: folder, UPLOAD_FREE_MB: '0' }
    pillar = await startPillar(settings)
    const { body } = await call('/api/enterprise-login', { name: 'lost', password: PASSWORD })
    token = body.access_token
  })
  afterAll(async () => {
    await pillar?.end('SIGTERM')
    await cluster?.close()
    await rm(folder, { recursive: true, force: true })
  })

  async function call(path: string, asked: unknown) {
    const began = performance.now()
    const headers = { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) }
    const answer = await fetch(pillar.url + path, { method: 'POST', headers, body: JSON.stringify(asked) })
    return { status: answer.status, body: await answer.json(), ms: performance.now() - began }
  }

  /** The same files for every pharmacy. @returns reads the state of each upload */
  const sendAll = (files: Record<string, string> = {}) =>
    Promise.all(pharmacies.map(({ key }) => sendScripts(pillar.url, key, files)))
  const statesOf = (uploads: readonly (() => Promise<string>)[]) => Promise.all(uploads.map((state) => state()))
  const loaded = (uploads: readonly (() => Promise<string>)[]) =>
    expect.poll(() => statesOf(uploads), { timeout: 120_000, interval: 500 }).toEqual(pharmacies.map(() => COMPLETED))
  const oneMore = (number: number) => ({ scripts: `${HEAD}\nN${number},2026-07-0${number},P1,A,30,General,7.70` })

  /** The financial year 2025-26 or the next, over all pharmacies. */
  const table = (year = 2025) =>
    call('/api/enterprise-pharmacy-table', {
      ...{ category: 'Drug Type', pharmacies: pharmacies.map(({ uuid }) => uuid), locale: 'AU', period: 'year', year },
    })

  /** The table's values for every pharmacy: all sent the same. */
  async function sameOfAll(year: number) {
    const { status, body } = await table(year)
    expect(status).toBe(200)
    const rows = (body.pharmacies as { cells: Record<string, unknown> }[]).map(({ cells }) => cells)
    expect(rows).toHaveLength(pharmacies.length)
    for (const row of rows) expect(row).toEqual(rows[0])
    return rows[0] as Record<string, { script_count: number }>
  }

  it('that is lost affects only figures, which is reported at once; uploads of its pharmacies wait for it', async () => {
    await loaded(await sendAll())
    const before = await sameOfAll(2025)
    expect(before.TOTAL?.script_count).toBe(500)
    const [worker] = cluster.workers
    await worker!.stop()
    const uploads = await sendAll(oneMore(1))
    const { status, body, ms } = await table()
    expect({ status, body }).toEqual({
      status: 503,
      body: expect.objectContaining({
        message: 'The database does not answer. Nothing was changed. Please try again in a moment.',
      }),
    })
    expect(ms).toBeLessThan(10_000)
    expect((await call('/api/messaging/replies', {})).status).toBe(200)
    await expect
      .poll(async () => (await statesOf(uploads)).filter((state) => state === COMPLETED).length, { timeout: 60_000 })
      .toBeGreaterThan(0)
    await pause(2000)
    const states = new Set(await statesOf(uploads))
    expect(states).toEqual(new Set([COMPLETED, 'RECEIVED']))
    await worker!.start()
    await loaded(uploads)
    expect(await sameOfAll(2025)).toEqual(before)
    expect((await sameOfAll(2026)).TOTAL?.script_count).toBe(1)
  })

  it('that is killed again and again while pharmacies upload loses and doubles nothing', async () => {
    for (let number = 2; number <= 4; number++) {
      const uploads = await sendAll(oneMore(number))
      for (const worker of cluster.workers) {
        await pause(150 * number)
        worker.crash()
      }
      await loaded(uploads)
    }
    // Citus completes half-committed work within its interval.
    await expect.poll(async () => (await sameOfAll(2026)).TOTAL?.script_count, { timeout: 30_000 }).toBe(4)
    expect(await sameOfAll(2025)).toMatchObject({ TOTAL: { script_count: 500 } })
    const owner = new pg.Client({ connectionString: ownerUrl })
    await owner.connect()
    const { rows } = await owner.query('select location_id, count(*)::int as n from script group by 1')
    await owner.end()
    expect(rows.map(({ n }) => n)).toEqual(pharmacies.map(() => 504))
  })

  it('can be emptied and filled again while pharmacies upload; its shards come back to the fast form of row security', async () => {
    const admin = new pg.Client({ connectionString: inDatabase(cluster.url) })
    await admin.connect()
    const shards = async () => {
      const { rows } = await admin.query(
        'select count(*)::int as n from pg_dist_placement join pg_dist_node using (groupid) where nodeport = $1',
        [cluster.workers[1]!.port],
      )
      return rows[0].n as number
    }
    const there = await shards()
    expect(there).toBeGreaterThan(0)
    const uploads = await sendAll(oneMore(5))
    await admin.query(`select citus_drain_node('127.0.0.1', $1, 'block_writes')`, [cluster.workers[1]!.port])
    expect(await shards()).toBe(0)
    await loaded(uploads)
    const again = await sendAll(oneMore(6))
    await admin.query(`select citus_set_node_property('127.0.0.1', $1, 'shouldhaveshards', true)`, [
      cluster.workers[1]!.port,
    ])
    await admin.query(`select citus_rebalance_start(shard_transfer_mode := 'block_writes')`)
    await admin.query('select citus_rebalance_wait()')
    expect(await shards()).toBe(there)
    await admin.end()
    await loaded(again)
    expect((await sameOfAll(2026)).TOTAL?.script_count).toBe(6)
    expect((await checkPlacement(ownerUrl)).join()).toContain('row')
    await distribute(ownerUrl, () => {})
    expect(await checkPlacement(ownerUrl)).toEqual([])
    expect((await sameOfAll(2026)).TOTAL?.script_count).toBe(6)
  })
})
