import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEEP } from '../deep.ts'
import { type Answer, ask, type FullDisk, signIn, startOnSmallDisk, webhook } from './full-disk-world.ts'

const BACK_WITHIN_MS = 60_000
const ANSWER_WITHIN_MS = 10_000
const WRITE_MS = 15_000
const SENTENCE = 'The disk of the server is full. Nothing was changed. Please try again later; support can make room.'

let disk: FullDisk | null = null
let token = ''
const taken: string[] = []
const answers: (Answer & { kind: string })[] = []
beforeAll(async () => {
  if (!DEEP) return
  disk = await startOnSmallDisk()
  if (disk) token = await signIn(disk.pillar.url)
}, 300_000)
afterAll(() => disk?.close())

let told = 0
/** @returns the status */
async function write(url: string): Promise<number> {
  const id = `full-${told++}`
  const answer = await webhook(url, id, 4_000)
  answers.push({ kind: 'write', ...answer })
  if (answer.status === 200) taken.push(id)
  return answer.status
}

async function read(url: string): Promise<void> {
  answers.push({ kind: 'read', ...(await ask(url, '/api/enterprise-init-info', { year: 2026, month: 10 }, token)) })
}

/** Writes and reads for a while. */
async function load(url: string, ms: number): Promise<void> {
  for (const began = performance.now(); performance.now() - began < ms; await pause(20)) {
    await Promise.all([...Array.from({ length: 20 }, () => write(url)), read(url)])
  }
}

/** Milliseconds until a write is accepted and /readyz reports ready. */
async function backAfter(url: string): Promise<number> {
  const began = performance.now()
  for (;;) {
    const ready = (await fetch(`${url}/readyz`)).status === 200
    const took = performance.now() - began
    if ((ready && (await write(url)) === 200) || took > BACK_WITHIN_MS) return took
    await pause(200)
  }
}

/** Those of `taken` that the database does not have. */
async function lost(): Promise<string[]> {
  const client = await disk!.owner()
  const { rows } = await client.query<{ event_id: string }>('select event_id from gateway_event')
  await client.end()
  const kept = new Set(rows.map(({ event_id }) => event_id.replace(/^.*(?=full-)/, '')))
  return taken.filter((id) => !kept.has(id))
}

/** How often each kind was answered with each status. */
function counts(): Record<string, number> {
  const found: Record<string, number> = {}
  for (const { kind, status } of answers) found[`${kind} ${status}`] = (found[`${kind} ${status}`] ?? 0) + 1
  return found
}

describe.runIf(DEEP)('a disk that the database fills (T24; DEEP=1, and root to mount a small disk)', () => {
  it('loses no accepted write, refuses the others with a sentence, answers reads, and is over within 60 s', async ({
    annotate,
    skip,
  }) => {
    if (!disk) return skip('Mounting a small disk takes root.')
    const { url } = disk.pillar
    disk.fill(3)
    await load(url, WRITE_MS)
    expect(Object.keys(counts()).sort()).toEqual(['read 200', 'write 200', 'write 507'])
    expect(new Set(answers.filter(({ status }) => status === 507).map(({ text }) => JSON.parse(text).message))).toEqual(
      new Set([SENTENCE]),
    )
    expect(disk.pillar.output()).toMatch(/No space left on device/)
    const free = /^pillar_disk_free_bytes(?:\{.*\})? (\S+)$/m.exec(await (await fetch(`${url}/metrics`)).text())
    expect(Number(free?.[1])).toBeLessThan(5e6)
    disk.free()
    const back = await backAfter(url)
    await annotate(`${JSON.stringify(counts())}, back after ${Math.round(back)} ms`)
    expect(back).toBeLessThan(BACK_WITHIN_MS)
    expect(await lost()).toEqual([])
    expect(Math.max(...answers.map(({ ms }) => ms))).toBeLessThan(ANSWER_WITHIN_MS)
  }, 300_000)

  it('so completely that even its log cannot be written loses no accepted write, and the database recovers without help', async ({
    annotate,
    skip,
  }) => {
    if (!disk) return skip('Mounting a small disk takes root.')
    const { url, output } = disk.pillar
    answers.length = 0
    const before = output().length
    const loaded = load(url, WRITE_MS)
    await pause(2_000)
    disk.fill(0)
    // Nothing in Pillar writes enough to grow the log alone that fast, so this writes until the database gives up.
    const flood = await disk.owner()
    const flooded = flood.query(
      `select pg_logical_emit_message(true, 'full', repeat('x', 1000000)) from generate_series(1, 200)`,
    )
    await expect(flooded).rejects.toThrow()
    const why = async () => (await fetch(`${url}/readyz`)).text()
    await expect.poll(why, { timeout: 30_000 }).toContain('The disk of the database is full. Make room')
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    await loaded
    expect(Object.keys(counts()).filter((kind) => !/ (200|503|507)$/.test(kind))).toEqual([])
    expect(output().slice(before)).toMatch(/the database did not start: .*No space left on device/)
    disk.free()
    const back = await backAfter(url)
    await annotate(`${JSON.stringify(counts())}, back after ${Math.round(back)} ms`)
    expect(back).toBeLessThan(BACK_WITHIN_MS)
    expect(await lost()).toEqual([])
    expect(Math.max(...answers.map(({ ms }) => ms))).toBeLessThan(ANSWER_WITHIN_MS)
  }, 300_000)

  it('leaves no table and no index damaged', async ({ skip }) => {
    if (!disk) return skip('Mounting a small disk takes root.')
    expect(await disk.damage()).toEqual([])
  }, 300_000)
})
