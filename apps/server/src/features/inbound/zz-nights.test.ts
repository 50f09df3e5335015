import { contract } from '@pillar/contract'
import { afterAll, beforeAll, it, vi } from 'vitest'
import { makeRun } from '../../../test/messaging.ts'
import { FakePhones } from '../../../test/outside/fake-gateway.ts'
import { asOwner, fresh } from '../../../test/people.ts'
import { sendAll } from '../../../test/sending.ts'
import { makeSupport } from '../../../test/support.ts'
import { startUploadServer, type UploadServer } from '../../../test/upload.ts'
import { makeSequence } from '../../../test/world/sequence-world.ts'
import { rotate } from '../../db/field/rotation.ts'
import { sweepFields } from '../../db/field/sweep.ts'
import { inScope } from '../../db/scope.ts'
import { insertGatewayEvents } from '../../gateways/gateway-event.queries.ts'
import { jobs } from '../index.ts'
import { recountQueued, recountQueuedStats } from '../sending/recount.ts'
import { tickSequences } from '../sequence/sequence.jobs.ts'
import { followUp } from '../upload/after-upload.jobs.ts'
import { processEvents } from './events.ts'
vi.setConfig({ testTimeout: 900_000, hookTimeout: 300_000 })
let server: UploadServer
beforeAll(async () => { server = await startUploadServer() })
afterAll(() => server.close())
const NIGHTS = Number(process.env.N_NIGHTS ?? 180), MOST = Number(process.env.N_SECS ?? 215) * 1000
const P = 60
it('nights', async () => {
  const began = performance.now()
  const place = await server.pharmacy()
  const [loc] = await asOwner<any>(server, 'select l.uuid, l.name, c.uuid as company from location l join company c on c.id = l.company_id where l.id = $1', [place.id])
  const phones = new FakePhones()
  const errs = new Map<string, number>()
  const log = new Proxy(server.services.log, { get: (of, key) => key === 'error' || key === 'warn' ? (...a: unknown[]) => { const k = String(key) + ' ' + JSON.stringify(a).slice(0, 300); errs.set(k, (errs.get(k) ?? 0) + 1) } : Reflect.get(of, key) })
  const services = { ...server.services, log: log as never, sms: phones.gateway() }
  const scope = { companyId: place.companyId, locationIds: [place.id] }
  const world = { company: { id: place.companyId }, locations: [{ id: place.id, uuid: loc.uuid, name: loc.name }], scope, inside: (work: any) => inScope(server.services.pools.app, scope, work) } as never
  const people = Array.from({ length: P }, (_, n) => `P${n},Ines${n},Moran,1950-01-${String(1 + n % 28).padStart(2, '0')},F,0477 1${String(n).padStart(2, '0')} ${String(100 + n)}`)
  await place.load({ patients: `patient_id,first_name,last_name,date_of_birth,sex,mobile\n${people.join('\n')}\n`, drugs: 'drug_id,name\nA,Rosuvastatin 10mg\nB,Metformin 500mg\nC,Amlodipine 5mg\nD,Perindopril 4mg\n' })
  await asOwner(server, `insert into messaging_setting (company_id, cap_messages, cap_hours, week, holidays_quiet, holdout_percent) values ($1, 3, 168, (select jsonb_agg('[0, 1440]'::jsonb) from generate_series(1, 7)), false, 5)`, [place.companyId])
  await place.load({ scripts: `script_id,dispensed_on,patient_id,drug_id,days_supply\n${people.map((_, n) => `h${n},2024-02-01,P${n},A,28`).join('\n')}\n` })
  const seqs = [await makeSequence(server, world, [1, 7]), await makeSequence(server, world, [2, 10], { event: 'refill_overdue' as never })]
  const support = await makeSupport(server)
  const nightly = jobs.filter((one) => 'nightly' in one && one.nightly)
  const times = new Map<string, number[]>()
  const timed = async (what: string, work: () => Promise<unknown>) => { const t = performance.now(); try { await work() } catch (e) { const k = 'THROWN ' + what + ' ' + String(e).slice(0, 200); errs.set(k, (errs.get(k) ?? 0) + 1) } times.set(what, [...(times.get(what) ?? []), performance.now() - t]) }
  const sizes = async () => Object.fromEntries(await Promise.all((await asOwner<{ t: string }>(server, `select format('%s.%s', schemaname, relname) as t from pg_stat_user_tables where schemaname in ('public', 'pgboss') order by 1`)).map(async ({ t }) => [t, Number((await asOwner<{ n: string }>(server, `select count(*) as n from ${t}`))[0]!.n)])))
  let id = 0, night = 0
  const taken: { to: string; at: number }[] = []
  const marks: Record<string, number>[] = []
  const send = async () => {
    await sendAll(services as never)
    const told = [...phones.accepted.values()]
    for (const m of told) taken.push({ to: m.to, at: server.services.now().getTime() })
    await insertGatewayEvents(services.pools.system, services.keys, 'fake', told.map((m) => ({ id: fresh('r'), at: server.services.now().toISOString(), kind: 'receipt' as const, reference: m.reference, gatewayRef: null, status: 'delivered' as const, reason: null })))
    const from = told[0]?.to
    phones.accepted.clear()
    if (from && night % 3 === 0) await insertGatewayEvents(services.pools.system, services.keys, 'fake', [{ id: fresh('y'), at: server.services.now().toISOString(), kind: 'reply', from, to: '+61400000000', text: night % 30 === 0 ? 'STOP' : 'Thanks' }])
    while ((await processEvents(services as never)) > 0);
  }
  const erased: string[] = []
  for (; night < NIGHTS && performance.now() - began < MOST; night++) {
    server.clock.offsetMs += 86_400_000
    const day = new Date(server.services.now().getTime() - 86_400_000).toISOString().slice(0, 10)
    const rows = Array.from({ length: 10 }, (_, n) => `${++id},${day},P${(night * 10 + n) % P},${night < 10 ? 'A' : 'ABCD'[Math.floor(night / 40) % 4]},28`).filter((_, n) => (night * 10 + n) % P < 50 || night < 60)
    await timed('upload', async () => { const s = await place.load({ scripts: `script_id,dispensed_on,patient_id,drug_id,days_supply\n${rows.join('\n')}\n` }); if (s.etl_state !== 'COMPLETED') throw new Error(s.notes) })
    await timed('follow up', () => followUp(services as never, place.companyId, place.id))
    await timed('sequences', async () => { await tickSequences(services as never); await send() })
    if (night % 3 === 0) await timed('two campaigns', async () => {
      const patients = await asOwner<{ id: number; sms_to: string }>(server, 'select id, sms_to from patient where location_id = $1 and sms_to is not null', [place.id])
      for (const half of [0, 1]) await makeRun(server, world, { patients: patients.filter((_, n) => n % 2 === half || n % 5 === 0).map((p) => ({ ...p, id: Number(p.id), locationId: place.id, email_to: null })) })
      await send()
    })
    if (night % 25 === 24) await timed('erasure', async () => {
      const number = `P${erased.length * 7}`
      const { status, body } = await support.ask(contract.erasure.erasePatient, { id: loc.company, location_id: loc.uuid, number, last_name: 'Moran', reason: 'Asked in writing' })
      if (status !== 200) throw new Error(JSON.stringify(body))
      erased.push(number)
    })
    if (night === Math.floor(NIGHTS / 3)) await timed('rotation', async () => { await rotate(server.services.env, server.services.pools.system); await new Promise((r) => setTimeout(r, 3000)) })
    await timed('sealing again', () => sweepFields(services.pools, services.keys))
    await timed('recount', async () => { await recountQueued(services as never); await recountQueuedStats(services as never) })
    for (const job of nightly) await timed(job.name, () => job.run(job.nightly as never, services as never))
    if (night % 30 === 29) { marks.push(await sizes()); console.log('night', night + 1, Math.round(performance.now() - began)) }
  }
  console.log('NIGHTS', night)
  const mean = (a: number[]) => Math.round(a.reduce((x, y) => x + y, 0) / a.length)
  for (const [what, all] of times) console.log('T', what, 'first third', mean(all.slice(0, Math.ceil(all.length / 3))), 'last third', mean(all.slice(-Math.ceil(all.length / 3))), 'max', Math.round(Math.max(...all)))
  const names = Object.keys(marks.at(-1)!)
  console.log('GROWS\n' + names.filter((t) => marks.slice(1).every((m, at) => m[t]! >= marks[at]![t]!) && marks.at(-1)![t]! > marks[0]![t]!).map((t) => `${t} ${marks.map((m) => m[t]).join('→')}`).join('\n'))
  for (const [k, n] of errs) console.log('LOG', n, k)
  // caps: no more than 3 in any 168 hours
  let most = 0
  for (const [, all] of Map.groupBy(taken, (one) => one.to)) for (const { at } of all) most = Math.max(most, all.filter((o) => o.at >= at && o.at < at + 168 * 3_600_000).length)
  console.log('TEXTS', taken.length, 'most in a week', most)
  console.log('TWICE', JSON.stringify(await asOwner(server, `select f.enrolment_id, f.follow_up_id, count(*) from follow_up_message f group by 1, 2 having count(*) > 1`)), JSON.stringify(await asOwner(server, `select r.follow_up_id, m.patient_id, r.due_day, count(*) from message m join message_run r on r.id = m.run_id where r.sequence_id is not null and m.state in ('sent', 'delivered') group by 1, 2, 3 having count(*) > 1`)), 'sequence', JSON.stringify(await asOwner(server, `select s.id, (select count(*) from enrolment e where e.sequence_id = s.id), (select count(*) from message m join message_run r on r.id = m.run_id where r.sequence_id = s.id and m.state = 'delivered') as texts from sequence s where s.id = any($1)`, [seqs])))
  console.log('OUT', JSON.stringify(await asOwner(server, `select m.state, m.reason, count(*) from message m group by 1, 2 order by 3 desc`)))
  console.log('QUIET', JSON.stringify(await asOwner(server, `select m.run_id, m.created_at, m.planned_at, m.settled_at, r.starts_at, r.ends_at, r.state, r.sequence_id from message m join message_run r on r.id = m.run_id where m.reason = 'quiet_hours' limit 3`)))
  console.log('FOLLOW', JSON.stringify(await asOwner(server, `select sequence_id, reason, count(*) from follow_up_message group by 1, 2`)))
  const facts = async () => JSON.stringify(await asOwner(server, `select * from patient_fact where location_id = $1 order by patient_id`, [place.id]).then((all: any[]) => all.map((one) => ({ ...one, molecule_ids: [...one.molecule_ids].sort(), true_until: null }))))
  const before = await facts()
  await asOwner(server, 'delete from fact_base where location_id = $1', [place.id])
  await asOwner(server, 'delete from patient_fact where location_id = $1', [place.id])
  await followUp(services as never, place.companyId, place.id)
  console.log('FACTS', before === await facts(), before.length)
})
