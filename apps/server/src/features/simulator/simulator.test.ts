import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DEEP } from '../../../test/deep.ts'
import { asOwner } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import type { OutgoingSms } from '../../gateways/gateway.ts'
import { fateOf } from './fate.ts'
import { startSimulator } from './simulator.jobs.ts'
import { removeOldTexts, signalDue } from './simulator.queries.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())
beforeEach(() => asOwner(server, 'truncate simulator_message, gateway_event'))

const text = (reference: string, to = '+61491571234'): OutgoingSms => ({
  reference,
  to,
  from: null,
  text: `Hi ${reference}`,
})
const texts = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => text(`r-${from + at}`))
const anHourOn = () => new Date(Date.now() + 3_600_000)
const events = () =>
  asOwner<{ event_id: string; payload: Record<string, string | null> }>(
    server,
    'select event_id, payload from gateway_event order by id',
  )

describe('the simulated gateway', () => {
  it('accepts a reference once, from any sender and however often at once', async () => {
    const { sms } = server.services
    const all = await Promise.all(Array.from({ length: 8 }, () => sms.send(texts(0, 50))))
    const kept = await asOwner<{ n: number }>(server, 'select count(*)::int n from simulator_message')
    expect(kept[0]!.n).toBe(50)
    expect(new Set(all.map((one) => JSON.stringify(one))).size).toBe(1)
    expect(all[0]![7]).toEqual({ kind: 'accepted', gatewayRef: expect.stringMatching(/^sim-\d+$/) })
  })

  it('knows exactly what it accepted', async () => {
    const { sms } = server.services
    const [handed] = await sms.send([text('here')])
    const [found, missing] = await sms.lookUp([
      { reference: 'here', to: '' },
      { reference: 'gone', to: '' },
    ])
    const gatewayRef = handed!.kind === 'accepted' ? handed!.gatewayRef : ''
    expect(found).toEqual({ kind: 'accepted', gatewayRef, receipt: null, reason: null, gone: false })
    expect(missing).toEqual({ kind: 'absent' })
  })

  it('sends each receipt once, with any number of processes', async () => {
    await server.services.sms.send(texts(0, 400))
    expect(await signalDue(server.services.pools.system, new Date(), 100)).toBe(0)
    let told = 0
    for (let turn = 0; turn < 3; turn++) {
      const counts = await Promise.all(
        Array.from({ length: 5 }, () => signalDue(server.services.pools.system, anHourOn(), 100)),
      )
      told += counts.reduce((sum, one) => sum + one, 0)
    }
    const rows = (await events()).map((one) => one.payload)
    expect(rows).toHaveLength(told)
    const receipts = rows.filter((one) => one.kind === 'receipt')
    expect(new Set(receipts.map((one) => one.reference)).size).toBe(400)
    const failed = receipts.filter((one) => one.status === 'failed')
    expect(failed.length).toBeGreaterThan(0)
    expect(failed.length).toBeLessThan(40)
    for (const one of failed) expect(one.reason).toMatch(/^[A-Z][a-z ]+/)
    const [after] = await server.services.sms.lookUp([{ reference: 'r-0', to: '' }])
    expect(after).toMatchObject({ kind: 'accepted', receipt: receipts.find((one) => one.reference === 'r-0')!.status })
  })

  it('gives test numbers their documented results', async () => {
    const { sms } = server.services
    const number = (last: number) => text(`t-${last}`, `+6140000000${last}`)
    const handed = await sms.send([1, 2, 3, 4, 5, 6, 7].map(number))
    expect(handed.map((one) => one.kind)).toEqual([
      'rejected',
      'unknown',
      'unknown',
      ...['accepted', 'accepted', 'accepted', 'accepted'],
    ])
    const looked = await sms.lookUp([number(2), number(3)])
    expect(looked.map((one) => one.kind)).toEqual(['accepted', 'absent'])
    await signalDue(server.services.pools.system, anHourOn(), 100)
    const told = new Map((await events()).map((one) => [one.event_id, one.payload]))
    expect(told.get('receipt-t-4')).toMatchObject({ status: 'failed', reason: 'Number not in service', gone: true })
    expect(told.has('receipt-t-5')).toBe(false)
    expect(told.get('reply-t-6')).toMatchObject({ from: '+61400000006', to: sms.defaultSender, text: 'STOP' })
    expect(told.get('reply-t-7')).toMatchObject({ text: 'START' })
  })

  it('accepts email too, and email gets no replies', async () => {
    const letter = {
      ...{ reference: 'mail-1', to: 'ada@example.com', fromName: 'Our Pharmacy', replyTo: null, subject: 'Hello' },
      ...{ text: 'Hi', html: '<p>Hi</p>', unsubscribeUrl: 'https://x.example/u', oneClickUrl: 'https://x.example/o' },
    }
    expect(await server.services.bulkEmail.send([letter])).toEqual([
      { kind: 'accepted', gatewayRef: expect.stringMatching(/^sim-/) },
    ])
    for (let at = 0; at < 500; at++)
      expect(fateOf('email', `m-${at}`, 'a@example.com', '+61491570006').reply).toBeNull()
  })

  it('lets about one in 150 reply STOP, and nobody when the sender is a name', () => {
    const replies = Array.from(
      { length: 30_000 },
      (_, at) => fateOf('sms', `s-${at}`, '+61491571234', '+61491570006').reply,
    )
    const stops = replies.filter((one) => one && /^(stop|unsub)/i.test(one)).length
    expect(stops).toBeGreaterThan(140)
    expect(stops).toBeLessThan(260)
    for (let at = 0; at < 500; at++) expect(fateOf('sms', `s-${at}`, '+61491571234', 'PHARMACY').reply).toBeNull()
    expect(fateOf('sms', 's-1', '+61400000006', 'PHARMACY')).toMatchObject({ outcome: 'delivered', reply: null })
  })

  it('deletes old messages, except those with pending receipts', async () => {
    await server.services.sms.send([text('told'), text('quiet', '+61400000005')])
    expect(await removeOldTexts(server.services.pools.system, anHourOn())).toBe(1)
    expect((await server.services.sms.lookUp([text('told')]))[0]!.kind).toBe('accepted')
  })

  it('sends receipts while a worker runs, and stops on request', async () => {
    const stop = startSimulator(server.services)
    await server.services.sms.send([text('alone')])
    await expect.poll(async () => (await events()).length, { timeout: 12_000, interval: 200 }).toBeGreaterThan(0)
    await stop()
  })

  it('is not accessible to the tenant role', async () => {
    await expect(server.services.pools.app.selectFrom('simulator_message').select('id').execute()).rejects.toThrow(
      /permission denied/,
    )
  })

  it('handles 2,000 messages a second', async () => {
    const began = performance.now()
    for (let at = 0; at < 10_000; at += 500) await server.services.sms.send(texts(at, at + 500))
    await signalDue(server.services.pools.system, anHourOn(), 10_000)
    const seconds = (performance.now() - began) / 1000
    if (DEEP) process.stderr.write(`simulator: ${Math.round(10_000 / seconds)} messages/s\n`)
    expect(10_000 / seconds).toBeGreaterThan(DEEP ? 2_000 : 500)
  })
})
