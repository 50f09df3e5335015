import type { FastifyInstance } from 'fastify'
import type { Services } from '../context.ts'
import type { Figures } from '../health/figures.ts'

const LIKE_OURS = /^[^?]*\/webhooks?(?:[/?]|$)/i
const isMistyped = (url: string) => LIKE_OURS.test(url) && !url.startsWith('/webhooks/')

/**
 * Leads addresses that somebody mistyped in a gateway's settings, such as //webhooks/sms/http/reply or /Webhooks/…, to where they are
 * refused and counted. They would get the portal's page, and a gateway would take its 200 for a delivered reply.
 */
export const atGateways = (url: string): string => (isMistyped(url) ? '/webhooks/mistyped' : url)

/**
 * Counts and logs calls of gateways that break the rules of HTTP, such as a text with blanks or letters in the address as they are. Node
 * refuses these before there is a request.
 */
export function countUnreadable(app: FastifyInstance, { log }: Services, figures: Figures): void {
  app.server.on('clientError', ({ rawPacket }: Error & { rawPacket?: Buffer }) => {
    const address = /^[A-Z]+ (\S+)/.exec(rawPacket?.toString('latin1', 0, 512) ?? '')?.[1] ?? ''
    if (!LIKE_OURS.test(address)) return
    figures.answered('webhooks.unreadable', 400, 0)
    log.warn({ path: '/webhooks/*', status: 400 }, 'a call of a gateway was refused')
  })
}
