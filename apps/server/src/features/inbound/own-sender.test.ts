import { afterAll, beforeAll, expect, it } from 'vitest'
import { storedAs } from '../../../test/field/contacts.ts'
import { freshMobile, type MessagingWorld, makeMessagingWorld, makePatients, makeRun } from '../../../test/messaging.ts'
import { asOwner, fresh } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { insertGatewayEvents } from '../../gateways/gateway-event.queries.ts'
import { processEvents } from './events.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const SHARED = '+61400000000'

it('a reply to a pharmacy’s own number is for that pharmacy alone, one to the shared number for all that texted', async () => {
  const [number, never, sender] = [freshMobile(), freshMobile(), freshMobile()]
  const world = await makeMessagingWorld(server, { locations: 3 })
  const [own, other, silent] = world.locations.map(({ id }) => Number(id)) as [number, number, number]
  // Two pharmacies send from one number; one of them has texted.
  await asOwner(server, 'update location set sms_sender = $2 where id = any($1)', [[own, silent], sender])
  for (const id of [own, other, silent]) {
    const [patient] = await makePatients(server, id, 1, () => ({ sms_to: number }))
    await makePatients(server, id, 1, () => ({ sms_to: never }))
    if (id === silent) continue
    const run = await makeRun(server, world, { patients: [patient!] })
    await asOwner(server, `update message set state = 'sent', sent_at = now() where run_id = $1`, [run.id])
  }
  /** @returns the pharmacies whose texts to the number have ended, after all replies so far */
  const stop = async (from: string, to: string) => {
    const event = { kind: 'reply' as const, id: fresh('stop'), at: new Date().toISOString(), from, to, text: 'STOP' }
    await insertGatewayEvents(server.services.pools.system, server.services.keys, 'fake', [event])
    await processEvents(server.services)
    const rows = await asOwner<{ id: string }>(
      server,
      `select c.location_id as id from consent c join patient p on p.location_id = c.location_id and p.id = c.patient_id
       where p.sms_to = $1 and c.sms_marketing = 'out' order by 1`,
      [await storedAs(server, from)],
    )
    return rows.map(({ id }) => Number(id))
  }
  // Gateways report the number with or without its plus.
  expect(await stop(number, sender.slice(1))).toEqual([own])
  expect(await stop(number, SHARED)).toEqual([own, other])
  // If neither has texted, nobody knows which was meant: no opt-out is lost.
  expect(await stop(never, sender)).toEqual([own, silent])
})

it.each([
  ['the installation’s number', () => server.services.sms.defaultSender],
  ['a number that is nobody’s any more', () => SHARED],
])(
  'a STOP to %s from somebody whom no text names, as after a relative with the number was erased, is for all without a sender of their own that have them',
  async (_which, to) => {
    const number = freshMobile()
    const [world, another, apart] = [
      await makeMessagingWorld(server, { locations: 2 }),
      await makeMessagingWorld(server),
      await makeMessagingWorld(server),
    ]
    const places = [...world.locations, ...another.locations, ...apart.locations].map(({ id }) => Number(id))
    const [first, , theirs] = places
    const own = [freshMobile(), freshMobile()]
    await asOwner(server, 'update location set sms_sender = $2 where id = $1', [places[1], own[0]])
    await asOwner(server, 'update messaging_setting set sms_sender = $2 where company_id = $1', [
      apart.company.id,
      own[1],
    ])
    // Entered as its own, the installation's number is still everybody's.
    await asOwner(server, 'update messaging_setting set sms_sender = $2 where company_id = $1', [
      another.company.id,
      server.services.sms.defaultSender,
    ])
    for (const id of places) await makePatients(server, id, 1, () => ({ sms_to: number }))
    expect(await reply(number, to(), 'Who is this?')).toEqual({ read: [], ended: [] })
    expect(await reply(number, to(), 'STOP')).toEqual({ read: [], ended: [first, theirs] })
  },
)

/** Another company's pharmacy texts the same person later, from the installation's number. */
async function twoCompanies(sender: string) {
  const number = freshMobile()
  const [ours, theirs] = [await makeMessagingWorld(server, { locations: 2 }), await makeMessagingWorld(server)]
  await asOwner(server, 'update messaging_setting set sms_sender = $2 where company_id = $1', [ours.company.id, sender])
  const text = async (world: MessagingWorld, at: number, minutes: number, smsSender: string | null) => {
    const patients = await makePatients(server, world.locations[at]!.id, 1, () => ({ sms_to: number }))
    const run = await makeRun(server, world, { patients, smsSender })
    await asOwner(
      server,
      `update message set state = 'sent', sent_at = now() - make_interval(mins => $2) where run_id = $1`,
      [run.id, minutes],
    )
  }
  const place = (world: MessagingWorld, at = 0) => Number(world.locations[at]!.id)
  return { number, ours, theirs, text, place }
}

/** Tells of a reply. @returns the pharmacies at which it waits to be read, and those whose texts to the number have ended */
async function reply(from: string, to: string, words: string) {
  const event = { kind: 'reply' as const, id: fresh('reply'), at: new Date().toISOString(), from, to, text: words }
  await insertGatewayEvents(server.services.pools.system, server.services.keys, 'fake', [event])
  await processEvents(server.services)
  const ids = async (ask: string, params: unknown[]) =>
    (await asOwner<{ id: string }>(server, `${ask} order by 1`, params)).map(({ id }) => Number(id))
  return {
    read: await ids('select location_id as id from message_reply where body = $1', [words]),
    ended: await ids(
      `select c.location_id as id from consent c join patient p on p.location_id = c.location_id and p.id = c.patient_id
       where p.sms_to = $1 and c.sms_marketing = 'out'`,
      [await storedAs(server, from)],
    ),
  }
}

