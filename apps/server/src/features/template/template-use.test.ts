import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type MessagingWorld, makeCampaign, makeMessagingWorld } from '../../../test/messaging.ts'
import { asOwner, makeLogin, type SignedIn, signIn } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { afterUploadOf, decisionsOf, makeSequence, newMedicine, tickAt } from '../../../test/world/sequence-world.ts'
import { affectedTemplates } from '../campaign/campaign.queries.ts'
import { setSequenceActive } from '../sequence/sequence-state.queries.ts'
import { removeTemplate } from './template.queries.ts'

let server: TestServer
let world: MessagingWorld
let me: SignedIn
let rival: MessagingWorld

beforeAll(async () => {
  server = await startTestServer()
  ;[world, rival] = [await makeMessagingWorld(server, { locations: 3 }), await makeMessagingWorld(server)]
  me = await signIn(server, await makeLogin(server, world.company.id, { flags: ['data_analytics'] }))
})
afterAll(() => server.close())

/** The template of a sequence's follow-ups. */
async function templateOf(sequenceId: number): Promise<{ id: number; uuid: string }> {
  const [row] = await asOwner<{ id: number; uuid: string }>(
    server,
    'select distinct t.id, t.uuid from follow_up u join template t on t.id = u.template_id where u.sequence_id = $1',
    [sequenceId],
  )
  return row!
}
/** Makes the follow-ups of a sequence use another template. */
const share = (sequenceId: number, templateId: number) =>
  asOwner(server, 'update follow_up set template_id = $2 where sequence_id = $1', [sequenceId, templateId])
const affected = async (uuid: string, body: object) =>
  (await server.call(`/api/template/${uuid}/affected-campaigns/enterprise`, body, me.bearer)).body

describe('a template used by sequences', () => {
  it('lists them before it is deactivated or deleted, each title once, only of its company', async () => {
    const first = await makeSequence(server, world, [3, 9], { title: 'Repeat reminder' })
    const template = await templateOf(first)
    await share(await makeSequence(server, world, [3], { title: 'Repeat reminder', at: 1 }), template.id)
    await share(await makeSequence(server, world, [3], { title: 'Asleep', at: 1, active: false }), template.id)
    const gone = await makeSequence(server, world, [3], { title: 'Gone', at: 2 })
    await share(gone, template.id)
    await asOwner(server, 'update sequence set removed_at = now() where id = $1', [gone])
    await share(await makeSequence(server, rival, [3], { title: 'Of a rival' }), template.id)
    expect(await affected(template.uuid, { active: false })).toEqual({
      campaign_names: [],
      sequence_names: ['Repeat reminder'],
    })
    expect((await affected(template.uuid, {})).sequence_names).toEqual(['Asleep', 'Repeat reminder'])
    type List = { templates: { template_id: string; sequences: object[] }[] }
    const list = (await server.call<List>('/api/template/list/enterprise', {}, me.bearer)).body.templates
    expect(list.find((one) => one.template_id === template.uuid)!.sequences).toEqual([
      { sequence_name: 'Asleep', pharmacies: 1, active: false },
      { sequence_name: 'Repeat reminder', pharmacies: 2, active: true },
    ])
  })

  it('stays active when one campaign that uses it is deactivated while the sequence runs', async () => {
    const sequence = await makeSequence(server, world, [3])
    const template = await templateOf(sequence)
    const place = world.locations[0]!.id
    const campaign = await makeCampaign(server, world.company.id, { locationIds: [place], templateIds: [template.id] })
    const off = () => world.inside((tx) => affectedTemplates(tx, [campaign.id], false))
    expect(await off()).toEqual([])
    await world.inside((tx) => setSequenceActive(tx, place, sequence, false, server.services.now()))
    expect((await off()).map((one) => one.id)).toEqual([template.id])
  })

  it('can be deleted; its follow-ups record why they were not sent, and the others are sent', async () => {
    const { world: own } = await newMedicine(server)
    const sequence = await makeSequence(server, own, [3, 9])
    const kept = await templateOf(await makeSequence(server, own, [3]))
    await asOwner(server, 'update follow_up set template_id = $2 where sequence_id = $1 and follow_up_order = 2', [
      sequence,
      kept.id,
    ])
    await afterUploadOf(server, own)
    const [deleted] = await asOwner<{ id: number }>(
      server,
      'select template_id as id from follow_up where sequence_id = $1 and follow_up_order = 1',
      [sequence],
    )
    await own.inside((tx) => removeTemplate(tx, deleted!.id, server.services.now()))
    await tickAt(server, '2026-08-04T02:00:00Z')
    await tickAt(server, '2026-08-10T02:00:00Z')
    expect(await decisionsOf(server, sequence)).toEqual(['1: inactive', '2: sms queued'])
  })
})
