import { parseArgs } from 'node:util'
import { type SeenSpan, startCollector } from '../apps/server/test/outside/collector.ts'
import { explain } from './usage/explain.ts'

explain(`npm run traces -- [--port 4318]
Plays a collector on this machine and prints each trace as a tree: what is part of what, how many milliseconds it took, and what it tells. For a
look at traces without anything else installed. Start Pillar with the OTEL_EXPORTER_OTLP_ENDPOINT that it names; Ctrl+C ends it.`)
function readPort(): number {
  try {
    const { port } = parseArgs({ options: { port: { type: 'string', default: '4318' } } }).values
    if (!/^\d{1,5}$/.test(port)) throw new Error(`--port is a number, not "${port}".`)
    return Number(port)
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`)
    process.exit(2)
  }
}
const QUIET_MS = 3_000

const collector = await startCollector(readPort())
const say = (line: string) => void process.stdout.write(`${line}\n`)
say(`Listening. Start Pillar with OTEL_EXPORTER_OTLP_ENDPOINT=${collector.url}`)

/** Spans seen, and the time of each trace's last one: a trace is printed once it has been quiet for a while. */
const traces = new Map<string, { spans: SeenSpan[]; at: number }>()
setInterval(() => {
  for (const span of collector.spans()) {
    const trace = traces.get(span.traceId) ?? { spans: [], at: 0 }
    trace.spans.push(span)
    trace.at = Date.now()
    traces.set(span.traceId, trace)
  }
  collector.bodies.length = 0
  for (const [id, { spans, at }] of traces) {
    if (Date.now() - at < QUIET_MS) continue
    traces.delete(id)
    say(`\ntrace ${id}`)
    const known = new Set(spans.map(({ spanId }) => spanId))
    print(spans, (span) => !known.has(span.parentId), '  ')
  }
}, 500)

function print(spans: readonly SeenSpan[], which: (span: SeenSpan) => boolean, indent: string): void {
  for (const span of spans.filter(which).sort((a, b) => a.startedAt - b.startedAt)) {
    const told = Object.entries(span.attributes).map(([name, value]) => `${name.replace(/^pillar\./, '')}=${value}`)
    say(`${`${indent}${span.name}`.padEnd(42)} ${span.took.toFixed(0).padStart(6)} ms  ${told.join(' ')}`.trimEnd())
    print(spans, (child) => child.parentId === span.spanId, `${indent}  `)
  }
}
