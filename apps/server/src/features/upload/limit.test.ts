import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { formOf, post, startUploadServer, type UploadServer } from '../../../test/upload.ts'
import { sendUpload } from '../../cli/send-upload.ts'

const MB = 1024 ** 2
const STREET = 'a'.repeat(190)
/** A file of about this many bytes with unique content. */
function patients(bytes: number): string {
  n++
  const rows = Array.from({ length: Math.ceil(bytes / 200) }, (_, at) => `${n}x${at},${STREET}`)
  return `patient_id,address\n${rows.join('\n')}\n`
}
let n = 1000

let server: UploadServer
const servers: UploadServer[] = []
const start = async (env: Record<string, string>, work = false) => {
  const made = await startUploadServer({ work, env })
  servers.push(made)
  return made
}
afterAll(() => Promise.all(servers.map((one) => one.close())))

/** POSTs and returns the whole response. */
async function sent(pharmacy: { key: string }, files: Record<string, string>, fields: Record<string, string> = {}) {
  const answer = await post(
    `${server.url}/api/etl/upload`,
    pharmacy.key,
    formOf(files, { data_source: 'canonical', ...fields }),
  )
  const body = (await answer.json()) as { uuid: string; code: string; message: string; repeated: boolean }
  return { status: answer.status, after: Number(answer.headers.get('retry-after')), ...body }
}
const small = () => ({ patients: patients(20) })

describe('limits per pharmacy', () => {
  beforeAll(async () => {
    server = await start({ UPLOAD_DAY_COUNT: '4', UPLOAD_DAY_MB: '2', UPLOAD_WAITING: '2' })
  })

  it('limit waiting uploads; the next is refused for now and accepted once one has loaded', async () => {
    const pharmacy = await server.pharmacy()
    const first = await sent(pharmacy, small())
    expect([first.status, (await sent(pharmacy, small())).status]).toEqual([200, 200])
    const third = small()
    const refused = await sent(pharmacy, third)
    expect(refused).toMatchObject({ status: 429, code: 'too_many', after: 60 })
    expect(refused.message).toBe(
      '2 uploads of this pharmacy already wait to be loaded. Send this one again when they are.',
    )
    expect((await sent(await server.pharmacy(), small())).status).toBe(200)
    await server.owner.updateTable('upload').set({ etl_state: 'COMPLETED' }).where('uuid', '=', first.uuid).execute()
    expect((await sent(pharmacy, third)).status).toBe(200)
  })

  it('hold against 50 uploads at once', async () => {
    const pharmacy = await server.pharmacy()
    const all = await Promise.all(Array.from({ length: 50 }, () => sent(pharmacy, small())))
    expect(all.filter(({ status }) => status === 200)).toHaveLength(2)
    expect(all.filter(({ status }) => status === 429)).toHaveLength(48)
  })

  it('limit uploads per day, until midnight at the pharmacy; a repeat of an earlier upload does not count', async () => {
    const pharmacy = await server.pharmacy('Pacific/Kiritimati')
    const loaded = () =>
      server.owner
        .updateTable('upload')
        .set({ etl_state: 'COMPLETED' })
        .where('location_id', '=', pharmacy.id)
        .execute()
    const again = small()
    expect((await sent(pharmacy, again)).status).toBe(200)
    for (let time = 0; time < 3; time++) {
      await loaded()
      expect((await sent(pharmacy, small())).status).toBe(200)
    }
    await loaded()
    const refused = await sent(pharmacy, small())
    expect(refused).toMatchObject({ status: 429, code: 'too_many' })
    expect(refused.message).toContain('This pharmacy has sent 4 uploads today')
    const midnight = 86_400 - Math.floor((Date.now() / 1000 + 14 * 3600) % 86_400)
    expect(Math.abs(refused.after - midnight)).toBeLessThan(30)
    // The day after, by the clock of all processes.
    server.clock.offsetMs += 86_400_000
    expect((await sent(pharmacy, small())).status).toBe(200)
    server.clock.offsetMs -= 86_400_000
  })

  it('limit bytes per day; an unfinished upload counts, and can continue the next day', async () => {
    const pharmacy = await server.pharmacy()
    expect((await sent(pharmacy, { patients: patients(1.2 * MB) })).status).toBe(200)
    const refused = await sent(pharmacy, { patients: patients(1.2 * MB) })
    expect(refused).toMatchObject({ status: 429, code: 'too_many' })
    expect(refused.message).toContain('This pharmacy has sent as much today as it may, 2 MB')
    expect(refused.after).toBeGreaterThan(0)
    // The stored part counts too: not even the rest of the day's bytes are left.
    expect((await sent(pharmacy, { patients: patients(0.5 * MB) })).status).toBe(429)
  })

  it('an upload larger than a day’s bytes is refused for good and leaves nothing behind', async () => {
    const pharmacy = await server.pharmacy()
    const refused = await sent(pharmacy, { patients: patients(2.5 * MB) })
    expect(refused).toMatchObject({ status: 413, code: 'too_large' })
    expect(refused.message).toContain('larger than the 2 MB')
    const folder = join(server.services.env.DATA_DIR, 'uploads', String(pharmacy.id))
    expect(readdirSync(folder)).toEqual([])
    expect((await sent(pharmacy, small())).status).toBe(200)
  })
})

