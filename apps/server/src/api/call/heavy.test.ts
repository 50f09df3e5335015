import { type Call, contract } from '@pillar/contract'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeCompany, makeLocation, makeLogin, signIn } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { Turns } from './heavy.ts'

const COHORT = contract.campaign.cohort.path
const here = new AbortController().signal

let server: TestServer
let one: { headers: Record<string, string>; uuid: string }
let other: typeof one
let holder: pg.Client

beforeAll(async () => {
  server = await startTestServer({ env: { HEAVY_AT_ONCE: '2' } })
  ;[one, other] = [await headOffice(), await headOffice()]
  holder = new pg.Client({ connectionString: server.ownerUrl })
  await holder.connect()
})
afterAll(async () => {
  await holder.end()
  await server.close()
})

async function headOffice() {
  const { id } = await makeCompany(server)
  const { uuid } = await makeLocation(server, id)
  const { bearer } = await signIn(server, await makeLogin(server, id, { flags: ['data_analytics'] }))
  return { headers: bearer, uuid }
}

const cohort = (who: typeof one) => server.call(COHORT, { filters: {}, pharmacies: [who.uuid] }, who.headers)
const table = (who: typeof one) =>
  server.call(
    contract.financials.table.path,
    { category: 'Drug Type', pharmacies: [who.uuid], year: 2026 },
    who.headers,
  )

describe('50 cohorts of one company at once', () => {
  it('run two at a time: some wait, the rest get a 429 with a wait, and other companies are unaffected', async () => {
    expect((await cohort(one)).status).toBe(200)
    expect((await table(other)).status).toBe(200)
    await holder.query('begin; lock table patient_fact')
    const answers: { status: number; after: unknown; body: Record<string, unknown> }[] = []
    const asked = Array.from({ length: 50 }, async () => {
      const { status, headers, body } = await cohort(one)
      answers.push({ status, after: headers['retry-after'], body })
    })
    await expect.poll(() => answers.length).toBe(50 - 2 - 16)
    for (const answer of answers)
      expect(answer).toMatchObject({
        status: 429,
        after: '2',
        body: { code: 'too_many', message: expect.stringContaining('try again in a few seconds') },
      })
    // Six connections in all: without turns, these calls would wait for one.
    const began = performance.now()
    expect((await table(other)).status).toBe(200)
    expect((await server.call(contract.template.list.path, {}, one.headers)).status).toBe(200)
    expect(performance.now() - began).toBeLessThan(5000)
    await expect.poll(() => answers.length, { timeout: 5_000 }).toBe(48)
    await holder.query('rollback')
    await Promise.all(asked)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2)
    expect((await cohort(one)).status).toBe(200)
  })
})

describe('turns', () => {
  const held = () => {
    let end = () => {}
    const over = new Promise<void>((done) => {
      end = done
    })
    return { over, end }
  }

  it('are given in order, and none is lost when work fails', async () => {
    const turns = new Turns(1)
    const order: number[] = []
    const first = held()
    const all = [
      turns.run(1, here, () => first.over),
      turns.run(1, here, async () => {
        order.push(1)
        throw new Error('broken')
      }),
      turns.run(1, here, async () => void order.push(2)),
      turns.run(2, here, async () => void order.push(0)),
    ]
    await all[3]
    first.end()
    expect((await Promise.allSettled(all)).map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
    ])
    expect(order).toEqual([0, 1, 2])
    expect(turns.busy).toBe(0)
  })

  it('of a crowd pause as long as they worked, and those of one screen do not', async () => {
    const turns = new Turns(1)
    const times = async (count: number) => {
      const ends: number[] = []
      const work = async () => {
        await new Promise((done) => setTimeout(done, 200))
        ends.push(performance.now())
      }
      await Promise.all(Array.from({ length: count }, () => turns.run(1, here, work)))
      return ends.slice(1).map((end, index) => end - ends[index]!)
    }
    expect(Math.max(...(await times(4)))).toBeLessThan(390)
    // Six are waiting at first: each turn is followed by a rest until the queue falls below the crowd size.
    const [first] = await times(7)
    expect(first).toBeGreaterThan(390)
    expect(turns.busy).toBe(0)
  })

  it('of a disconnected caller are dropped without running', async () => {
    const turns = new Turns(1)
    const first = held()
    const running = turns.run(1, here, () => first.over)
    const away = new AbortController()
    let ran = false
    const waiting = turns.run(1, away.signal, async () => {
      ran = true
    })
    away.abort()
    await expect(waiting).rejects.toMatchObject({ code: 'too_many' })
    first.end()
    await running
    expect([ran, turns.busy]).toEqual([false, 0])
  })
})

it('only reads are heavy: a write would use up its step-up while waiting', () => {
  const heavy = Object.values(contract).flatMap((group) =>
    (Object.values(group) as Call[]).filter((call) => call.heavy),
  )
  expect(heavy.length).toBeGreaterThan(10)
  for (const { kind } of heavy) expect(kind).toBe('read')
})
