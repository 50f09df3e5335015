import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { asOwner, makeLogin } from '../../../../test/people.ts'
import { startUploadServer } from '../../../../test/upload.ts'
import { ensureRecommendations } from '../../recommendation/recommended.queries.ts'
import { ensureSequenceRecommendations } from '../../sequence/recommended.queries.ts'
import { addDemoMessaging } from '../demo-messaging.queries.ts'
import { replayDemoHistory } from './demo-history.jobs.ts'
import { followUpsFirst } from './demo-invitations.jobs.ts'

const HEART = '0192d3b0-0002-7000-8000-000000000004'
const PEOPLE = Array.from({ length: 240 }, (_, at) => at)
const mobile = (at: number) => `0491 57${String(1000 + at).slice(0, 1)} ${String(1000 + at).slice(1)}`

/** Patients who begin a second medicine, which the demo's sequence is about. */
const BEGINNERS = 40

/**
 * A first start of a small demo company at this time, with its pharmacy uploading its patients in this order. Returns what its campaigns
 * did, by the pharmacy's own numbers; with sequences, also how many people their messages went to, and for how many of these they count.
 */
async function firstStart(time: string, order: readonly number[], sequences = false) {
  const server = await startUploadServer({ work: true })
  try {
    const pharmacy = await server.pharmacy()
    const status = await pharmacy.load(
      {
        patients: `patient_id,sex,first_name,last_name,mobile\n${order.map((at) => `p${at},${at % 2 ? 'F' : 'M'},Ann,Ash,${mobile(at)}`).join('\n')}\n`,
        drugs: 'drug_id,name,atc,pack_size\nA,Rosuvastatin,C10AA07,30\nB,Metformin,A10BA02,30\n',
        scripts: `script_id,dispensed_on,patient_id,drug_id,units,patient_type,patient_price\n${order
          .flatMap((at) => [
            ...['2025-09-20', '2026-09-01', '2026-11-15'].map((day) => `${at}-${day},${day},p${at},A,30,General,31.60`),
            ...(sequences && at < BEGINNERS ? [`${at}-B,2026-10-20,p${at},B,30,General,31.60`] : []),
          ])
          .join('\n')}\n`,
      },
      { to: '2026-11-22', initial_upload: 'true' },
    )
    expect(status.etl_state).toBe('COMPLETED')
    // A patient's reaction depends on the pharmacy's name.
    await asOwner(server, "update location set name = 'Corner Pharmacy' where id = $1", [pharmacy.id])
    const login = await makeLogin(server, pharmacy.companyId, { flags: ['data_analytics'] })
    const company = { id: pharmacy.companyId, login_id: login.id, location_ids: [pharmacy.id] }
    const services = { ...server.services, now: () => new Date(time) }
    if (sequences) {
      await ensureRecommendations(services.pools.system, 'AU', services.now())
      await ensureSequenceRecommendations(services.pools.system, services.now())
    }
    // Without an author no sequences are added.
    await addDemoMessaging(services.pools.app, { ...company, login_id: sequences ? login.id : null }, services.now())
    const refills: string[] = []
    await followUpsFirst(services)
    const uplift = await replayDemoHistory(services, company, async (_, folder) => {
      refills.push((await readFile(join(folder, 'scripts.csv'), 'utf8')).replaceAll(/^refill-\d+-/gm, ''))
    })
    const messages = await asOwner<{ who: string; state: string; reason: string | null; sent: string | null }>(
      server,
      `select p.source_id || ' ' || m.channel as who, m.state, m.reason, m.sent_at::text as sent from message m join message_run r on r.id = m.run_id
       join campaign c on c.id = r.campaign_id join patient p on p.location_id = m.location_id and p.id = m.patient_id
       where c.uuid = $1 order by 1`,
      [HEART],
    )
    const [counted] = await asOwner<{ people: number; counted: number }>(
      server,
      `select count(*)::int as people, count(t.run_id)::int as counted
       from (select distinct m.location_id, m.run_id, m.patient_id from message m join message_run r on r.id = m.run_id
             where r.context = 'sequence' and m.sent_at is not null) m
       left join touch t on t.location_id = m.location_id and t.run_id = m.run_id and t.patient_id = m.patient_id`,
    )
    return { messages, refills, uplift, counted: counted! }
  } finally {
    await server.close()
  }
}

it('the demo’s past is the same at every first start of a day: who is held out, whom nothing reached and who reacts', async () => {
  const first = await firstStart('2026-11-23T01:00:00Z', PEOPLE)
  const count = (state: string, reason?: string) =>
    first.messages.filter((one) => one.state === state && (reason === undefined || one.reason === reason)).length
  expect(first.messages).toHaveLength(PEOPLE.length)
  expect(count('skipped', 'held_out')).toBeGreaterThan(60)
  expect(count('delivered')).toBeGreaterThan(120)
  expect(count('failed')).toBeGreaterThan(0)
  expect(first.uplift[HEART]!.refills).toBeGreaterThan(90)
  // In the evening, and with ids the other way round.
  expect(await firstStart('2026-11-23T08:30:00Z', PEOPLE.toReversed())).toEqual(first)
}, 120_000)

it('the demo’s results also count what its sequences sent', async () => {
  const { counted } = await firstStart('2026-11-23T01:00:00Z', PEOPLE.slice(0, 80), true)
  expect(counted.people).toBeGreaterThan(BEGINNERS / 2)
  expect(counted.counted).toBe(counted.people)
}, 120_000)
