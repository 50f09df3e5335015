import { Refusal, type RefusalBody } from '@pillar/contract'
import type { FastifyError, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'

/** Whatever was thrown as a refusal that tells nothing of the inside; what nobody meant to throw is logged. */
export function refusalOf(error: FastifyError | Refusal, request: FastifyRequest, log: Logger): Refusal {
  const refusal = meantBy(error)
  if (refusal.code === 'failed') {
    const { call } = request.routeOptions.config as { call?: string }
    const hide = hiding(request)
    log.error(
      { request: request.id, call, reason: hide(error.message), stack: hide(error.stack ?? '') },
      'request failed',
    )
  }
  return refusal
}

/** Takes the secret parts of a path (contract: `secret`) out of what is about to be logged. */
function hiding(request: FastifyRequest): (text: string) => string {
  const { secret = [] } = request.routeOptions.config as { secret?: readonly string[] }
  const params = (request.params ?? {}) as Record<string, string>
  const values = secret.map((part) => params[part]).filter((value) => value !== undefined && value !== '')
  return (text) => values.reduce<string>((left, value) => left.replaceAll(String(value), '[redacted]'), text)
}

/** A refusal as it travels. */
export function bodyOf({ code, message, errors }: Refusal): RefusalBody {
  return errors ? { code, message, errors } : { code, message }
}

function meantBy(error: FastifyError | Refusal): Refusal {
  if (error instanceof Refusal) return error
  if (error.statusCode === 413) return new Refusal('too_large', 'The request is too large.')
  if (error.statusCode === 415) return new Refusal('unreadable', 'Send the request as JSON.')
  if (error.statusCode === 400) return new Refusal('invalid', 'The request could not be read as JSON.')
  if (isDatabaseAway(error))
    return new Refusal('unavailable', 'The database does not answer. Nothing was changed. Please try again.', {
      retryAfter: 5,
    })
  return new Refusal('failed', 'Something went wrong on the server. Nothing was changed. Please try again.')
}

function isDatabaseAway(error: FastifyError): boolean {
  return /^(08|57P0|53)/.test(error.code ?? '') || ['ECONNREFUSED', 'ECONNRESET'].includes(error.code ?? '')
}
