import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import type { Pools } from '../db/database.ts'
import type { Env } from '../env.ts'
import { keepFault } from './error-report.queries.ts'
import type { Fault } from './fault.ts'
import { httpCall } from './http-call.ts'
import { steadyTime } from './telemetry/rarely.ts'

/** Where uncaught errors go. */
export interface ErrorReporter {
  readonly name: 'sentry' | 'table'
  /** Takes an error and returns at once; never throws. Every error is reported (sample rate 1) while there is room. */
  report: (fault: Fault) => void
  /** Waits until all reports have been sent, a few seconds at most. */
  flush: () => Promise<void>
  /** Errors reported since the start, by source. */
  readonly counts: Readonly<Record<Fault['source'], number>>
}

/** Reports waiting to be sent; further ones are counted and logged, not sent. */
const MOST_WAITING = 100
const FLUSH_MS = 3_000
const SAY_AGAIN_MS = 60_000
/** Seconds that a service may ask us to wait. */
const LONGEST_WAIT = 3_600

/** The service of SENTRY_DSN, or the table of the last 1,000 errors if none is configured. */
export function openErrors(env: Env, pools: Pools, log: Logger): ErrorReporter {
  const take = env.SENTRY_DSN ? toSentry(readDsn(env.SENTRY_DSN)) : (fault: Fault) => keepFault(pools.system, fault)
  const counts = { server: 0, screens: 0 }
  let waiting = 0
  let last: Promise<void> = Promise.resolve()
  let said = Number.NEGATIVE_INFINITY
  const failed = (error: unknown) => {
    if (steadyTime() - said < SAY_AGAIN_MS) return
    said = steadyTime()
    log.warn({ reason: (error as { code?: string }).code ?? (error as Error).name }, 'an error could not be reported')
  }
  return {
    name: env.SENTRY_DSN ? 'sentry' : 'table',
    counts,
    report(fault) {
      counts[fault.source]++
      if (waiting >= MOST_WAITING) return
      waiting++
      last = last
        .then(() => take(fault))
        .catch(failed)
        .finally(() => waiting--)
    },
    flush: () => Promise.race([last, new Promise<void>((done) => setTimeout(done, FLUSH_MS).unref())]),
  }
}

interface Dsn {
  key: string
  /** Where envelopes are posted. */
  url: string
}

/** Parses `https://key@host/path/project` of the Sentry protocol. @throws Error naming the setting */
export function readDsn(text: string): Dsn {
  const { protocol, username, host, pathname } = new URL(text)
  const [, path, project] = /^(.*)\/(\d+)\/?$/.exec(pathname) ?? []
  if (!username || project === undefined) {
    throw new Error('The setting SENTRY_DSN is not usable: it must look like https://key@host/project.')
  }
  return { key: username, url: `${protocol}//${host}${path}/api/${project}/envelope/` }
}

/** Posts one envelope per error (develop.sentry.dev, envelopes). Errors are dropped while the service asks us to wait. */
function toSentry({ key, url }: Dsn): (fault: Fault) => Promise<void> {
  let notBefore = 0
  return async (fault) => {
    if (steadyTime() < notBefore) return
    const headers = {
      'content-type': 'application/x-sentry-envelope',
      'x-sentry-auth': `Sentry sentry_version=7, sentry_client=${fault.release.replace('@', '/')}, sentry_key=${key}`,
    }
    const answer = await httpCall({ method: 'POST', url, headers, body: envelopeOf(fault) })
    const asked = Number(answer.headers['retry-after']) || 60
    if (answer.status === 429) notBefore = steadyTime() + 1000 * Math.min(asked, LONGEST_WAIT)
    // A redirect too: it is not followed, so the error did not arrive.
    else if (answer.status >= 300) throw Object.assign(new Error(), { code: `status ${answer.status}` })
  }
}

function envelopeOf(fault: Fault): string {
  const id = randomBytes(16).toString('hex')
  const at = new Date().toISOString()
  const tags = { source: fault.source, code: fault.code, status: fault.status }
  const frames = fault.frames.toReversed().map(({ file, line, column, function: name }) => ({
    ...{ filename: file, lineno: line, colno: column, in_app: true },
    ...(name ? { function: name } : {}),
  }))
  const event = {
    event_id: id,
    timestamp: at,
    platform: fault.source === 'server' ? 'node' : 'javascript',
    level: 'error',
    release: fault.release,
    transaction: fault.call,
    tags: Object.fromEntries(Object.entries(tags).filter(([, value]) => value !== null)),
    exception: { values: [{ type: fault.name, value: fault.code ?? '', stacktrace: { frames } }] },
  }
  return `${[{ event_id: id, sent_at: at }, { type: 'event' }, event].map((line) => JSON.stringify(line)).join('\n')}\n`
}
