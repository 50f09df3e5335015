import { contract } from '@pillar/contract'
import type { MessageBatch } from '@pillar/contract/message/run-admin'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type MessagingWorld,
  makeCampaign,
  makeMessagingWorld,
  makePatients,
  makeRun,
  makeTemplate,
  statesOf,
  type TestPatient,
} from '../../../test/messaging.ts'
import { asOwner, makeLogin, signIn } from '../../../test/people.ts'
import { sendAll } from '../../../test/sending.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { makeSupport, type Support } from '../../../test/support.ts'
import type { HandOver, OutgoingSms } from '../../gateways/gateway.ts'
import { advanceRuns } from '../sending/lease.queries.ts'
import { recountBatches } from '../sending/recount.queries.ts'
import { batchOf } from '../sequence/run.queries.ts'
import type { CampaignText } from '../template/text.queries.ts'
import { queueRecount } from './recount-queue.queries.ts'

const { info, read, stop } = contract.runAdmin
let server: TestServer
let support: Support
let world: MessagingWorld
let patients: TestPatient[]

beforeAll(async () => {
  server = await startTestServer()
  support = await makeSupport(server)
})
afterAll(() => server.close())
beforeEach(async () => {
  world = await makeMessagingWorld(server, { locations: 2 })
  patients = await makePatients(server, world.locations[0]!.id, 4)
})

const first = () => world.locations[0]!
const batches = async (filter: object): Promise<MessageBatch[]> =>
  (await support.ask(info, filter)).body.message_batches as MessageBatch[]
const sentRun = async (options: object = {}) => {
  const run = await makeRun(server, world, { patients, state: 'stopped', ...options })
  const set = (at: number, columns: string) =>
    asOwner(server, `update message set ${columns} where run_id = $1 and patient_id = $2`, [run.id, patients[at]!.id])
  await set(0, "state = 'delivered', sent_at = now(), cents = 24, parts = 2, body = 'Hi Ines, come by'")
  await set(1, "state = 'failed', sent_at = now(), reason = 'No such number', cents = 12")
  await set(2, "state = 'skipped', reason = 'opted_out', body = null, cents = 0")
  await recount()
  return run
}
const recount = async () => {
  await world.inside((tx) => queueRecount(tx, [first().id]))
  await world.inside((tx) => recountBatches(tx, first().id, server.services.now()))
}
const logOf = (company: { id: number }) =>
  asOwner(server, 'select login_id, action, object, detail from audit where company_id = $1 order by id', [company.id])

describe('message info', () => {
  it('shows each batch with its counts, cost and origin, and no text', async () => {
    const campaign = await makeCampaign(server, world.company.id, { name: 'Repeat reminders' })
    const run = await sentRun({ campaignId: campaign.id, smsSender: 'SECRETSENDER' })
    await asOwner(server, `update company set country = 'GB' where id = $1`, [world.company.id])
    const reply = await support.ask(info, { campaign_id: campaign.uuid })
    expect(reply.body).toMatchObject({ current_page: 1, page_count: 1, per_page: 20, total: 1 })
    const [batch] = reply.body.message_batches as MessageBatch[]
    expect(batch).toMatchObject({
      company_id: world.company.uuid,
      country: 'GB',
      location_id: first().uuid,
      location_name: first().name,
      status: 'STOPPED',
      communication_type: 'sms',
      campaign_id: campaign.uuid,
      campaign_name: 'Repeat reminders',
      trial_id: null,
      sequence_id: null,
      num_patients: 4,
      num_delivered: 1,
      num_failed: 1,
      num_skipped: 1,
      num_queued: 1,
      cost: 0.36,
      fake_patients: 0,
      message_context: 'campaign',
      template_name: 'Repeat due',
      subject: null,
      body: null,
    })
    expect(new Date(batch!.message_date).toISOString()).toBe(batch!.message_date)
    expect(JSON.stringify(reply.body)).not.toMatch(/Ines|SECRETSENDER|repeat is due/)
    expect(run.batches.size).toBe(1)
  })

  it('filters by each field, alone and together', async () => {
    const [other] = await makePatients(server, world.locations[1]!.id, 1)
    const campaign = await makeCampaign(server, world.company.id, { name: `Zebra ${world.company.name}` })
    const sequence = '01980000-0000-7000-8000-0000000000aa'
    await makeRun(server, world, { patients: [...patients, other!], campaignId: campaign.id })
    await makeRun(server, world, { patients, context: 'communication' })
    const found = async (filter: object) => (await batches({ search_term: world.company.name, ...filter })).length
    expect(await found({})).toBe(3)
    expect(await found({ location_id: first().uuid })).toBe(2)
    expect(await found({ campaign_id: campaign.uuid })).toBe(2)
    expect(await found({ campaign_id: campaign.uuid, location_id: first().uuid })).toBe(1)
    for (const field of ['sequence_id', 'follow_up_id', 'trial_id', 'campaign_id', 'location_id'])
      expect([field, await found({ [field]: sequence })]).toEqual([field, 0])
    expect((await batches({ search_term: `zebra ${world.company.name}` })).length).toBe(2)
    expect((await batches({ search_term: world.locations[1]!.name })).length).toBe(1)
    expect((await batches({ search_term: 'no such %' })).length).toBe(0)
    const [one] = await batches({ location_id: world.locations[1]!.uuid })
    expect(await batches({ search_term: one!.batch_id })).toEqual([one])
  })

  it('counts days by the pharmacy’s clock, both ends included', async () => {
    await makeRun(server, world, { patients })
    // Half past midnight of 5 March in Melbourne.
    await asOwner(server, "update message_batch set created_at = '2026-03-04T13:30:00Z' where location_id = $1", [
      first().id,
    ])
    const found = async (start_date: string, end_date: string) =>
      (await batches({ location_id: first().uuid, start_date, end_date })).length
    expect(await found('2026-03-04', '2026-03-04')).toBe(0)
    expect(await found('2026-03-05', '2026-03-05')).toBe(1)
    expect(await found('2026-03-06', '2026-03-06')).toBe(0)
    expect(await found('2026-03-04T13:00:00Z', '2026-03-04T14:00:00Z')).toBe(1)
    expect(await found('2026-03-04T13:31:00Z', '2026-03-04T14:00:00Z')).toBe(0)
  })

  it('comes in pages, newest first', async () => {
    for (let at = 0; at < 21; at++) await makeRun(server, world, { patients: [patients[0]!], context: 'communication' })
    const ask = (page: number) => support.ask(info, { page, location_id: first().uuid })
    const [one, two] = [await ask(1), await ask(2)]
    expect(one.body).toMatchObject({ total: 21, page_count: 2, current_page: 1 })
    const dates = [one, two].flatMap(({ body }) => (body.message_batches as MessageBatch[]).map((b) => b.message_date))
    expect(dates).toHaveLength(21)
    expect(dates).toEqual([...dates].sort().reverse())
  })
})

