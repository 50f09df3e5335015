import { REQUEST_HOURS } from '@pillar/domain/upload/faulty-upload'
import { LEASE_RENEW_SECONDS, type Setback } from '@pillar/domain/upload/upload-state'
import { z } from 'zod'
import type { Services } from '../../api/context.ts'
import { setbackOf } from '../../api/health/setback.ts'
import { reasonOf } from '../../api/log.ts'
import { job } from '../../api/queue.ts'
import { raisePosition, settlePosition } from '../../api/replica/position.queries.ts'
import { inScope } from '../../db/scope.ts'
import { errorWord } from '../../gateways/telemetry/marks.ts'
import { goingOnFrom, type Span, traced } from '../../gateways/telemetry/trace.ts'
import { type ClaimedUpload, claimUpload, finishUpload, putBack, reclaimLost, renewLease } from './claim.queries.ts'
import { removeKept } from './file/keep.ts'
import { removeStale } from './file/upload-folder.ts'
import { setBackTimes } from './load/data-range.queries.ts'
import { LostClaim, loadUploadFiles } from './load/load.ts'
import { type Findings, UploadFault } from './read/fault.ts'
import { giveUpRequests } from './support/request.queries.ts'
import { locationOfUpload } from './upload.queries.ts'
import { waitingLocation, waitingWithoutJob } from './waiting.queries.ts'

/**
 * Loads the waiting uploads of the pharmacy of `uuid`, oldest first, then any others: a loader with
 * more work does not return to the queue for it.
 */
export const loadUpload = job({
  name: 'etl-load',
  payload: z.object({ uuid: z.uuid() }),
  concurrency: (services) => services.env.ETL_WORKERS,
  retries: 3,
  async run({ uuid }, services) {
    const { system } = services.pools
    let locationId = await locationOfUpload(system, uuid)
    // A claim can fail when another loader was quicker; that one continues, so this one may stop.
    const until = performance.now() + LONGEST_TURN_MS
    for (let misses = 0; locationId !== null && misses < 2; locationId = await waitingLocation(system)) {
      if (performance.now() > until || services.stopping?.aborted) return recoverUploads(services)

      const claim = await claimUpload(system, locationId)
      if (claim) await loadClaimed(services, claim)
      misses = claim ? 0 : misses + 1
    }
  },
})

/** Well under the time after which the queue considers a job dead. */
const LONGEST_TURN_MS = 600_000

/** Loads one claimed upload, within the trace in which it was sent: the job of another upload may be the one to take it. */
function loadClaimed(services: Services, claim: ClaimedUpload): Promise<void> {
  const marks = { upload: claim.id, location: claim.locationId, company: claim.companyId }
  return traced('load upload', marks, (span) => load(services, claim, span), goingOnFrom(claim.trace))
}

/** Loads the upload and records the result. After a server fault the upload returns to the queue. */
async function load(services: Services, claim: ClaimedUpload, span: Span): Promise<void> {
  const { log, pools } = services
  const findings: Findings = { faults: [], counts: new Map(), notes: [] }
  const started = performance.now()
  const heartbeat = setInterval(() => {
    renewLease(pools.system, claim).catch((error) => log.warn({ reason: reasonOf(error) }, 'lease not renewed'))
  }, LEASE_RENEW_SECONDS * 1000)
  try {
    await loadUploadFiles(services, claim, findings)
    // Until this is written, reads of the company require the newest position.
    await settlePosition(pools.system, claim.companyId, claim.uuid).catch((error: unknown) =>
      log.warn({ reason: reasonOf(error) }, 'position of a load not recorded'),
    )
    const seconds = (performance.now() - started) / 1000
    log.info({ upload: claim.uuid, seconds, rows: rowsOf(findings) }, 'upload completed')
    span.mark({ outcome: 'COMPLETED', rows: rowsOf(findings) })
    await removeKept(services, claim)
  } catch (error) {
    if (error instanceof LostClaim) {
      log.warn({ upload: claim.uuid }, 'upload was taken over by another worker')
      return
    }
    span.mark({ outcome: 'not_loaded', error: errorWord(error) })
    await recordEnd(services, claim, findings, error as Error)
    await raisePosition(pools.system, claim.companyId)
  } finally {
    clearInterval(heartbeat)
  }
}

const rowsOf = (findings: Findings) => [...findings.counts.values()].reduce((sum, count) => sum + count.rows, 0)

/** Records why a load failed: ERROR for a data fault, back to the queue for a server fault. */
async function recordEnd(services: Services, claim: ClaimedUpload, findings: Findings, error: Error): Promise<void> {
  const { log, pools } = services
  if (error instanceof UploadFault) return recordError(services, claim, findings, error)
  const { name, code, message } = error as NodeJS.ErrnoException
  const setback = await setbackOfLoad(services, error)
  // A database message may quote a value from the file, so only its code is logged.
  log.error(
    { upload: claim.uuid, error: name, code, setback, ...(code ? {} : { reason: message }) },
    'upload not loaded',
  )
  if (!setback) return recordError(services, claim, findings, error)
  // If even this cannot be written, the next queue check finds the abandoned claim.
  await putBack(pools.system, claim, setback).catch((lost: Error) =>
    log.warn({ upload: claim.uuid, reason: lost.message }, 'setback not recorded'),
  )
}

async function setbackOfLoad({ files }: Services, error: Error): Promise<Setback | null> {
  const lost = (error as NodeJS.ErrnoException).code === 'ENOENT'
  return lost && !(await files.isThere()) ? 'files_away' : setbackOf(error)
}

async function recordError(services: Services, claim: ClaimedUpload, findings: Findings, error: Error): Promise<void> {
  const gone = (error as NodeJS.ErrnoException).code === 'ENOENT'
  const sentence =
    error instanceof UploadFault
      ? error.message
      : gone
        ? 'The files of this upload are no longer here; nothing was changed. Please send them again.'
        : 'The load failed on the server; nothing was changed. Support can see why and start it again.'
  const scope = { companyId: claim.companyId, locationIds: [claim.locationId] }
  const { counts, faults, span = null } = findings
  const outcome = { state: 'ERROR' as const, notes: sentence, counts, faults, span }
  await inScope(services.pools.app, scope, (tx) => finishUpload(tx, claim, outcome))
}

/**
 * One queue check: reclaims uploads of dead workers, sets back times that lie ahead, makes sure every waiting upload has a job, gives up
 * unanswered requests, deletes abandoned uploads. Worker processes run it at start and every half minute.
 */
export async function recoverUploads(services: Services): Promise<void> {
  const { pools, queue, log } = services
  for (const { uuid, setbacks } of await reclaimLost(pools.system))
    log.warn({ upload: uuid, setbacks }, 'upload taken back from a worker that stopped')
  const early = await setBackTimes(pools.system)
  if (early > 0)
    log.warn(
      { pharmacies: early },
      'times of uploads set back: they were written while the clock of the database was ahead',
    )
  for (const uuid of await waitingWithoutJob(pools.system, loadUpload.name))
    await pools.system.transaction().execute((tx) => queue.send(tx, loadUpload, { uuid }))
  for (const uuid of await giveUpRequests(pools.system, requestsBefore(services.now()), REQUEST_HOURS))
    log.info({ upload: uuid }, 'requested upload did not arrive')
  await removeStale(services.env.DATA_DIR)
}

const requestsBefore = (now: Date) => new Date(now.getTime() - REQUEST_HOURS * 3_600_000)
