import { PgBoss } from 'pg-boss'
import type { Figure } from './figure.ts'
import { beginRun, progressOf, type RunProgress, writeRun } from './messages.queries.ts'
import { startServer } from './server.ts'
import type { Bench } from './suite.ts'

const MESSAGES = 60_000
const PLACES = 20
const MOST_WAIT_MS = 600_000

/**
 * One process with its worker sends a campaign through the simulated gateway without an artificial rate, receipts processed beside it;
 * then the same number of bare pg-boss jobs that do nothing, in the same database.
 */
export async function messages(bench: Bench): Promise<Figure[]> {
  const count = Math.max(2_000, Math.round((MESSAGES * bench.scale) / PLACES) * PLACES)
  const server = await startServer(await bench.folder('messages'), { SMS_PER_SECOND: '0' })
  try {
    const run = await writeRun(server.databaseUrl, PLACES, count)
    const began = performance.now()
    await beginRun(server.databaseUrl, run)
    const sent = await until(server.databaseUrl, run, (now) => now.queued + now.sending === 0)
    const settled = await until(server.databaseUrl, run, (now) => now.accepted - now.settled <= count * 0.001)
    const whole = (performance.now() - began) / 1000
    if (sent.other > count * 0.01) throw new Error(`${sent.other} messages were not accepted.`)
    const rate = sent.accepted / sent.seconds
    const rival = { name: 'pg-boss, empty jobs', measured: await bareJobs(server.databaseUrl, count) }
    const suite = 'messages'
    const note = `${count} texts of ${PLACES} pharmacies; all receipts written ${whole.toFixed(1)} s after the start`
    return [
      {
        ...{ suite, name: 'Ledger, texts handed over', unit: 'messages/s', measured: rate },
        ...{ target: { least: 2_000 }, rival, ratio: rate / rival.measured, note },
      },
      { suite, name: 'Ledger, receipts written', unit: 'messages/s', measured: settled.settled / whole },
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

/** Jobs a second of pg-boss alone: inserted beforehand, fetched by two pollers in hands of 250, nothing done. */
async function bareJobs(databaseUrl: string, count: number): Promise<number> {
  const boss = new PgBoss({ connectionString: databaseUrl, supervise: false, schedule: false })
  boss.on('error', () => {})
  await boss.start()
  try {
    await boss.createQueue('bench-bare')
    for (let at = 0; at < count; at += 5_000) {
      const some = Array.from({ length: Math.min(5_000, count - at) }, (_, n) => ({ data: { id: at + n } }))
      await boss.insert('bench-bare', some)
    }
    const began = performance.now()
    const fetch = async () => {
      for (;;) {
        const jobs = await boss.fetch('bench-bare', { batchSize: 250 })
        if (jobs.length === 0) return
        await boss.complete(
          'bench-bare',
          jobs.map((job) => job.id),
        )
      }
    }
    await Promise.all([fetch(), fetch()])
    return count / ((performance.now() - began) / 1000)
  } finally {
    await boss.stop({ graceful: false })
  }
}
