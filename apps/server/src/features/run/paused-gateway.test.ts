import { contract } from '@pillar/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeMessagingWorld, makePatients, makeRun, statesOf } from '../../../test/messaging.ts'
import { type Peer, startPeer } from '../../../test/outside/peer.ts'
import { asOwner } from '../../../test/people.ts'
import { turn } from '../../../test/sending.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { makeSupport, type Support } from '../../../test/support.ts'

let peer: Peer
let server: TestServer
let support: Support
beforeAll(async () => {
  peer = await startPeer()
  const env = {
    ...{ SMS_GATEWAY: 'http', SMS_HTTP_URL: `${peer.url}/send?to={to}&text={text}`, SMS_SENDER: 'PHARMACY' },
    ...{ SMS_HTTP_SECRET: 'a-shared-secret-here', PUBLIC_URL: 'https://pillar.example/' },
  }
  server = await startTestServer({ env })
  support = await makeSupport(server)
})
afterAll(async () => {
  await server.close()
  await peer.close()
})

let runId: number
beforeEach(async () => {
  await asOwner(server, 'truncate message_run, message_batch, message, gateway_pace cascade')
  const world = await makeMessagingWorld(server)
  const patients = await makePatients(server, world.locations[0]!.id, 2)
  runId = (await makeRun(server, world, { patients, body: 'Hi Ines Moran, your script is ready' })).id
})

const answer = (code: number, body: string) => {
  peer.answer = (_heard, response) => void response.writeHead(code).end(body)
}
const paused = async () => (await support.ask(contract.runAdmin.info, {})).body.paused_gateways as object[]
/** The next turn, once the pause is over. */
const again = async () => {
  await asOwner(server, `update gateway_pace set next_at = now() - interval '1 second'`)
  await asOwner(server, `update message set planned_at = now() - interval '1 second' where state = 'queued'`)
  await asOwner(server, `update message_batch set next_at = now() - interval '1 second', leased_until = null`)
  return turn(server.services)
}

describe('a gateway that refuses messages', () => {
  it('is shown to support with its reason, since when, and no longer once it takes messages', async () => {
    expect(await paused()).toEqual([])
    answer(402, 'Insufficient funds')
    const before = Date.now()
    await turn(server.services)
    const reason = 'The account at the gateway has no credit: Insufficient funds'
    const [first] = (await paused()) as [{ refused_since: string; refused_at: string }]
    expect(first).toMatchObject({ communication_type: 'sms', reason })
    expect(Math.abs(Date.parse(first.refused_since) - before)).toBeLessThan(5_000)
    answer(401, 'Wrong key')
    await again()
    const [second] = (await paused()) as [typeof first]
    expect(second).toMatchObject({
      reason: 'The gateway refuses our credentials: Wrong key',
      refused_since: first.refused_since,
    })
    expect(Date.parse(second.refused_at)).toBeGreaterThan(Date.parse(first.refused_at))
    answer(200, 'ok')
    await again()
    expect(await statesOf(server, runId)).toEqual({ sent: 2 })
    expect(await paused()).toEqual([])
  })

  it('is still shown while the outcome of the next texts is unknown', async () => {
    answer(402, '')
    await turn(server.services)
    answer(500, '')
    await again()
    expect(await statesOf(server, runId)).toEqual({ unknown: 2 })
    expect(await paused()).toHaveLength(1)
  })

  it('is tried again within a minute, however long it asks us to wait', async () => {
    peer.answer = (_heard, response) => void response.writeHead(503, { 'retry-after': '3600' }).end()
    await turn(server.services)
    const wait = 'select extract(epoch from next_at - now())::float8 as seconds from gateway_pace'
    const [pause] = await asOwner<{ seconds: number }>(server, wait)
    expect(pause!.seconds).toBeGreaterThan(30)
    expect(pause!.seconds).toBeLessThanOrEqual(60)
  })

  it('does not include one that takes some texts and postpones others', async () => {
    let heard = 0
    peer.answer = (_heard, response) => void response.writeHead(heard++ === 0 ? 200 : 429).end('ok')
    await turn(server.services)
    expect(await statesOf(server, runId)).toEqual({ sent: 1, queued: 1 })
    expect(await paused()).toEqual([])
  })

  it('is no longer shown an hour after its last refusal, and a later refusal starts again', async () => {
    answer(404, '')
    await turn(server.services)
    expect(await paused()).toEqual([
      expect.objectContaining({
        reason: "Nothing takes texts at the gateway's address (status 404); check the setting.",
      }),
    ])
    const back = (column: string) => `${column} = ${column} - interval '70 minutes'`
    await asOwner(server, `update gateway_pace set ${back('refused_since')}, ${back('refused_at')}`)
    expect(await paused()).toEqual([])
    await again()
    const [now] = (await paused()) as [{ refused_since: string }]
    expect(Date.now() - Date.parse(now.refused_since)).toBeLessThan(10_000)
  })

  it.each([
    ['a number and an address', 'No credit for +61 491 570 156 of ann@mail.example', 'No credit for … of …'],
    ['a password', 'user=shop password=hunter2 has no credit', 'user=… password=… has no credit'],
    ['a key', 'No credit for of-shop-51H8xyzABCDEF0123456789', 'No credit for …'],
    ['the text', 'Not sent: Hi Ines Moran, your script is ready', null],
  ])('shows no personal data: %s', async (_what, words, shown) => {
    answer(402, words)
    await turn(server.services)
    const reason =
      shown === null ? 'The account at the gateway has no credit' : `The account at the gateway has no credit: ${shown}`
    expect(await paused()).toEqual([expect.objectContaining({ reason })])
    const kept = JSON.stringify(await asOwner(server, 'select * from gateway_pace'))
    for (const trace of ['491', 'ann@', 'hunter2', 'of-shop', 'Moran']) expect(kept).not.toContain(trace)
  })
})
