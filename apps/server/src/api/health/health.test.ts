import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asOwner } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { openPools } from '../../db/database.ts'
import { openFigures } from './figures.ts'

const TOKEN = 'a-token-of-sixteen-and-more'

let open: TestServer
let guarded: TestServer
beforeAll(async () => {
  open = await startTestServer()
  guarded = await startTestServer({ env: { METRICS_TOKEN: TOKEN } })
})
afterAll(async () => {
  await open.close()
  await guarded.close()
})

const read = (server: TestServer, headers: Record<string, string> = {}, remoteAddress = '127.0.0.1') =>
  server.app.inject({ method: 'GET', url: '/metrics', headers, remoteAddress })

it('/metrics says how long public holidays are known', async () => {
  const days = async () => Number(/^pillar_holidays_known_days (.+)$/m.exec((await read(open)).body)?.[1])
  open.clock.offsetMs = Date.parse('2028-12-30T01:00:00Z') - Date.now()
  const before = await days()
  open.clock.offsetMs += 5 * 86_400_000
  expect([before, await days()]).toEqual([1, -4])
  open.clock.offsetMs = 0
})

describe('access to /metrics', () => {
  it('is open to programs on this machine when no token is set', async () => {
    for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1', '127.8.9.10']) {
      const reply = await read(open, {}, address)
      expect([address, reply.statusCode]).toEqual([address, 200])
      expect(reply.headers['content-type']).toContain('text/plain')
      expect(reply.body).toContain('# TYPE pillar_request_seconds histogram')
      expect(reply.body).toContain('\npillar_database_up 1\n')
    }
  })

  it('is refused to other machines and through a proxy', async () => {
    const nowhere = await open.app.inject({ method: 'POST', url: '/api/nothing', payload: {} })
    const passedOn: Record<string, string>[] = [
      { 'x-forwarded-for': '203.0.113.4' },
      { 'x-forwarded-for': '127.0.0.1' },
      { 'x-forwarded-for': '' },
      { forwarded: 'for=127.0.0.1' },
      { 'x-real-ip': '127.0.0.1' },
      { 'x-forwarded-proto': 'https' },
      { via: '1.1 proxy' },
    ]
    const strangers = [
      ...passedOn.map((headers) => read(open, headers)),
      ...['203.0.113.4', '10.0.0.1', '::ffff:10.0.0.1', 'fe80::1', '128.0.0.1', '1270.0.0.1'].map((address) =>
        read(open, {}, address),
      ),
      read(open, { authorization: `Bearer ${TOKEN}` }, '203.0.113.4'),
    ]
    for (const reply of await Promise.all(strangers)) {
      expect([reply.statusCode, reply.body]).toEqual([404, nowhere.body])
    }
  })

  it('needs the token from everyone when one is set', async () => {
    const wrong = ['', 'Bearer', 'Bearer x', `Bearer ${TOKEN}x`, `Bearer ${TOKEN.slice(1)}`, `Basic ${TOKEN}`, TOKEN]
    for (const authorization of wrong) {
      const reply = await read(guarded, authorization === '' ? {} : { authorization })
      expect([authorization, reply.statusCode]).toEqual([authorization, 401])
      expect(reply.body).not.toContain('pillar_')
    }
    const right = { authorization: `Bearer ${TOKEN}` }
    expect((await read(guarded, right)).statusCode).toBe(200)
    expect((await read(guarded, { ...right, 'x-forwarded-for': '203.0.113.4' }, '10.0.0.1')).statusCode).toBe(200)
  })
})

