import { post, signIn } from '../company.ts'
import { type Figure, quantile } from '../figure.ts'
import { startServer } from '../server.ts'
import type { Bench } from '../suite.ts'
import { NAMES, writeReferrals } from './referral.queries.ts'

const suite = 'referral'
const REFERRALS = 100_000
const WARM_UP = 5
const ROUNDS = 60
const MOST_MS = 60
const SORTS = ['first_name', 'email', 'trial_name', 'enrolled', 'recruiter_contacted'] as const

/** A recruiter's list of a hundred thousand referrals over HTTP: pages, sorts, searches and ranges, and the file of all of them. */
export async function referral(bench: Bench): Promise<Figure[]> {
  const count = Math.max(1_000, Math.round(REFERRALS * bench.scale))
  const server = await startServer(await bench.folder(suite), { SECOND_FACTOR: 'optional' })
  try {
    await writeReferrals(server.databaseUrl, count)
    const token = await signIn(server.url, 'trials')
    const ask = async (path: string, input: (round: number) => object, rounds = ROUNDS) => {
      const samples: number[] = []
      for (let round = 0; round < WARM_UP + rounds; round++) {
        const start = performance.now()
        await post(server.url, `/api/clinical-trial-pharmacy-referral-list${path}`, input(round), token)
        if (round >= WARM_UP) samples.push(performance.now() - start)
      }
      return samples
    }
    const figure = async (name: string, input: (round: number) => object): Promise<Figure> => {
      const samples = await ask('', input)
      const note = `${count} referrals, and as many of somebody else`
      return { suite, name, unit: 'ms', measured: quantile(samples, 0.95), samples, target: { most: MOST_MS }, note }
    }
    return [
      await figure('A page', (n) => ({ page: 1 + (n % 40) })),
      await figure('A page by another column', (n) => ({ page: 1 + (n % 9), sort_field: SORTS[n % SORTS.length] })),
      await figure('A search for a name', (n) => ({ search_term: NAMES[n % NAMES.length] })),
      await figure('A search for an address', (n) => ({ search_term: `person${n * 31}@` })),
      await figure('A month', (n) => ({ start_date: dayBefore(60 + n), end_date: dayBefore(30 + n) })),
      {
        ...{ suite, name: 'The file of all', unit: 'ms', note: `${count} rows at most` },
        measured: quantile(await ask('/export', () => ({}), 1), 0.5),
      },
    ]
  } finally {
    await server.stop()
  }
}

const dayBefore = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
