import pg from 'pg'
import { type Figure, quantile } from '../figure.ts'
import { startServer } from '../server.ts'
import type { Bench } from '../suite.ts'
import type { Asked } from './asked.ts'
import { SIZE } from './invented.queries.ts'
import { listsOf } from './lists.ts'
import { addSupport, PASSWORD, plainSql, someThings, USERNAME } from './platform.queries.ts'
import { processorTime } from './processor.ts'
import { writePlatform } from './write.queries.ts'

const suite = 'platform'
const ROUNDS = 25
const WARM = 3

/** p95 of every list and search of the console, of Ctrl+K and of faulty uploads, on a full platform; beside each the same work by SQL alone. */
export async function platform(bench: Bench): Promise<Figure[]> {
  const size = Object.fromEntries(
    Object.entries(SIZE).map(([name, count]) => [name, Math.max(20, Math.round(count * bench.scale))]),
  ) as typeof SIZE
  const server = await startServer(await bench.folder(suite), { SECOND_FACTOR: 'optional' })
  const client = new pg.Client({ connectionString: server.databaseUrl })
  try {
    await writePlatform(server.databaseUrl, size)
    await addSupport(server.databaseUrl)
    bench.say(`A platform of ${size.companies} companies and ${size.templates} templates is written`)
    await client.connect()
    const ask = await signIn(server.url)
    const figures: Figure[] = []
    for (const one of listsOf(await someThings(client)))
      figures.push(await measure(one, { ask, client, pid: server.pid }))
    return figures
  } finally {
    await client.end()
    await server.stop()
  }
}

/** Milliseconds from a request to the last byte of its answer. */
type Ask = (path: string, input: object) => Promise<number>

interface Asking {
  ask: Ask
  /** The owner's connection, for rivals. */
  client: pg.Client
  /** The server's process, whose database is a child of it. */
  pid: number
}

/** One figure: p95 over the rounds, with its rival's in the same rounds. */
export async function measure(one: Asked, { ask, client, pid }: Asking): Promise<Figure> {
  const ours: number[] = []
  const theirs: number[] = []
  const processor: number[] = []
  for (let round = -WARM; round < ROUNDS; round++) {
    const at = Math.abs(round)
    const before = processorTime(pid)
    const took = await ask(one.path, one.input(at))
    const used = processorTime(pid) - before
    const rival = one.rival?.(at)
    const plain = rival ? await plainSql(client, rival.text, rival.values) : 0
    if (round < 0) continue
    ours.push(took)
    processor.push(used)
    if (rival) theirs.push(plain)
  }
  const measured = quantile(ours, 0.95)
  const figure: Figure = {
    suite,
    name: `${one.name}, p95`,
    unit: 'ms',
    measured,
    target: { most: one.most ?? 100 },
    samples: ours,
    note: `processor time of server and database: median ${quantile(processor, 0.5).toFixed(1)}, p95 ${quantile(processor, 0.95).toFixed(1)} ms`,
  }
  if (theirs.length === 0) return figure
  const rival = quantile(theirs, 0.95)
  return { ...figure, rival: { name: 'plain SQL', measured: rival }, ratio: rival / measured }
}

/** Signs the support person in. */
export async function signIn(url: string): Promise<Ask> {
  const post = (path: string, input: object, token?: string) =>
    fetch(`${url}/api/${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        origin: url,
        ...(token ? { authorization: `Bearer ${token}` } : {}),
      },
      body: JSON.stringify(input),
    })
  const answer = await post('enterprise-login', { name: USERNAME, password: PASSWORD })
  if (!answer.ok) throw new Error(`Sign-in failed: ${answer.status} ${await answer.text()}`)
  const { access_token } = (await answer.json()) as { access_token: string }
  return async (path, input) => {
    const whole = path.replaceAll(/\{(\w+)\}/g, (_, part: string) => String((input as Record<string, unknown>)[part]))
    const began = performance.now()
    const reply = await post(whole, input, access_token)
    const text = await reply.text()
    const took = performance.now() - began
    if (!reply.ok) throw new Error(`${whole} answered ${reply.status}: ${text.slice(0, 200)}`)
    return took
  }
}
