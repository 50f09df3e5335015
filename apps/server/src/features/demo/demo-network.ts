import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Flag } from '@pillar/contract'
import { networkToday } from '@pillar/demo/calendar'
import { type DemoNetwork, type DemoPharmacy, demoNetwork } from '@pillar/demo/network'
import { DEMO_OWNERS, MAIN_COMPANY, OWNERLESS_EVERY } from '@pillar/demo/person/people'
import { uploadsOf } from '@pillar/demo/uploads'
import { isLoopbackName } from '@pillar/domain/text/web-address'
import { day as dayOf, formatDay } from '@pillar/domain/time/day'
import { zoneOf } from '@pillar/domain/time/zone'
import type { Services } from '../../api/context.ts'
import { sendUpload } from '../../cli/send-upload.ts'
import type { Tx } from '../../db/database.ts'
import { publishAverage } from '../average/average.jobs.ts'
import { publishBoard } from '../board/board.jobs.ts'
import { createLocation, ensureCompany, hasCompanies } from '../location/location.queries.ts'
import { createLogin } from '../session/login.queries.ts'
import { hashPassword, PASSWORD_COST } from '../session/password.ts'
import { refreshAllSixtyDay } from '../sixty-day/sixty-day.jobs.ts'
import { addDemoConsole } from './demo-console.queries.ts'
import { addDemoDashboards } from './demo-dashboard.queries.ts'
import { addDemoFakePatients } from './demo-fake-patient.queries.ts'
import { addDemoFunnel } from './demo-funnel.queries.ts'
import { addDemoMessaging, findDemoCompany } from './demo-messaging.queries.ts'
import type { SendFolder } from './demo-reaction.ts'
import { addDemoRegisters } from './demo-register.ts'
import { addDemoSignups } from './demo-signup.queries.ts'
import { addDemoTrials } from './demo-trial.queries.ts'
import { addDemoUploads } from './demo-upload.queries.ts'
import { addDemoUsers } from './demo-user.queries.ts'
import { type DemoMemory, keepMemory, readMemory } from './load/demo-memory.ts'
import { progressBar } from './load/progress.ts'
import { replayDemoHistory } from './past/demo-history.jobs.ts'
import { followUpsFirst, replayDemoInvitations } from './past/demo-invitations.jobs.ts'

export const DEMO_PASSWORD = 'Pillar-demo-2026'
const SEED = 1
/** Uploads being sent at once: one more than are loaded, so that a loader never waits. */
const AT_ONCE = 3

const run = promisify(execFile)
const writer = fileURLToPath(import.meta.resolve('@pillar/demo/write'))

/**
 * On an empty database, makes the demo network: companies, pharmacies and people through the functions that make every company, and all
 * data through the upload call at `address`, where this server listens. Later starts finish what an interrupted first start left undone.
 * Returns null without a demo network: with DEMO=none, in a database in use, or if the installation is reached from elsewhere and DEMO does
 * not ask for one.
 */
