import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { makeMessagingWorld, makePatients, makeRun, statesOf } from '../../../test/messaging.ts'
import { type Peer, startPeer } from '../../../test/outside/peer.ts'
import { asOwner } from '../../../test/people.ts'
import { turn } from '../../../test/sending.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import type { Services } from '../../api/context.ts'

let peer: Peer
let server: TestServer
let services: Services
beforeAll(async () => {
  peer = await startPeer()
  const env = {
    ...{ SMS_GATEWAY: 'http', SMS_HTTP_URL: `${peer.url}/send?to={to}&text={text}`, SMS_SENDER: 'PHARMACY' },
    ...{ SMS_HTTP_SECRET: 'a-shared-secret-here', PUBLIC_URL: 'https://pillar.example/', SMS_PER_SECOND: '0' },
  }
  server = await startTestServer({ env })
})
afterAll(async () => {
  await server.close()
  await peer.close()
})

const PATIENTS = 60
let runId: number
beforeEach(async () => {
  await asOwner(server, 'truncate message_run, message_batch, message, gateway_pace cascade')
  const world = await makeMessagingWorld(server)
  const patients = await makePatients(server, world.locations[0]!.id, PATIENTS)
  runId = (await makeRun(server, world, { patients })).id
  // A freshly started process.
  services = { ...server.services }
})

const answer = (code: number) => {
  peer.answer = (_heard, response) => void response.writeHead(code).end(code === 200 ? 'ok' : '<h1>Bad Gateway</h1>')
}
/** How many seconds the gateway was left alone for, and why. */
const pause = async () => {
  const [row] = await asOwner<{ seconds: number; reason: string | null }>(
    server,
    'select round(extract(epoch from next_at - refused_at))::int as seconds, reason from gateway_pace',
  )
  return row ?? { seconds: null, reason: null }
}
/** The next turn, with everything postponed made due. */
const due = async (hand?: number) => {
  await asOwner(server, `update message set planned_at = now() - interval '1 second' where state = 'queued'`)
  await asOwner(server, `update message_batch set next_at = now() - interval '1 second', leased_until = null`)
  return turn(services, hand === undefined ? {} : { hand })
}
/** The next turn, once the pause is over too. */
const again = async (hand?: number) => {
  await asOwner(server, `update gateway_pace set next_at = now() - interval '1 second'`)
  return due(hand)
}
/** Takes turns until nothing waits. @returns all outcomes */
const allOfThem = async () => {
  for (let turns = 0; turns < 20 && (await statesOf(server, runId)).queued; turns++) await again()
  return statesOf(server, runId)
}

it('a gateway that is down behind a proxy costs a campaign a few texts, not all of it', async () => {
  answer(502)
  await turn(services)
  const { unknown: lost = 0 } = await statesOf(server, runId)
  expect(lost).toBeGreaterThan(0)
  expect(lost).toBeLessThan(40)
  expect(await pause()).toEqual({
    seconds: Math.min(60, 3 * lost),
    reason: 'The gateway answered with an error (status 502): <h1>Bad Gateway</h1>',
  })
  // Nothing is sent while it is left alone.
  expect(await due()).toBe('wait')
  // Then a single text tests whether it is back.
  for (let tried = 1; tried <= 3; tried++) {
    await again()
    expect(await statesOf(server, runId)).toEqual({ unknown: lost + tried, queued: PATIENTS - lost - tried })
    expect(await pause()).toMatchObject({ seconds: 60 })
  }
  answer(200)
  await again()
  expect(await statesOf(server, runId)).toMatchObject({ sent: 1 })
  expect(await pause()).toMatchObject({ reason: null })
  expect(await allOfThem()).toEqual({ unknown: lost + 3, sent: PATIENTS - lost - 3 })
})

it('a single text with an unknown outcome delays the others by seconds', async () => {
  answer(500)
  await again(1)
  expect(await statesOf(server, runId)).toEqual({ unknown: 1, queued: PATIENTS - 1 })
  expect(await pause()).toMatchObject({ seconds: 3 })
  answer(200)
  expect(await allOfThem()).toEqual({ unknown: 1, sent: PATIENTS - 1 })
})

it('a gateway that takes some texts and loses others keeps being used', async () => {
  let heard = 0
  peer.answer = (_heard, response) => void response.writeHead(heard++ % 2 === 0 ? 200 : 500).end('ok')
  await turn(services)
  const { sent = 0, unknown = 0 } = await statesOf(server, runId)
  expect(sent).toBeGreaterThan(0)
  expect(unknown).toBeGreaterThan(0)
  expect(await pause()).toMatchObject({ reason: null })
})

it('a gateway that refuses everything for one reason, such as a sender it does not know, costs a campaign a few texts, and the operator is told', async () => {
  let n = 0
  let known = false
  peer.answer = (_heard, response) =>
    void response
      .writeHead(known ? 200 : 400)
      .end(known ? 'ok' : `Unknown sender (request ${'0123456789abcdef'.repeat(2)}${n++})`)
  const lines: object[] = []
  services.log = { ...services.log, error: (line: object) => void lines.push(line) } as typeof services.log
  await turn(services)
  const { failed = 0 } = await statesOf(server, runId).then(failedIn)
  expect(failed).toBeGreaterThanOrEqual(20)
  expect(failed).toBeLessThan(45)
  expect(await pause()).toMatchObject({
    seconds: 60,
    reason: expect.stringContaining('It refuses every message: Unknown sender'),
  })
  expect(lines).toHaveLength(1)
  expect(await due()).toBe('wait')
  for (let tried = 1; tried <= 2; tried++) {
    await again()
    expect(await statesOf(server, runId).then(failedIn)).toEqual({
      failed: failed + tried,
      queued: PATIENTS - failed - tried,
    })
    expect(await pause()).toMatchObject({ seconds: 60 })
  }
  known = true
  expect(await allOfThem().then(failedIn)).toEqual({ failed: failed + 2, sent: PATIENTS - failed - 2 })
  expect(await pause()).toMatchObject({ reason: null })
})

it('a gateway that refuses some numbers and takes others is not left alone', async () => {
  let heard = 0
  peer.answer = (_heard, response) => void response.writeHead(heard++ % 8 === 7 ? 200 : 400).end('No mobile number')
  expect((await allOfThem().then(failedIn)).queued ?? 0).toBe(0)
  expect(await pause()).toMatchObject({ reason: null })
})

/** Counts by state, whatever the reason. */
function failedIn(states: Record<string, number>): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const [state, count] of Object.entries(states)) {
    const [word = ''] = state.split(' ')
    counts[word] = (counts[word] ?? 0) + count
  }
  return counts
}
