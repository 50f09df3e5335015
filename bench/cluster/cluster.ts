import { join } from 'node:path'
import { demoNetwork } from '@pillar/demo/network'
import { MAIN_COMPANY } from '@pillar/demo/person/people'
import { day } from '@pillar/domain/time/day'
import { choiceAt } from '@pillar/domain/time/period'
import { sendUpload } from '../../apps/server/src/cli/send-upload.ts'
import { distribute, gather } from '../../apps/server/src/db/distribute/distribute.ts'
import { DISTRIBUTED } from '../../apps/server/src/db/distribute/placement.ts'
import { findCitus, joinCluster, NO_CITUS, startCluster } from '../../tools/cluster/nodes.ts'
import { foundCompany, post, signIn, timeOf, writeFiles } from '../company.ts'
import { type Figure, quantile } from '../figure.ts'
import { type BenchServer, startServer } from '../server.ts'
import type { Bench } from '../suite.ts'
import { makeDatabases, shareOfBytes } from './databases.ts'

const suite = 'cluster'
const TODAY = '2026-11-20'
const RECORD = { from: '2025-07-01', to: '2026-11-18' }
const NIGHT = { from: '2026-11-19', to: '2026-11-19' }
const PHARMACIES = 20
const REQUESTS = 40
const CALLS = ['/api/enterprise-pharmacy-table', '/api/enterprise-pharmacy-stats', '/api/enterprise-figures'] as const

/** One of the two sides, which do the same work in turn. */
interface Side {
  server: BenchServer
  keys: Map<number, { uuid: string; key: string }>
  token: string
  first: number[]
  night: number[]
  calls: Map<string, number[]>
}

/**
 * The same uploads and reads on one PostgreSQL, and on a coordinator with two workers, all on this machine: shows a cluster's cost where it
 * can gain nothing. Then the first becomes a cluster too, with its data.
 */
export async function cluster(bench: Bench): Promise<Figure[]> {
  const program = await findCitus()
  if (!program) throw new Error(NO_CITUS)
  const nodes = await startCluster(program, { 'citus.shard_count': '32' })
  try {
    return await measure(bench, nodes.url)
  } finally {
    await nodes.close()
  }
}

async function measure(bench: Bench, url: string): Promise<Figure[]> {
  const folder = await bench.folder(suite)
  const databases = await makeDatabases(url, bench.say)
  const network = demoNetwork('large', 1, TODAY)
  const own = network.pharmacies.filter((one) => one.company === MAIN_COMPANY && one.behaviour === 'ok')
  const chosen = own.slice(0, Math.max(3, Math.round(PHARMACIES * bench.scale)))
  const open = async (name: 'plain' | 'cluster'): Promise<Side> => {
    const { owner, serving } = databases[name]
    const settings = { DATABASE_URL: serving, DATABASE_OWNER_URL: owner }
    const server = await startServer(join(folder, name), settings)
    const keys = await foundCompany(serving, chosen)
    return { server, keys, token: await signIn(server.url), first: [], night: [], calls: new Map() }
  }
  const [plain, spread] = [await open('plain'), await open('cluster')]
  try {
    let scripts = 0
    for (const { index, slug } of chosen) {
      const [record, night] = [join(folder, slug, 'record'), join(folder, slug, 'night')]
      scripts += (await writeFiles(network, index, record, RECORD)).scripts
      scripts += (await writeFiles(network, index, night, NIGHT)).scripts
      for (const side of index % 2 === 0 ? [plain, spread] : [spread, plain]) {
        side.first.push(await timeUpload(side, index, record))
        side.night.push(await timeUpload(side, index, night))
      }
    }
    bench.say(`cluster: ${chosen.length} pharmacies, ${scripts} scripts on both`)
    await readByTurns(plain, spread)
    const same = (await answers(plain)) === (await answers(spread))
    await spread.server.stop()
    const moved = await moveThere(bench, plain, databases.plain.owner, url, folder)
    return figuresOf(plain, spread, { scripts, same, ...moved, pharmacies: chosen.length })
  } finally {
    await plain.server.stop()
    await spread.server.stop()
  }
}

async function timeUpload({ server, keys }: Side, index: number, folder: string): Promise<number> {
  const began = performance.now()
  const sent = await sendUpload({ url: server.url, key: keys.get(index)?.key ?? '', source: 'canonical', folder })
  if (sent.etl_state !== 'COMPLETED') throw new Error(`An upload ended as ${sent.etl_state}: ${sent.notes}`)
  return performance.now() - began
}

