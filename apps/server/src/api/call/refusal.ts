import { Refusal, type RefusalBody } from '@pillar/contract'
import type { FastifyError, FastifyRequest } from 'fastify'
import { DatabaseAway, READ_ONLY } from '../../db/away.ts'
import { faultOf } from '../../gateways/fault.ts'
import type { Services } from '../context.ts'
import { brokenForm, isCutFile } from '../intake/multipart.ts'
import { placeOf, reasonOf } from '../log.ts'

const whenFailing = new WeakMap<FastifyRequest, string>()

/** If the request fails from here on, the answer says this: what it did stands, although its transaction is rolled back. */
export const sayIfFails = (request: FastifyRequest, says: string): void => void whenFailing.set(request, says)

/** Turns any error into a refusal that reveals nothing internal. Unexpected errors are logged and reported. */
export function refusalOf(error: FastifyError | Refusal, request: FastifyRequest, { log, errors }: Services): Refusal {
  if (isLeft(error, request)) return new Refusal('unavailable', 'Nobody waits for this answer any more.')
  const refusal = meantBy(error)
  const { call } = request.routeOptions.config
  if (refusal.code === 'unavailable' && !(error instanceof Refusal)) {
    log.warn({ request: request.id, call, reason: reasonOf(error) }, 'the database did not answer')
  }
  if (refusal.code === 'failed' || refusal.code === 'insufficient_storage') {
    const hide = hiding(request)
    log.error(
      { request: request.id, call, reason: hide(reasonOf(error)), stack: hide(placeOf(error)) },
      'request failed',
    )
    // A refusal for lack of room is not an error: pharmacies repeat their uploads all night, and would push all errors out of the list.
    if (!(error instanceof Refusal)) errors.report(faultOf(error, { call: call ?? null, status: refusal.status }))
  }
  const says = whenFailing.get(request)
  return says === undefined ? refusal : new Refusal(refusal.code, says, { retryAfter: refusal.retryAfter })
}

/** Removes the secret parts of a path (contract: `secret`) from text that is about to be logged. */
function hiding(request: FastifyRequest): (text: string) => string {
  const { secret = [] } = request.routeOptions.config
  const params = (request.params ?? {}) as Record<string, string>
  const values = secret.map((part) => params[part]).filter((value) => value !== undefined && value !== '')
  return (text) => values.reduce<string>((left, value) => left.replaceAll(String(value), '[redacted]'), text)
}

/** The JSON body of a refusal. */
export function bodyOf({ code, message, errors }: Refusal, request: FastifyRequest): RefusalBody {
  const { call } = request.routeOptions.config
  return {
    ...{ code, message },
    ...(errors ? { errors } : {}),
    // The specification uses this field name in this one call.
    ...(call === 'consent.download' ? { error: message } : {}),
  }
}

/** Whether a request failed only because its client has disconnected, in the middle of the request or before a large answer was ready. */
const isLeft = ({ code }: FastifyError | Refusal, { raw }: FastifyRequest): boolean =>
  (code === 'ECONNRESET' && raw.readableAborted) || (code === 'ERR_STREAM_PREMATURE_CLOSE' && raw.socket.destroyed)

function meantBy(error: FastifyError | Refusal): Refusal {
  if (error instanceof Refusal) return error
  if (isCutFile(error)) return brokenForm()
  if (error.statusCode === 413) return new Refusal('too_large', 'The request is too large.')
  if (error.statusCode === 415)
    return new Refusal('unreadable', 'Send the request as JSON, or files as multipart/form-data.')
  if (error.code === 'FST_ERR_BAD_URL') return nowhere()
  if (error.statusCode === 400 && (error.code?.startsWith('FST_ERR_') || error instanceof SyntaxError))
    return new Refusal('invalid', 'The request could not be read as JSON.')
  // Thrown by the file server when the path leads out of the folder or is malformed.
  if (error.statusCode && error.statusCode >= 400 && error.statusCode < 500) return nowhere()
  if (['53100', 'ENOSPC', 'EDQUOT'].includes(error.code ?? ''))
    return new Refusal(
      'insufficient_storage',
      'The disk of the server is full. Nothing was changed. Please try again later; support can make room.',
      { retryAfter: 300 },
    )
  if (error instanceof DatabaseAway && error.inDoubt) return new Refusal('unavailable', IN_DOUBT, { retryAfter: 5 })
  if (isDatabaseAway(error)) return new Refusal('unavailable', AWAY, { retryAfter: 5 })
  if (error.code === READ_ONLY) return new Refusal('unavailable', NO_CHANGES, { retryAfter: 30 })
  if (LOST_TURN.test(error.code ?? '')) return new Refusal('unavailable', CROSSED, { retryAfter: 1 })
  if (error.code === STATEMENT_TOO_LONG) return new Refusal('unavailable', TOO_LONG, { retryAfter: 10 })
  return new Refusal('failed', 'Something went wrong on the server. Nothing was changed. Please try again.')
}

const nowhere = () => new Refusal('not_found', 'There is no such page.')
const AWAY = 'The database does not answer. Nothing was changed. Please try again in a moment.'
const IN_DOUBT =
  'The database stopped answering while this was being saved, so it may or may not have been saved. Look before you try again.'
const TOO_LONG = 'The database is too busy to answer in time. Nothing was changed. Please try again in a moment.'
const CROSSED = 'Something else was changing the same at that moment. Nothing was changed. Please try again.'
const NO_CHANGES =
  'The database takes no changes at this moment. Nothing was changed. Please try again in a few minutes.'
/** SQLSTATE: another transaction held the rows and PostgreSQL chose this one to give way, by a deadlock or a lock timeout. */
const LOST_TURN = /^(40001|40P01|55P03)$/
/** SQLSTATE: PostgreSQL cancelled a statement that ran past its time limit. */
const STATEMENT_TOO_LONG = '57014'

function isDatabaseAway(error: FastifyError): boolean {
  return /^(08|57P0|53)/.test(error.code ?? '') || ['ECONNREFUSED', 'ECONNRESET'].includes(error.code ?? '')
}
