import { type Figure, quantile } from './figure.ts'
import { startServer } from './server.ts'
import { makeLogins } from './sign-in.queries.ts'
import type { Bench } from './suite.ts'

const suite = 'sign-in'
const NAMES = 500
/** The server admits a thousand failures a minute, a hundred from one network. */
const PAUSE_MS = 20

/** Whether the time of a refused sign-in reveals who exists: known and unknown names in turn, one at a time, real password hashes. */
export async function signInTime(bench: Bench): Promise<Figure[]> {
  const count = Math.max(20, Math.round(NAMES * bench.scale))
  const server = await startServer(await bench.folder(suite))
  try {
    await makeLogins(server.databaseUrl, count)
    const known: number[] = []
    const unknown: number[] = []
    await refused(server.url, 'nobody', 100_000)
    for (let at = 0; at < count; at++) {
      // Alternates which of the two goes first, so that the machine's other load affects both.
      const pair = [
        async () => known.push(await refused(server.url, `person-${at}`, 2 * at)),
        async () => unknown.push(await refused(server.url, `nobody-${at}`, 2 * at + 1)),
      ]
      for (const one of at % 2 === 0 ? pair : pair.reverse()) await one()
    }
    // The median of the differences within a pair: an influence on both names in the same minute cancels out.
    const gaps = known.map((took, at) => took - unknown[at]!)
    const gap = Math.abs(quantile(gaps, 0.5))
    const note = `${count} known and as many unknown names, argon2id at its real cost`
    return [
      {
        suite,
        name: 'Refused sign-in, known to unknown name, median difference',
        unit: 'ms',
        measured: gap,
        target: { most: 5 },
        note,
      },
      {
        suite,
        name: 'Refused sign-in, known name, median',
        unit: 'ms',
        measured: quantile(known, 0.5),
        samples: known,
      },
      {
        suite,
        name: 'Refused sign-in, unknown name, median',
        unit: 'ms',
        measured: quantile(unknown, 0.5),
        samples: unknown,
      },
    ]
  } finally {
    await server.stop()
  }
}

/** Milliseconds until a wrong password is refused, from a separate address. */
async function refused(url: string, name: string, from: number): Promise<number> {
  await new Promise((done) => setTimeout(done, PAUSE_MS))
  const address = `198.${18 + (from >> 16)}.${(from >> 8) & 255}.${from & 255}`
  const began = performance.now()
  const answer = await fetch(`${url}/api/enterprise-login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
    body: JSON.stringify({ name, password: 'not the password' }),
  })
  await answer.arrayBuffer()
  const took = performance.now() - began
  if (answer.status !== 403) throw new Error(`a wrong password was answered with ${answer.status}`)
  return took
}