export async function startDemo(
  services: Services,
  address: string,
  say: (line: string) => void,
  ownerUrl: string,
): Promise<DemoUpload | null> {
  const { env, pools } = services
  if (env.DEMO === 'none') return null
  const remembered = await readMemory(env.DATA_DIR)
  if (!remembered && (await hasCompanies(services.pools.system))) return null
  if (!remembered && env.DEMO === undefined && !isLoopbackName(new URL(services.publicUrl()).hostname)) {
    say(
      `No demo network is made: everybody knows its passwords, and PUBLIC_URL is ${env.PUBLIC_URL}. Set DEMO=none, or DEMO=small to make one all the same.`,
    )
    return null
  }
  const size = remembered?.size ?? env.DEMO ?? 'small'
  const today = remembered?.today ?? networkToday(services.now())
  const network = demoNetwork(size, SEED, today)
  const memory: DemoMemory = remembered ?? { size, today, keys: {}, reached: {} }
  const save = () => keepMemory(env.DATA_DIR, memory)
  if (!remembered) {
    await pools.system.transaction().execute(async (tx) => {
      memory.keys = await found(tx, network, services.secret)
      // Before the commit: keys are shown only once, so a network without this file could never upload.
      await save()
    })
  }
  const company = await findDemoCompany(pools.system, MAIN_COMPANY, 'headoffice')
  if (company) await addDemoMessaging(pools.app, company, services.now())
  if (company) await addDemoDashboards(pools.staff, company, env.DASHBOARD_HOSTS[0], services.now())
  if (!memory.console) {
    await addDemoConsole(pools, services.now())
    await addDemoUsers(pools, services.now(), services.passwordCost)
    await addDemoFakePatients(pools, services.keys, services.now())
    const hash = await hashPassword(DEMO_PASSWORD, services.passwordCost ?? PASSWORD_COST)
    await addDemoSignups(pools.system, services.keys, hash, services.now())
    await addDemoTrials(services, services.now())
    memory.console = true
    await save()
  }
  const demo = { address, network, memory, save }
  const waiting = network.pharmacies.filter(
    (pharmacy) => pharmacy.behaviour !== 'never' && memory.reached[pharmacy.slug] === undefined,
  )
  if (waiting.length > 0) await uploadAll(demo, waiting, say)
  if (!memory.faulty) {
    await addDemoUploads(pools, services.now())
    memory.faulty = true
    await save()
  }
  if (!memory.registers) {
    await addDemoRegisters(services, network, ownerUrl, say)
    memory.registers = true
    await save()
  }
  if (company && !memory.lived) {
    say('The invitations to a trial and four campaigns of the demo network go out, weeks ago')
    await followUpsFirst(services)
    await replayDemoInvitations(services)
    memory.uplift = await replayDemoHistory(services, company, senderOf(demo))
    await addDemoFunnel(services, services.now())
    memory.lived = true
    await save()
  }
  // Also if another process has asked today, before all were there.
  if (waiting.length > 0) {
    for (const which of [publishAverage, publishBoard])
      await pools.system.transaction().execute((tx) => services.queue.send(tx, which, {}))
    // Nobody else's uploads are awaited: without this the Guild would see nothing in the first eight days of a month.
    await pools.system.transaction().execute((tx) => services.queue.send(tx, refreshAllSixtyDay, { settled: true }))
  }
  announcePeople(network, say)
  return demo
}

/**
 * Each pharmacy that is not late uploads what it has dispensed since its last upload, up to yesterday, as a pharmacy does every night: the
 * demo network stays as fresh as on its first day. A failed night is tried again with the next one.
 */
export async function refreshDemo(services: Services, demo: DemoUpload): Promise<void> {
  const yesterday = formatDay(dayOf(networkToday(services.now())) - 1)
  for (const pharmacy of demo.network.pharmacies.filter((one) => one.behaviour === 'ok')) {
    const reached = demo.memory.reached[pharmacy.slug]
    if (reached === undefined || reached >= yesterday) continue
    const from = formatDay(dayOf(reached) + 1)
    await sendPart(
      demo,
      pharmacy,
      ['--from', from, '--to', yesterday],
      [{ initial: false, range: { from, to: yesterday } }],
    )
    demo.memory.reached[pharmacy.slug] = yesterday
    await demo.save()
  }
}

/** Companies, pharmacies and people. Returns each pharmacy's key by its folder name. */
async function found(tx: Tx, network: DemoNetwork, secret: Buffer): Promise<Record<string, string>> {
  const keys: Record<string, string> = {}
  for (const company of network.companies) {
    const { id } = await ensureCompany(tx, { name: company.name, country: company.country, demo: true })
    for (const person of network.people.filter((one) => one.company === company.name)) {
      await createLogin(tx, { ...pick(person), companyId: id, password: DEMO_PASSWORD })
    }
    const owners: number[] = []
    for (const person of DEMO_OWNERS.filter((one) => one.company === company.name)) {
      // Nobody can sign in as an owner: nobody knows the password.
      const password = randomBytes(24).toString('base64url')
      owners.push((await createLogin(tx, { ...pick(person), companyId: id, password })).id)
    }
    for (const pharmacy of company.pharmacies) {
      const place = {
        companyId: id,
        name: pharmacy.name,
        street_address: pharmacy.street_address,
        town: pharmacy.town,
        region: pharmacy.region,
        postcode: pharmacy.postcode,
        country: company.country,
        phone_number: pharmacy.phone_number,
        latitude: pharmacy.latitude,
        longitude: pharmacy.longitude,
        time_zone: zoneOf(company.country, pharmacy.region),
        data_source: pharmacy.data_source,
        owner_login_id: ownerOf(owners, pharmacy.index),
      }
      const made = await createLocation(tx, place, secret)
      keys[pharmacy.slug] = made.key
    }
  }
  return keys
}