describe('reading messages', () => {
  const ask = (batch: MessageBatch, reason: unknown, page = 1) =>
    support.ask(read, { batch_id: batch.batch_id, location_id: batch.location_id, reason, page } as never)

  it('is refused without a reason, and the refusal shows nothing', async () => {
    await sentRun()
    const [batch] = await batches({ location_id: first().uuid })
    for (const reason of [undefined, null, '', '  ', ' ab ', '...', '\u200b\u200b\u200b', 'x'.repeat(301), 7]) {
      const reply = await ask(batch!, reason)
      expect([reason, reply.status]).toEqual([reason, 422])
      expect(JSON.stringify(reply.body)).not.toContain('come by')
    }
    expect(await logOf(world.company)).toEqual([])
  })

  it('shows the texts, why others were held back, and the cost; the company’s log keeps the reason and the number', async () => {
    await sentRun()
    const [batch] = await batches({ location_id: first().uuid })
    const { status, body } = await ask(batch!, ' Ticket 1182 ')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      template_name: 'Repeat due',
      body: 'Hi Ines, your next repeat is due.',
      num_patients: 4,
      num_queued: 1,
      cost: 0.36,
      held_back: [{ reason: 'opted_out', text: 'Opted out', count: 1 }],
      failed: [{ reason: 'No such number', text: 'No such number', count: 1 }],
      total: 3,
    })
    expect(body.messages).toHaveLength(3)
    expect(body.messages[0]).toMatchObject({ status: 'DELIVERED', body: 'Hi Ines, come by', parts: 2, cost: 0.24 })
    const said = JSON.stringify(body)
    for (const { sms_to } of patients) expect(said).not.toContain(sms_to)
    expect(said).not.toContain('Moran')
    expect(await logOf(world.company)).toEqual([
      {
        login_id: support.login.id,
        action: 'runAdmin.read',
        object: batch!.batch_id,
        detail: { reason: 'Ticket 1182', messages: 3 },
      },
    ])
  })

  it('names the sender: the one of the batch, else the pharmacy’s, the company’s, or the installation’s', async () => {
    await sentRun()
    const [batch] = await batches({ location_id: first().uuid })
    const sender = async () => (await ask(batch!, 'Ticket 1182')).body.sender
    expect(await sender()).toBe(server.services.sms.defaultSender)
    for (const table of ['messaging_setting', 'location', 'message_batch']) {
      const name = table.slice(0, 8).toUpperCase()
      await asOwner(server, `update ${table} set sms_sender = $2 where company_id = $1`, [world.company.id, name])
      expect(await sender()).toBe(name)
    }
    await asOwner(server, `update message_batch set channel = 'email' where company_id = $1`, [world.company.id])
    expect(await sender()).toBeNull()
  })

  it('is open to support only, and only in the pharmacy of the batch', async () => {
    await sentRun()
    const [batch] = await batches({ location_id: first().uuid })
    const elsewhere = await makeMessagingWorld(server)
    for (const location_id of [world.locations[1]!.uuid, elsewhere.locations[0]!.uuid]) {
      const reply = await ask({ ...batch!, location_id }, 'Ticket 1182')
      expect([reply.status, reply.body.message]).toEqual([404, 'That message batch was not found.'])
    }
    const desk = await makeLogin(server, world.company.id, { flags: ['data_analytics'] })
    const { bearer } = await signIn(server, desk)
    const path = read.path.replace('{batch_id}', batch!.batch_id)
    const reply = await server.call(path, { location_id: first().uuid, reason: 'Ticket 1182' }, bearer)
    expect(reply.status).toBe(403)
  })
})

