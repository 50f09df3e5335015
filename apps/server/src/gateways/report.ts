import type { Logger } from 'pino'
import type { HandOver } from './gateway.ts'
import { steadyTime } from './telemetry/rarely.ts'

const AGAIN_MS = 60_000

interface Sender<M> {
  readonly name: string
  send: (messages: readonly M[]) => Promise<HandOver[]>
}

/**
 * Wraps a gateway to log when it does not accept messages: an outage or a wrong password would otherwise only look like slowness. At most
 * one line per minute and kind, with the number of messages affected since, without numbers and addresses.
 */
export function reporting<M, G extends Sender<M>>(gateway: G & Sender<M>, log: Logger, now = steadyTime): G {
  const since = { later: 0, unknown: 0 }
  const said = { later: Number.NEGATIVE_INFINITY, unknown: Number.NEGATIVE_INFINITY }
  const report = (handed: readonly HandOver[], kind: 'later' | 'unknown', words: string) => {
    const such = handed.filter((one) => one.kind === kind)
    since[kind] += such.length
    const last = such.at(-1)
    if (!last || !('reason' in last) || now() - said[kind] < AGAIN_MS) return
    log.warn({ gateway: gateway.name, messages: since[kind], reason: impersonal(last.reason) }, words)
    said[kind] = now()
    since[kind] = 0
  }
  return {
    ...gateway,
    async send(messages) {
      const handed = await gateway.send(messages)
      report(handed, 'later', 'the gateway does not take messages now')
      report(handed, 'unknown', 'the gateway left it open whether it took messages')
      return handed
    },
  }
}

/** A gateway's reason without the details gateways like to repeat: the recipient, user name, password or key. */
export const impersonal = (reason: string): string =>
  reason
    .replaceAll(/[^\s<>"':,;]+@[^\s<>"':,;]+/g, '…')
    .replaceAll(/\b(user\w*|pass\w*|token|secret|\w*key)(["']?\s*[=:]\s*["']?)[^\s"'&,;]+/gi, '$1$2…')
    .replaceAll(/\b(?=[\w-]*\d)[\w-]{20,}/g, '…')
    .replaceAll(/\+?\d[\d ]{5,}\d/g, '…')