/** Each owner has several pharmacies; some have no owner set. */
const ownerOf = (owners: readonly number[], index: number) =>
  index % OWNERLESS_EVERY === OWNERLESS_EVERY - 1 ? null : (owners[index % owners.length] ?? null)

const pick = (person: DemoNetwork['people'][number]) => ({
  username: person.username,
  email: person.email,
  first_name: person.first_name,
  last_name: person.last_name,
  flags: person.flags as Flag[],
})

export interface DemoUpload {
  address: string
  network: DemoNetwork
  memory: DemoMemory
  save: () => Promise<void>
}

async function uploadAll(
  demo: DemoUpload,
  waiting: readonly DemoPharmacy[],
  say: (line: string) => void,
): Promise<void> {
  say(
    `Uploading the demo network: ${waiting.length} pharmacies, about ${Math.round(waiting.reduce((sum, one) => sum + one.scripts, 0) / 1000).toLocaleString('en-AU')},000 scripts`,
  )
  const bar = progressBar(waiting.reduce((sum, one) => sum + one.scripts, 0))
  const queue = [...waiting].sort((a, b) => b.scripts - a.scripts)
  const next = async (): Promise<void> => {
    for (let pharmacy = queue.shift(); pharmacy; pharmacy = queue.shift()) {
      await uploadPharmacy(demo, pharmacy)
      demo.memory.reached[pharmacy.slug] = pharmacy.last_day
      await demo.save()
      bar.add(pharmacy.scripts)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, next))
  bar.done()
}

/** The uploads that set up a pharmacy of the demo world. */
const uploadPharmacy = (demo: DemoUpload, pharmacy: DemoPharmacy) =>
  sendPart(demo, pharmacy, [], uploadsOf(demo.network, pharmacy.index))

/** Sends the main company's additional dispensing, each pharmacy's under its own key. */
const senderOf =
  ({ address, network, memory }: DemoUpload): SendFolder =>
  async (name, folder) => {
    const pharmacy = network.pharmacies.find((one) => one.company === MAIN_COMPANY && one.name === name)
    const key = pharmacy && memory.keys[pharmacy.slug]
    if (!key) throw new Error(`The demo network has no pharmacy ${name} of ${MAIN_COMPANY}`)
    await sendUpload({ url: address, key, source: pharmacy.data_source, folder })
  }

/** Writes one pharmacy's files in a separate process and uploads them the way a pharmacy does. */
async function sendPart(
  { address, memory }: DemoUpload,
  pharmacy: DemoPharmacy,
  range: readonly string[],
  uploads: readonly { initial: boolean; range: { from: string; to: string } }[],
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'pillar-demo-'))
  try {
    const world = ['--size', memory.size, '--seed', String(SEED), '--today', memory.today]
    await run(process.execPath, [writer, ...world, '--pharmacy', String(pharmacy.index), '--out', folder, ...range])
    for (const [part, upload] of uploads.entries()) {
      await sendUpload({
        url: address,
        key: memory.keys[pharmacy.slug]!,
        source: pharmacy.data_source,
        folder: join(folder, pharmacy.slug, ...(part === 0 ? [] : [`upload-${part + 1}`])),
        initial: upload.initial,
        from: upload.range.from,
        to: upload.range.to,
      })
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function announcePeople(network: DemoNetwork, say: (line: string) => void): void {
  say(`\nDemo people, password ${DEMO_PASSWORD} for all, without a second factor:`)
  for (const person of network.people)
    say(
      `  ${person.username.padEnd(12)} ${person.first_name} ${person.last_name}, ${person.company} (${person.flags.join(', ')})`,
    )
}