describe('stopping a batch', () => {
  const ask = (batch: MessageBatch) =>
    support.ask(stop, { batch_id: batch.batch_id, location_id: batch.location_id, reason: 'Wrong phone number' })

  it('stops a campaign at that pharmacy only, and it can be resumed', async () => {
    const others = await makePatients(server, world.locations[1]!.id, 2)
    const campaign = await makeCampaign(server, world.company.id)
    await makeRun(server, world, { patients: [...patients, ...others], campaignId: campaign.id })
    const [batch] = await batches({ location_id: first().uuid })
    expect((await ask(batch!)).body).toEqual({ stopped: true, left: 4, resumable: true })
    const stopped = await asOwner(
      server,
      'select location_id, stopped_at is not null as stopped from message_batch where company_id = $1 order by 1',
      [world.company.id],
    )
    expect(stopped.map((row) => row.stopped)).toEqual([true, false])
    expect(await logOf(world.company)).toMatchObject([
      { action: 'runAdmin.stop', detail: { reason: 'Wrong phone number', stopped: 4 } },
    ])
  })

  it('cancels the rest of anything else, for good', async () => {
    const run = await makeRun(server, world, { patients, context: 'communication', state: 'sending' })
    await asOwner(server, "update message set state = 'sent', sent_at = now() where run_id = $1 and patient_id = $2", [
      run.id,
      patients[0]!.id,
    ])
    const [batch] = await batches({ location_id: first().uuid })
    expect((await ask(batch!)).body).toEqual({ stopped: true, left: 3, resumable: false })
    expect(await statesOf(server, run.id)).toEqual({ sent: 1, 'skipped stopped': 3 })
    // It has nothing left to wait for.
    await advanceRuns(server.services.pools.system, server.services.now())
    expect(await asOwner(server, 'select state from message_run where id = $1', [run.id])).toEqual([{ state: 'done' }])
    const again = await ask(batch!)
    expect([again.status, again.body.message]).toEqual([
      409,
      'Nothing of this batch is waiting to be sent, so nothing was stopped.',
    ])
  })

  it('also cancels messages a busy gateway returns afterwards, but not those added later', async () => {
    await asOwner(server, "update message_run set state = 'done'")
    const template = await makeTemplate(server, world.company.id)
    const [text] = (await asOwner(server, 'select * from template where id = $1', [template.id])) as never as [
      CampaignText,
    ]
    const run = await makeRun(server, world, { patients, context: 'sequence', state: 'sending', body: text.body })
    await asOwner(server, 'update message_batch set template_id = $2 where run_id = $1', [run.id, template.id])
    const [batch] = await batches({ location_id: first().uuid })
    const { services } = server
    let handed = 0
    const busy = async (messages: readonly OutgoingSms[]): Promise<HandOver[]> => {
      handed += messages.length
      if (handed === 2) await ask(batch!)
      return messages.map(() => ({ kind: 'later', seconds: 0, reason: 'The gateway is busy.' }))
    }
    await sendAll({ ...services, sms: { ...services.sms, send: busy } }, { hand: 2 })
    expect(handed).toBe(2)
    expect(await statesOf(server, run.id)).toEqual({ 'skipped stopped': 4 })
    const added = () =>
      world.inside((tx) =>
        batchOf(tx, {
          ...{ runId: run.id, companyId: world.company.id, locationId: first().id, channel: 'sms', smsSender: null },
          ...{ text, now: services.now() },
        }),
      )
    expect(await added()).not.toBe(run.batches.get(first().id))
    expect(await added()).toBe(await added())
  })

  it('of an ended run does not affect the campaign’s newer run', async () => {
    const campaign = await makeCampaign(server, world.company.id)
    const old = await makeRun(server, world, { patients, campaignId: campaign.id, state: 'done' })
    await asOwner(server, "update message set state = 'delivered', sent_at = now() where run_id = $1", [old.id])
    const [batch] = await batches({ location_id: first().uuid })
    const live = await makeRun(server, world, { patients, campaignId: campaign.id })
    expect((await ask(batch!)).status).toBe(409)
    expect(
      await asOwner(server, 'select 1 from message_batch where run_id = $1 and stopped_at is not null', [live.id]),
    ).toEqual([])
  })
})
