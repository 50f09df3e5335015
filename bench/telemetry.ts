import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { demoNetwork } from '@pillar/demo/network'
import { foundCompany, signIn, timeOf } from './company.ts'
import { type Figure, quantile } from './figure.ts'
import { processorTime } from './platform/processor.ts'
import { type BenchServer, startServer, watchMemory } from './server.ts'
import type { Bench } from './suite.ts'

const suite = 'telemetry'
/** A read that does little besides its transaction, so that a span's cost shows most. */
const PATH = '/api/campaign/enterprise/list'
const ROUNDS = 30
const EACH = 100
const WARM = 500

interface Side {
  name: string
  server: BenchServer
  token: string
  ms: number[]
  /** Milliseconds of processor time per request, of the server and its database, by round. */
  processor: number[]
  memory: () => Promise<{ samples: number[]; peak: number }>
}

/** Telemetry's cost per request: three servers take turns, one without it, one with an answering collector, one with a silent collector. */
export async function telemetry(bench: Bench): Promise<Figure[]> {
  const folder = await bench.folder(suite)
  const answering = await collector((response) => void response.writeHead(200).end())
  const silent = await collector(() => {})
  const sides: Side[] = []
  try {
    for (const [name, peer] of [
      ['off', null],
      ['on', answering],
      ['silent', silent],
    ] as const) {
      const address = peer && `http://127.0.0.1:${(peer.address() as AddressInfo).port}`
      sides.push(await openSide(name, join(folder, name), address ? { OTEL_EXPORTER_OTLP_ENDPOINT: address } : {}))
    }
    for (const side of sides) await turn(side, WARM)
    for (const side of sides) side.ms.length = 0
    const rounds = Math.max(3, Math.round(ROUNDS * bench.scale))
    for (let round = 0; round < rounds; round++) {
      // Alternates which one goes first, so that the machine's other load affects all.
      for (let at = 0; at < sides.length; at++) {
        const side = sides[(round + at) % sides.length]!
        const before = processorTime(side.server.pid)
        await turn(side, EACH)
        side.processor.push((processorTime(side.server.pid) - before) / EACH)
      }
    }
    return await figuresOf(sides)
  } finally {
    await Promise.all(sides.map(({ server }) => server.stop()))
    for (const peer of [answering, silent]) peer.close().closeAllConnections()
  }
}

async function openSide(name: string, folder: string, settings: Record<string, string>): Promise<Side> {
  const server = await startServer(folder, settings)
  await foundCompany(server.databaseUrl, demoNetwork('tiny', 1, '2026-11-20').pharmacies.slice(0, 1))
  const token = await signIn(server.url)
  return { name, server, token, ms: [], processor: [], memory: watchMemory(server.pid) }
}

async function turn({ server, token, ms }: Side, count: number): Promise<void> {
  const ask = { page: 1, search_term: '' }
  for (let at = 0; at < count; at++) ms.push(await timeOf(server.url, PATH, ask, token))
}

function collector(answer: (response: ServerResponse) => void): Promise<Server> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => answer(response))
  })
  return new Promise((done) => server.listen(0, '127.0.0.1', () => done(server)))
}

async function figuresOf(sides: readonly Side[]): Promise<Figure[]> {
  const [off, on, silent] = sides as [Side, Side, Side]
  const figures: Figure[] = []
  for (const side of [on, silent]) {
    const rival = (measured: number) => ({ name: 'without', measured })
    const [ms, without] = [quantile(side.ms, 0.5), quantile(off.ms, 0.5)]
    const [cost, before] = [quantile(side.processor, 0.5), quantile(off.processor, 0.5)]
    const which = side.name === 'on' ? 'collector answers' : 'collector silent'
    figures.push(
      {
        ...{ suite, name: `Request, ${which}, median`, unit: 'ms', measured: ms, samples: side.ms },
        ...{ rival: rival(without), ratio: without / ms },
      },
      {
        ...{
          suite,
          name: `Processor a request, ${which}, median`,
          unit: 'ms',
          measured: cost,
          samples: side.processor,
        },
        ...{ rival: rival(before), ratio: before / cost, target: { most: before * 1.15 } },
      },
    )
  }
  const memory = new Map<string, number>()
  for (const side of sides) memory.set(side.name, (await side.memory()).peak)
  const measured = memory.get('silent')! - memory.get('off')!
  const note = `most resident memory: ${[...memory].map(([name, mb]) => `${name} ${mb.toFixed(0)} MB`).join(', ')}`
  return [
    ...figures,
    { suite, name: 'Memory more, collector silent', unit: 'MB', measured, target: { most: 60 }, note },
  ]
}
