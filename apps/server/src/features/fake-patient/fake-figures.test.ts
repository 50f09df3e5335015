import { contract } from '@pillar/contract'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { opening } from '../../../test/field/contacts.ts'
import {
  freshMobile,
  type MessagingWorld,
  makeCampaign,
  makeMessagingWorld,
  makeRun,
  makeTemplate,
  type TestPatient,
} from '../../../test/messaging.ts'
import { FakePhones } from '../../../test/outside/fake-gateway.ts'
import { asOwner, makeLogin, signIn } from '../../../test/people.ts'
import { sendAll } from '../../../test/sending.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { confirmAs } from '../../../test/staff-contact.ts'
import { makeSupport, type Support } from '../../../test/support.ts'
import { store } from '../../../test/world/metrics-store.ts'
import { pharmacies } from '../../../test/world/metrics-world.ts'
import type { Services } from '../../api/context.ts'
import { inScope } from '../../db/scope.ts'
import { recountCampaigns } from '../attribution/campaign-stat.queries.ts'
import { recountStats } from '../attribution/message-stat.queries.ts'
import { recomputeMetrics } from '../metrics/metrics.queries.ts'
import { ensureSubcategories } from '../metrics/subcategory.queries.ts'
import { afterUpload } from '../upload/after-upload.jobs.ts'

/** Tables in which fake patients and their tests leave rows. A table not named here holds figures, or nothing of theirs. */
const THEIRS = `
  access_token audit audit_head audit_seal company_change contact contact_index fake_patient gateway_event gateway_pace mail message message_batch message_run
  migration patient recount_queue session simulator_message staff_contact stat_recount_queue step_up throttle
`
  .trim()
  .split(/\s+/)

let server: TestServer
let services: Services
let phones: FakePhones
let support: Support

beforeAll(async () => {
  server = await startTestServer()
  phones = new FakePhones()
  services = { ...server.services, sms: phones.gateway() }
  support = await makeSupport(server)
  await ensureSubcategories(services.pools.app)
})
afterAll(() => server.close())

interface Place {
  world: MessagingWorld
  id: number
  uuid: string
  recompute: () => Promise<void>
}

/** A pharmacy with invented dispensing, whose patients have numbers, and a campaign that texted half of them. */
async function build(): Promise<Place & { campaign: { uuid: string }; bearer: Record<string, string> }> {
  const world = await makeMessagingWorld(server)
  const made = fc.sample(pharmacies, { numRuns: 12, seed: 8 }).toSorted((a, b) => b.lines.length - a.lines.length)[0]!
  const { id, uuid } = await store(services.pools, world.company.id, made)
  world.scope.locationIds = [...world.scope.locationIds, id] as never
  await asOwner(
    server,
    `update patient set mobile = '+614' || lpad((70000000 + id % 9999999)::text, 8, '0'), first_name = 'Ines', last_name = 'Moran',
       facility = false, deceased_on = null
     where location_id = $1`,
    [id],
  )
  const place = { id, companyId: world.company.id }
  const scope = { companyId: place.companyId, locationIds: [id] }
  const day = new Date(made.dataTo * 86_400_000).toISOString().slice(0, 10)
  const recompute = async () => {
    await inScope(services.pools.app, scope, (tx) =>
      recomputeMetrics(tx, { id, country: made.country, timeZone: made.timeZone }, { dataTo: day, changedFrom: null }),
    )
    await afterUpload.run({ location_id: id, company_id: place.companyId }, services)
    await inScope(services.pools.app, scope, (tx) => recountStats(tx, id))
    await inScope(services.pools.app, scope, (tx) => recountCampaigns(tx, id))
  }
  await recompute()
  const template = await makeTemplate(server, place.companyId)
  const campaign = await makeCampaign(server, place.companyId, { locationIds: [id], templateIds: [template.id] })
  const rows = await asOwner<TestPatient & Record<string, unknown>>(
    server,
    `select id, location_id as "locationId", sms_to, email_to from patient where location_id = $1 and sms_to is not null and not fake
     order by id limit 2`,
    [id],
  )
  const patients = await opening(server, ['sms_to', 'email_to'], rows)
  expect(patients.length).toBeGreaterThan(0)
  await makeRun(server, world, { patients, campaignId: campaign.id })
  await sendAll(services)
  const went = await asOwner(server, "select 1 from message where location_id = $1 and state = 'sent'", [id])
  expect(went).toHaveLength(patients.length)
  await recompute()
  const { bearer } = await signIn(server, await makeLogin(server, place.companyId, { flags: ['data_analytics'] }))
  return { world, id, uuid, recompute, campaign, bearer }
}

/** Every row of every table that may hold a figure, without the times of writing. */
async function figures(): Promise<Record<string, string[]>> {
  const tables = await asOwner<{ name: string }>(
    server,
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by 1`,
  )
  const all: Record<string, string[]> = {}
  for (const { name } of tables) {
    if (THEIRS.includes(name)) continue
    const rows = await asOwner<{ row: string }>(
      server,
      `select (to_jsonb(t) - 'updated_at' - 'counted_at' - 'computed_at' - 'recounted_at')::text as row from ${name} t order by 1`,
    )
    all[name] = rows.map(({ row }) => row)
  }
  return all
}

it('no figure, cohort, report or bench changes when fake patients are added, tested and removed', async () => {
  const { id, uuid, recompute, campaign, bearer } = await build()
  const before = await figures()
  for (const table of ['metric_cell', 'metric_total', 'patient_fact', 'message_stat', 'campaign_stat'])
    expect([table, before[table]!.length > 0]).toEqual([table, true])
  const screens = async () => {
    const asked = [
      [contract.campaign.cohort.path.replace('/api/', ''), { filters: {}, pharmacies: [uuid] }],
      [
        contract.financials.stats.path.replace('/api/', ''),
        { ...contract.financials.stats.example, pharmacy_ids: [uuid] },
      ],
      [contract.inbound.replies.path.replace('/api/', ''), { unread: true }],
    ] as const
    const answers = []
    for (const [path, body] of asked) {
      const { status, body: said } = await server.call(`/api/${path}`, body, bearer)
      answers.push([path, status, JSON.stringify(said).replaceAll(/"\w+_at":"[^"]*"/g, '')])
    }
    return answers
  }
  const shown = await screens()
  expect(shown.map(([, status]) => status)).toEqual([200, 200, 200])

  const number = freshMobile()
  await confirmAs(support, server, number)
  for (let at = 1; at <= 5; at++) {
    const patient = { id: -at, first_name: 'Testa', last_name: `Person ${at}`, age: 40, sex: 'Male', mobile: number }
    const more = { adherence_level: 1, loyalty_level: 1, total_scripts: 100, leaked_scripts: 50 }
    expect(
      (await support.ask(contract.fakePatient.add, { id: uuid, patient: { ...patient, ...more } as never })).status,
    ).toBe(200)
  }
  const sent = await support.ask(contract.fakePatient.test, { id: uuid, campaign_id: campaign.uuid })
  expect(sent.body).toMatchObject({ queued: 5 })
  await sendAll(services)
  await asOwner(server, `update message set state = 'delivered', settled_at = now() where location_id = $1 and fake`, [
    id,
  ])
  expect([...phones.accepted.values()].filter(({ to }) => to === number)).toHaveLength(5)
  await recompute()
  expect(await figures()).toEqual(before)
  expect(await screens()).toEqual(shown)

  await support.ask(contract.fakePatient.remove, { id: uuid, patient_ids: [-1, -2, -3, -4, -5] })
  await recompute()
  expect(await figures()).toEqual(before)
})