it('a reply to a company’s number is read by that company alone, though another texted the patient later', async () => {
  const sender = freshMobile()
  const { number, ours, theirs, text, place } = await twoCompanies(sender)
  await text(ours, 0, 60, sender)
  await text(theirs, 0, 5, null)
  expect((await reply(number, sender, 'Is my script ready, 1?')).read).toEqual([place(ours)])
  expect((await reply(number, SHARED, 'Is my script ready, 2?')).read).toEqual([place(theirs)])
  expect((await reply(number, sender, 'STOP')).ended).toEqual([place(ours)])
})

it('START to the shared number does not lift a STOP to another number; nor is an answer read by who texts from that one', async () => {
  const sender = freshMobile()
  const { number, ours, theirs, text, place } = await twoCompanies(sender)
  await text(theirs, 0, 60, null)
  await text(ours, 0, 5, sender)
  expect((await reply(number, SHARED, 'Who is this, 3?')).read).toEqual([place(theirs)])
  await reply(number, sender, 'STOP')
  expect((await reply(number, SHARED, 'STOP')).ended).toEqual([place(ours), place(theirs)])
  expect((await reply(number, SHARED, 'START')).ended).toEqual([place(ours)])
  expect((await reply(number, sender, 'START')).ended).toEqual([])
})

it('START answers the confirmation of a STOP to the shared number, also at a pharmacy that sends from another', async () => {
  const sender = freshMobile()
  const { number, ours, text, place } = await twoCompanies(sender)
  await text(ours, 0, 5, sender)
  const shared = server.services.sms.defaultSender
  expect((await reply(number, shared, 'STOP')).ended).toEqual([place(ours)])
  // It came from the number that was answered.
  await asOwner(
    server,
    `update message set state = 'sent', sent_at = now() where location_id = $1 and state = 'queued'`,
    [place(ours)],
  )
  expect((await reply(number, shared, 'START')).ended).toEqual([])
})

it('a STOP to a company’s number counts at its pharmacies with that patient, although none has texted them', async () => {
  const sender = freshMobile()
  const { number, ours, theirs, text, place } = await twoCompanies(sender)
  for (const at of [0, 1]) await makePatients(server, place(ours, at), 1, () => ({ sms_to: number }))
  // This one sends from a number of its own.
  await asOwner(server, 'update location set sms_sender = $2 where id = $1', [place(ours), freshMobile()])
  await text(theirs, 0, 5, null)
  expect((await reply(number, sender, 'STOP')).ended).toEqual([place(ours, 1)])
})

it('a company’s number that does not know a patient shows their words to no other company, and loses no STOP', async () => {
  const sender = freshMobile()
  const { number, theirs, text, place } = await twoCompanies(sender)
  await text(theirs, 0, 5, null)
  expect(await reply(number, sender, 'My blood pressure is high')).toEqual({ read: [], ended: [] })
  expect(await reply(number, sender, 'STOP')).toEqual({ read: [], ended: [place(theirs)] })
  // The other company's answer to the STOP left from this number, which does not make it that company's.
  const answered = await asOwner(
    server,
    `update message set state = 'sent', sent_at = now() where location_id = $1 and state = 'queued' returning id`,
    [place(theirs)],
  )
  expect(answered).toHaveLength(1)
  expect((await reply(number, sender, 'My blood pressure is still high')).read).toEqual([])
})

it('a pharmacy that texted from a number which is now another’s still hears of a STOP to it', async () => {
  const sender = freshMobile()
  const { number, ours, theirs, text, place } = await twoCompanies(sender)
  await text(theirs, 0, 5, sender)
  await text(ours, 0, 60, sender)
  expect((await reply(number, sender, 'STOP')).ended).toEqual([place(ours), place(theirs)])
})

it('the installation’s number stays everybody’s, although a company has entered it as its own', async () => {
  const shared = server.services.sms.defaultSender
  const { number, ours, theirs, text, place } = await twoCompanies(shared)
  await text(ours, 0, 60, shared)
  await text(theirs, 0, 5, null)
  expect((await reply(number, shared, 'STOP')).ended).toEqual([place(ours), place(theirs)])
})

it('an answer to a pharmacy that was removed is read at the next one of its company that texted, and by no other company', async () => {
  const { number, ours, theirs, text, place } = await twoCompanies(freshMobile())
  await text(ours, 0, 5, null)
  await text(theirs, 0, 20, null)
  await text(ours, 1, 60, null)
  const remove = (id: number) => asOwner(server, 'update location set removed_at = now() where id = $1', [id])
  await remove(place(ours))
  expect((await reply(number, SHARED, 'Yes please, 1')).read).toEqual([place(ours, 1)])
  await remove(place(ours, 1))
  expect((await reply(number, SHARED, 'Yes please, 2')).read).toEqual([place(ours)])
})

it('words sent to an unknown number, or to a name, are shown to no pharmacy whose sender is a name', async () => {
  const { theirs, place } = await twoCompanies(freshMobile())
  await asOwner(server, `update location set sms_sender = 'FernGlen' where id = $1`, [place(theirs)])
  expect(await reply(freshMobile(), '', 'Who is this?')).toEqual({ read: [], ended: [] })
  expect(await reply(freshMobile(), 'Elsewhere', 'Who are you?')).toEqual({ read: [], ended: [] })
})
