import { PgBoss } from 'pg-boss'
import type { Figure } from '../figure.ts'
import { startServer } from '../server.ts'
import type { Bench } from '../suite.ts'
import { beginRun, progressOf, type RunProgress, tidyJobs, writeRun } from './messages.queries.ts'

const MESSAGES = 60_000
const PLACES = 20
const MOST_WAIT_MS = 600_000

/**
 * One process with its worker sends a campaign through the simulated gateway without an artificial rate, processing receipts at the same
 * time; then the same number of pg-boss jobs that do nothing, in the same database, as fast as that tool can.
 */
export async function messages(bench: Bench): Promise<Figure[]> {
  const count = Math.max(2_000, Math.round((MESSAGES * bench.scale) / PLACES) * PLACES)
  const folder = await bench.folder('messages')
  const server = await startServer(folder, { SMS_PER_SECOND: '0' })
  try {
    const run = await writeRun(server.databaseUrl, folder, PLACES, count)
    const began = performance.now()
    await beginRun(server.databaseUrl, run.id)
    const sent = await until(server.databaseUrl, run.id, (now) => now.queued + now.sending === 0)
    const settled = await until(server.databaseUrl, run.id, (now) => now.accepted - now.settled <= count * 0.001)
    const last = (performance.now() - began) / 1000
    if (sent.other > count * 0.01) throw new Error(`${sent.other} messages were not accepted.`)
    const rate = sent.accepted / sent.seconds
    const whole = sent.accepted / (run.seconds + sent.seconds)
    bench.say('messages: sent; now pg-boss in the same database')
    const bare = await bareJobs(server.databaseUrl, count)
    const suite = 'messages'
    const how = `hands of ${bare.hand}, ${bare.pollers} at once`
    const note = `${count} texts of ${PLACES} pharmacies; all receipts written ${last.toFixed(1)} s after the start`
    return [
      {
        ...{
          suite,
          name: 'Ledger, texts handed over',
          unit: 'messages/s',
          measured: rate,
          target: { least: 2_000 },
          note,
        },
        rival: { name: `pg-boss fetch, complete; ${how}`, measured: bare.worked },
        ratio: rate / bare.worked,
      },
      {
        ...{ suite, name: 'Ledger, written and handed over', unit: 'messages/s', measured: whole },
        rival: { name: 'pg-boss insert, fetch, complete', measured: bare.whole },
        ratio: whole / bare.whole,
      },
      { suite, name: 'Ledger, receipts written', unit: 'messages/s', measured: settled.settled / last },
    ]
  } finally {
    await server.stop()
  }
}

async function until(databaseUrl: string, run: number, done: (now: RunProgress) => boolean): Promise<RunProgress> {
  const began = performance.now()
  for (;;) {
    const now = await progressOf(databaseUrl, run)
    if (done(now)) return now
    if (performance.now() - began > MOST_WAIT_MS) throw new Error(`The run did not end: ${JSON.stringify(now)}`)
    await new Promise((passed) => setTimeout(passed, 1_000))
  }
}

interface BareJobs {
  /** Jobs fetched per batch, and the number of concurrent pollers. */
  hand: number
  pollers: number
  /** Jobs per second fetched and completed, and the same including their insertion. */
  worked: number
  whole: number
}

/**
 * The same number of jobs that do nothing through pg-boss: inserted 5,000 at a time, fetched and completed in batches, by several pollers.
 * Nobody can say beforehand which batch size suits it best, so several get a turn, each with a fresh queue, and the fastest counts.
 */
async function bareJobs(databaseUrl: string, count: number): Promise<BareJobs> {
  const boss = new PgBoss({ connectionString: databaseUrl, schema: 'bench_boss', supervise: false, schedule: false })
  boss.on('error', () => {})
  await boss.start()
  try {
    const tries: BareJobs[] = []
    for (const hand of [250, 1_000, 5_000])
      for (const pollers of [1, 2]) tries.push(await bareRun(boss, databaseUrl, { count, hand, pollers }))
    return tries.reduce((best, one) => (one.worked > best.worked ? one : best))
  } finally {
    await boss.stop({ graceful: false })
  }
}

const INSERTED = 5_000

async function bareRun(
  boss: PgBoss,
  databaseUrl: string,
  { count, hand, pollers }: { count: number; hand: number; pollers: number },
): Promise<BareJobs> {
  const queue = `bench-bare-${hand}-${pollers}`
  await boss.createQueue(queue)
  const began = performance.now()
  for (let at = 0; at < count; at += INSERTED)
    await boss.insert(
      queue,
      Array.from({ length: Math.min(INSERTED, count - at) }, (_, n) => ({ data: { id: at + n } })),
    )
  const inserted = (performance.now() - began) / 1000
  // As for the ledger's table before its turn: otherwise a fresh queue is read by a poor plan and is many times slower.
  await tidyJobs(databaseUrl)
  const start = performance.now()
  let done = 0
  const poll = async () => {
    for (;;) {
      const jobs = await boss.fetch(queue, { batchSize: hand })
      if (jobs.length === 0) return
      done += jobs.length
      await boss.complete(
        queue,
        jobs.map((job) => job.id),
      )
    }
  }
  await Promise.all(Array.from({ length: pollers }, poll))
  const worked = (performance.now() - start) / 1000
  if (done !== count) throw new Error(`pg-boss completed ${done} of ${count} jobs: the two did not do the same work.`)
  return { hand, pollers, worked: count / worked, whole: count / (inserted + worked) }
}