/** The table call names its pharmacies in a different field. */
const bodyOf = ({ keys }: Side, path: string) => ({
  ...(path === CALLS[0]
    ? { category: 'Drug Type', pharmacies: [...keys.values()].map(({ uuid }) => uuid) }
    : { pharmacy_ids: [...keys.values()].map(({ uuid }) => uuid) }),
  ...choiceAt('AU', 'year', day(NIGHT.to)),
})

async function readByTurns(...sides: [Side, Side]): Promise<void> {
  for (let turn = -3; turn < REQUESTS; turn++)
    for (const side of turn % 2 === 0 ? sides : [...sides].reverse())
      for (const path of CALLS) {
        const took = await timeOf(side.server.url, path, bodyOf(side, path), side.token)
        if (turn >= 0) side.calls.set(path, [...(side.calls.get(path) ?? []), took])
      }
}

/** The table's content, without the ids each database gives its pharmacies. */
async function answers(side: Side): Promise<string> {
  const text = await post(side.server.url, CALLS[0], bodyOf(side, CALLS[0]), side.token)
  return [...side.keys.values()].reduce((all, { uuid }, at) => all.replaceAll(uuid, String(at)), text)
}

/** Turns the plain side into a cluster as an operator does: stopped, moved, started; then reverses it. */
async function moveThere(bench: Bench, side: Side, owner: string, url: string, folder: string) {
  const before = await answers(side)
  const share = await shareOfBytes(owner, DISTRIBUTED)
  await side.server.stop()
  const stopped = performance.now()
  await joinCluster(url, new URL(owner).pathname.slice(1))
  const began = performance.now()
  await distribute(owner, bench.say)
  const moved = performance.now() - began
  const settings = { DATABASE_URL: owner.replace('pillar_owner', 'pillar_server'), DATABASE_OWNER_URL: owner }
  side.server = await startServer(join(folder, 'plain'), settings)
  const downtime = performance.now() - stopped
  side.token = await signIn(side.server.url)
  const kept = (await answers(side)) === before
  await side.server.stop()
  const back = performance.now()
  await gather(owner, bench.say)
  return { moved, downtime, kept, share, back: performance.now() - back }
}

interface Found {
  scripts: number
  pharmacies: number
  same: boolean
  kept: boolean
  /** The share of all bytes that moves to the workers. */
  share: number
  moved: number
  downtime: number
  back: number
}

function figuresOf(plain: Side, spread: Side, found: Found): Figure[] {
  const sum = (list: readonly number[]) => list.reduce((all, one) => all + one, 0)
  const note = `${found.pharmacies} pharmacies, ${found.scripts} scripts, by turns`
  const ratio = (name: string, cost: number) => ({ suite, name, unit: 'x', measured: cost, note })
  const perMillion = (ms: number) => (ms / found.scripts) * 1000
  return [
    ratio('First uploads on a cluster, times one PostgreSQL', sum(spread.first) / sum(plain.first)),
    ratio('A night on a cluster, times one PostgreSQL', sum(spread.night) / sum(plain.night)),
    ...CALLS.map((path) => {
      const [one, many] = [plain, spread].map((side) => side.calls.get(path) ?? [])
      const [alone, apart] = [quantile(one ?? [], 0.5), quantile(many ?? [], 0.5)]
      return {
        ...ratio(`${path.replace('/api/', '')} on a cluster, times one PostgreSQL`, apart / alone),
        ...{ samples: many ?? [], note: `medians ${apart.toFixed(1)} and ${alone.toFixed(1)} ms` },
      }
    }),
    {
      suite,
      name: 'Tables that differ',
      unit: '',
      measured: Number(!found.same) + Number(!found.kept),
      target: { most: 0 },
    },
    { suite, name: 'Share of all bytes that lies on workers', unit: 'of it', measured: found.share, note },
    {
      suite,
      name: 'Moving a million scripts to workers, with their figures',
      unit: 's',
      measured: perMillion(found.moved),
      note,
    },
    { suite, name: 'Stopped for that, all in', unit: 's', measured: found.downtime / 1000, note },
    { suite, name: 'Taking a million scripts back', unit: 's', measured: perMillion(found.back), note },
  ]
}
