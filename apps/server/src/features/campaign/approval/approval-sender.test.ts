import { afterAll, beforeAll, expect, it } from 'vitest'
import { asOwner } from '../../../../test/people.ts'
import { sendAll } from '../../../../test/sending.ts'
import { type ApprovalDesk, openApprovalDesk } from '../../../../test/world/approval-desk.ts'
import { advanceRuns } from '../../sending/lease.queries.ts'

let desk: ApprovalDesk
beforeAll(async () => {
  desk = await openApprovalDesk()
})
afterAll(() => desk.server.close())

/** One part with 'Reply STOP to opt out' appended, two with the link required for a sender with a name. */
const BODY = '{Pharmacy Name}: Your repeat is ready, and we can check your blood pressure while you wait. See you soon.'
const PART = 12

/** Approves a campaign for its cost plus this many cents, writes its messages, and gives its pharmacies a sender name before they are sent. */
async function sent(more: number) {
  const text = await desk.text(BODY)
  const id = await desk.create({ templates: [text.id] })
  const { hash } = (await desk.ask(null, id, 'approval-request', { max_people: 11, max_cents: 11 * PART + more })).body
  await desk.ask(desk.second, id, 'approval-approve', { hash }, 'activate')
  expect((await desk.activate(id)).status).toBe(200)
  expect((await desk.prepared(id)).cents).toBe(11 * PART)
  const ids = desk.world.locations.map((location) => location.id)
  const name = (sender: string | null) =>
    asOwner(desk.server, 'update location set sms_sender = $1 where id = any($2)', [sender, ids])
  await name('SALTBUSH')
  const { clock, services } = desk.server
  clock.offsetMs += 180_000
  await advanceRuns(services.pools.system, services.now())
  await sendAll(services)
  const open = async () => (await desk.messages(id)).filter(({ state }) => ['queued', 'sending'].includes(state))
  await expect.poll(open, { timeout: 20_000 }).toEqual([])
  await name(null)
  const messages = (await desk.messages(id)).filter(
    ({ reason, state }) => state !== 'skipped' || reason === 'past_ceiling',
  )
  expect(messages).toHaveLength(11)
  const gone = messages.filter(({ state }) => state !== 'skipped')
  const run = (await desk.read(desk.path(id, 'run'))).body
  return {
    ...{ id, parts: gone.map(({ parts }) => parts), cents: messages.reduce((sum, { cents }) => sum + cents, 0) },
    kept: run.skipped.filter(({ reason }) => reason === 'past_ceiling'),
  }
}

it('texts that a new sender makes dearer are sent up to the approved cost, over all pharmacies', async () => {
  const some = await sent(5 * PART + 3)
  // 16 parts and three cents are approved: what is kept back pays for the others.
  expect(some.parts).toEqual(Array(8).fill(2))
  expect(some.kept).toEqual([{ reason: 'past_ceiling', text: 'Would cost more than was approved', count: 3 }])
  expect(some.cents).toBe(16 * PART)
  // Those kept back were not contacted: the same campaign reaches them under another approval.
  await asOwner(desk.server, `update message_run set state = 'done' where state in ('holding', 'sending')`)
  const all = await sent(11 * PART)
  expect([all.parts, all.kept]).toEqual([Array(11).fill(2), []])
})
