import { Refusal, type RefusalBody } from '@pillar/contract'
import type { FastifyError, FastifyRequest } from 'fastify'
import { faultOf } from '../gateways/fault.ts'
import type { Services } from './context.ts'

/** Whatever was thrown as a refusal that tells nothing of the inside; what nobody meant to throw is logged and reported. */
export function refusalOf(error: FastifyError | Refusal, request: FastifyRequest, { log, errors }: Services): Refusal {
  const refusal = meantBy(error)
  if (refusal.code === 'failed') {
    log.error(
      { request: request.id, call: request.routeOptions.config, reason: error.message, stack: error.stack },
      'request failed',
    )
    const { call } = request.routeOptions.config as { call?: string }
    errors.report(faultOf(error, { call: call ?? null, status: refusal.status }))
  }
  return refusal
}

/** A refusal as it travels. */
export function bodyOf({ code, message, errors }: Refusal, request: FastifyRequest): RefusalBody {
  const { call } = request.routeOptions.config as { call?: string }
  return {
    ...{ code, message },
    ...(errors ? { errors } : {}),
    // The specification's own name for it at this one call.
    ...(call === 'consent.download' ? { error: message } : {}),
  }
}

function meantBy(error: FastifyError | Refusal): Refusal {
  if (error instanceof Refusal) return error
  if (error.statusCode === 413) return new Refusal('too_large', 'The request is too large.')
  if (error.statusCode === 415) return new Refusal('unreadable', 'Send the request as JSON.')
  if (error.code === 'FST_ERR_BAD_URL') return nowhere()
  if (error.statusCode === 400 && (error.code?.startsWith('FST_ERR_') || error instanceof SyntaxError))
    return new Refusal('invalid', 'The request could not be read as JSON.')
  // Thrown where files are served: the path leaves the folder, or is none.
  if (error.statusCode && error.statusCode >= 400 && error.statusCode < 500) return nowhere()
  if (isDatabaseAway(error))
    return new Refusal('unavailable', 'The database does not answer. Nothing was changed. Please try again.', {
      retryAfter: 5,
    })
  return new Refusal('failed', 'Something went wrong on the server. Nothing was changed. Please try again.')
}

const nowhere = () => new Refusal('not_found', 'There is no such page.')

function isDatabaseAway(error: FastifyError): boolean {
  return /^(08|57P0|53)/.test(error.code ?? '') || ['ECONNREFUSED', 'ECONNRESET'].includes(error.code ?? '')
}