describe('the process’s own resources', () => {
  it('are reported: connections in use and waited for, and room on the disk', async () => {
    const value = async (name: string) =>
      Number(
        (await read(open)).body
          .split('\n')
          .find((line) => line.startsWith(`${name} `))
          ?.split(' ')[1],
      )
    const { system } = open.services.pools
    const before = await value('pillar_pool_connections{pool="system",state="in_use"}')
    await system.connection().execute(async () => {
      expect(await value('pillar_pool_connections{pool="system",state="in_use"}')).toBe(before + 1)
    })
    expect(await value('pillar_pool_connections{pool="app",state="waiting"}')).toBe(0)
    expect(await value('pillar_pool_limit{pool="app"}')).toBe(6)
    const free = await open.services.disk.freeBytes(open.services.env.DATA_DIR)
    expect(Math.abs((await value('pillar_disk_free_bytes')) / free - 1)).toBeLessThan(0.1)
  })

  it('are reported before any request has come', async () => {
    const fresh = await startTestServer()
    expect((await read(fresh)).body).toContain('\npillar_request_seconds_count{call="page",status="200"} 0\n')
    await fresh.close()
  })

  it('include refused uploads from 0: if a count began at 1, Prometheus would see no increase and no alert would fire', async () => {
    const { body } = await read(open)
    for (const status of ['503', '507'])
      expect(body).toContain(`\npillar_request_seconds_count{call="upload.send",status="${status}"} 0\n`)
  })

  it('count a call that finds the disk of the database full as failed; refused uploads have their own alert', async () => {
    const figures = openFigures(open.services)
    for (const [call, status] of [
      ['campaign.list', 500],
      ['campaign.list', 507],
      ['campaign.list', 503],
      ['upload.send', 507],
    ] as const)
      figures.answered(call, status, 0.1)
    const { text } = await figures.text()
    expect(text.match(/^pillar_requests_failed_total.*$/gm)).toEqual([
      'pillar_requests_failed_total{call="campaign.list"} 2',
    ])
  })

  it('have no figure for a disk that cannot be read', async () => {
    const { disk } = open.services
    open.services.disk = { freeBytes: () => Promise.reject(new Error('gone')) }
    try {
      expect((await read(open)).body).not.toMatch(/^pillar_disk_free_bytes \d/m)
    } finally {
      open.services.disk = disk
    }
  })
})

it('PillarProcessBusy reads a figure that tells of a process blocked for seconds at a time', async () => {
  const [, figure] = /alert: PillarProcessBusy[\s\S]*?by \(instance\) \((\w+)\) > 1/.exec(
    readFileSync('deploy/observe/alerts.yaml', 'utf8'),
  )!
  const seconds = async () => Number(new RegExp(`^${figure} (.+)$`, 'm').exec((await read(open)).body)?.[1])
  await seconds()
  for (let times = 0; times < 2; times++) {
    for (const ends = performance.now() + 1_200; performance.now() < ends; );
    // As little as other work leaves it between two such blocks: a hundred ordinary delays and more.
    await new Promise((done) => setTimeout(done, 1_000))
  }
  expect(await seconds()).toBeGreaterThan(1)
})

describe('readiness', () => {
  it('is reported, or what is missing, and nothing more', async () => {
    const ready = async () => {
      const reply = await guarded.app.inject({ method: 'GET', url: '/readyz', remoteAddress: '203.0.113.4' })
      return [reply.statusCode, reply.json()]
    }
    expect(await ready()).toEqual([200, { status: 'ready' }])
    const { system } = guarded.services.pools
    const dead = openPools('postgres://nobody@127.0.0.1:9/none', () => {}, 1)
    guarded.services.pools.system = dead.system
    try {
      expect(await ready()).toEqual([503, { status: 'not ready', missing: ['The database does not answer.'] }])
      // No figure is better than one that suggests all is well.
      const text = (await read(guarded, { authorization: `Bearer ${TOKEN}` })).body
      expect(text).toContain('\npillar_database_up 0\n')
      expect(text).not.toMatch(/^pillar_(messages|jobs|uploads|gateway|follow)/m)
      expect(text).toContain('# TYPE pillar_request_seconds histogram')
    } finally {
      guarded.services.pools.system = system
      await dead.close()
    }
    expect(await ready()).toEqual([200, { status: 'ready' }])
  })

  const lacks = async (sentence: string) => {
    const reply = await guarded.app.inject({ method: 'GET', url: '/readyz' })
    expect([reply.statusCode, reply.json()]).toEqual([503, { status: 'not ready', missing: [sentence] }])
    expect((await guarded.app.inject({ method: 'GET', url: '/healthz' })).statusCode).toBe(200)
  }

  it('says when the schema is older than the program', async () => {
    await asOwner(guarded, `update migration set name = '0025_other' where name = '0025_queue_role'`)
    await lacks('The database lacks migrations of this version: restart it.')
    await asOwner(guarded, `update migration set name = '0025_queue_role' where name = '0025_other'`)
  })

  it('fails if the process may open no more connections, which is no fault of the database', async () => {
    const { check } = guarded.services.queue
    guarded.services.queue.check = () => Promise.reject(Object.assign(new Error('connect'), { code: 'EMFILE' }))
    await lacks('This process has as many files and connections open as it may: raise its limit (ulimit -n).')
    guarded.services.queue.check = check
  })

  it('fails if the job queue has disappeared', async () => {
    await asOwner(guarded, 'alter table pgboss.version rename to gone')
    await lacks('The job queue does not answer.')
    await asOwner(guarded, 'alter table pgboss.gone rename to version')
  })

  it('reports that the embedded database is restarting', async () => {
    guarded.services.databaseTrouble = () => 'The database stopped and is being started again.'
    await lacks('The database stopped and is being started again.')
    delete guarded.services.databaseTrouble
  })
})