describe('disk space', () => {
  afterEach(() => {
    server.services.disk = { freeBytes: async () => 10_000 * MB }
  })
  beforeAll(async () => {
    server = await start({ UPLOAD_FREE_MB: '1000' }, true)
  })

  it('below the floor an upload gets 507 with a sentence and nothing is stored; with space it is accepted', async () => {
    const pharmacy = await server.pharmacy()
    server.services.disk = { freeBytes: async () => 999 * MB }
    const refused = await sent(pharmacy, small())
    expect(refused).toMatchObject({ status: 507, code: 'insufficient_storage', after: 300 })
    expect(server.services.errors.counts.server).toBe(0)
    expect(refused.message).toContain('too little disk space left')
    server.services.disk = { freeBytes: async () => 1001 * MB }
    expect((await sent(pharmacy, small())).status).toBe(200)
  })

  it('running out midway ends the upload there, and the command line resumes when space returns', async () => {
    const pharmacy = await server.pharmacy()
    let asked = 0
    server.services.disk = { freeBytes: async () => (asked++ < 4 ? 1001 : 999) * MB }
    const folder = mkdtempSync(join(tmpdir(), 'limit-'))
    writeFileSync(join(folder, 'patients.csv'), patients(8 * MB))
    const told: string[] = []
    const send = sendUpload({
      url: server.url,
      key: pharmacy.key,
      source: 'canonical',
      folder,
      onRetry: (reason) => {
        told.push(reason)
        server.services.disk = { freeBytes: async () => 1001 * MB }
      },
      wait: async () => {},
    })
    expect(await send).toMatchObject({ etl_state: 'COMPLETED' })
    expect(told).toEqual([expect.stringContaining('too little disk space left')])
  })
})

describe('a real disk that fills (T24)', () => {
  let folder = ''
  beforeAll(() => {
    const made = mkdtempSync(join(tmpdir(), 'small-disk-'))
    try {
      execFileSync('/bin/mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', made], { stdio: 'ignore' })
      folder = made
    } catch {
      process.stderr.write('No small disk can be mounted here (it takes root): the test with a real one is skipped.\n')
    }
  })
  afterAll(async () => {
    await Promise.all(servers.splice(0).map((one) => one.close()))
    if (folder) execFileSync('/bin/umount', [folder])
  })

  it('takes uploads down to the floor, then refuses with a sentence, while reads and loads continue', async (test) => {
    if (!folder) return test.skip()
    // A second try also begins with an empty disk.
    rmSync(join(folder, 'data'), { recursive: true, force: true })
    server = await start({ DATA_DIR: join(folder, 'data'), UPLOAD_FREE_MB: '8' })
    const pharmacy = await server.pharmacy()
    const answers = []
    for (let time = 0; time < 6; time++) answers.push(await sent(pharmacy, { patients: patients(4 * MB) }))
    expect(answers.slice(0, 3).map(({ status }) => status)).toEqual([200, 200, 200])
    expect(answers.slice(4)).toMatchObject([{ status: 507 }, { status: 507 }])
    expect(await server.services.disk.freeBytes(folder)).toBeGreaterThan(6 * MB)
    expect(await pharmacy.status(answers[0]!.uuid)).toMatchObject({ etl_state: 'RECEIVED' })
    await server.services.queue.work([(await import('./upload.jobs.ts')).loadUpload], server.services)
    expect(await pharmacy.settled(answers[0]!.uuid)).toMatchObject({ etl_state: 'COMPLETED' })
    expect(await pharmacy.settled(answers[2]!.uuid)).toMatchObject({ etl_state: 'COMPLETED' })
    expect((await sent(pharmacy, { patients: patients(4 * MB) })).status).toBe(200)
  })

  it('without a floor a full disk is still a 507, not a 500', async (test) => {
    if (!folder) return test.skip()
    server = await start({ DATA_DIR: join(folder, 'full'), UPLOAD_FREE_MB: '0' })
    const pharmacy = await server.pharmacy()
    const refused = await sent(pharmacy, { patients: patients(30 * MB) })
    expect(refused).toMatchObject({ status: 507, code: 'insufficient_storage' })
  })
})
