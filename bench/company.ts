import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { type GenerateRange, generatePharmacy } from '@pillar/demo/generate'
import type { DemoNetwork, DemoPharmacy } from '@pillar/demo/network'
import { zoneOf } from '@pillar/domain/time/zone'
import { DISPENSING_SETS, type DispensingSet } from '@pillar/domain/upload/upload-format'
import { openPools } from '../apps/server/src/db/database.ts'
import { createLocation, ensureCompany } from '../apps/server/src/features/location/location.queries.ts'
import { createLogin } from '../apps/server/src/features/session/login.queries.ts'

export const USERNAME = 'headoffice'
export const PASSWORD = 'Pillar-bench-2026'

export interface FoundPharmacy {
  uuid: string
  key: string
}

/**
 * Creates the companies of the given pharmacies, the pharmacies, and one head-office login for the first company, through the functions
 * that make every company.
 * @returns uuid and upload key by the pharmacy's index in the network
 */
export async function foundCompany(
  databaseUrl: string,
  pharmacies: readonly DemoPharmacy[],
  username = USERNAME,
): Promise<Map<number, FoundPharmacy>> {
  const pools = openPools(databaseUrl, () => {}, 2)
  const made = new Map<number, FoundPharmacy>()
  try {
    for (const pharmacy of pharmacies) {
      const { id: companyId } = await ensureCompany(pools.system, { name: pharmacy.company, country: 'AU' })
      if (made.size === 0) await createHeadOffice(pools.system, companyId, username)
      const { name, street_address, town, region, postcode, phone_number, latitude, longitude } = pharmacy
      const { uuid, key } = await createLocation(pools.system, {
        companyId,
        ...{ name, street_address, town, region, postcode, phone_number, latitude, longitude },
        country: 'AU',
        time_zone: zoneOf('AU', region),
        data_source: pharmacy.data_source,
      })
      made.set(pharmacy.index, { uuid, key })
    }
  } finally {
    await pools.close()
  }
  return made
}

async function createHeadOffice(
  system: Parameters<typeof createLogin>[0],
  companyId: number,
  username: string,
): Promise<void> {
  await createLogin(system, {
    companyId,
    username,
    email: `${username}@bench.example`,
    first_name: 'Head',
    last_name: 'Office',
    flags: ['data_analytics', 'sixty_day_signup', 'guild_login'],
    password: PASSWORD,
  })
}

/** Writes a pharmacy's files as demo/src/write-files.ts does, but lets running uploads continue in between. */
export async function writeFiles(
  network: DemoNetwork,
  index: number,
  folder: string,
  range: GenerateRange,
): Promise<Record<DispensingSet, number>> {
  await mkdir(folder, { recursive: true })
  const files = new Map(DISPENSING_SETS.map((set) => [set, createWriteStream(join(folder, `${set}.csv`))]))
  const chunks = generatePharmacy(network, index, range)
  for (;;) {
    const step = chunks.next()
    if (step.done) {
      for (const file of files.values()) file.end()
      await Promise.all([...files.values()].map((file) => finished(file)))
      return step.value
    }
    const file = files.get(step.value.set)
    await new Promise<void>((done, failed) => file?.write(step.value.text, (error) => (error ? failed(error) : done())))
  }
}

/** Signs in over HTTP. @returns the access token */
export async function signIn(url: string, name = USERNAME): Promise<string> {
  const answer = await post(url, '/api/enterprise-login', { name, password: PASSWORD }, null)
  return (JSON.parse(answer) as { access_token: string }).access_token
}

/** Makes one call and reads its whole body. Throws unless it succeeds. */
export async function post(url: string, path: string, body: unknown, token: string | null): Promise<string> {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${text.slice(0, 300)}`)
  return text
}

const lines = new Agent({ keepAlive: true })

/**
 * Milliseconds from a request to the last byte of its answer. The bytes are only counted: decoding a million characters in this process,
 * and its garbage collection, are not part of the server's time.
 */
export function timeOf(url: string, path: string, body: unknown, token: string): Promise<number> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const sent = JSON.stringify(body)
  return new Promise((done, failed) => {
    const began = performance.now()
    const asked = request(`${url}${path}`, { method: 'POST', agent: lines, headers }, (answer) => {
      if (answer.statusCode !== 200) failed(new Error(`${path} answered ${answer.statusCode}`))
      answer.on('data', () => {})
      answer.on('error', failed)
      answer.on('end', () => done(performance.now() - began))
    })
    asked.on('error', failed)
    asked.end(sent)
  })
}

/** Works through a queue with a fixed number of concurrent tasks. */
export async function inParallel<T>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = [...items]
  const next = async (): Promise<void> => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, next))
}
