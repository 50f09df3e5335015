import { createHmac } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { isShortenedNumber } from '@pillar/domain/text/shortened-number'
import { parse } from 'csv-parse/sync'
import { z } from 'zod'
import type { GatewayEvent } from '../../gateways/gateway.ts'
import { httpReplyId, shortReplyId } from '../../gateways/sms/sms-http-events.ts'

const COLUMNS = ['from', 'to', 'text', 'at', 'id'] as const
const NUMBER = /^\+\d{8,15}$/

const Row = z.object({
  from: z.string().regex(NUMBER, 'from is no number such as +61491570006'),
  // Some gateways do not report it, and a sender may be a name.
  to: z.string().max(40, 'to is too long'),
  text: z.string(),
  at: z.iso.datetime({ offset: true, error: 'at is no time with its zone, such as 2026-11-25T18:00:00Z' }),
  id: z
    .string()
    .refine(
      (id) => !isShortenedNumber(id),
      'id is a number that a spreadsheet has shortened, to the same for many replies',
    ),
})

/**
 * Replies that a gateway has and Pillar lacks, as an operator got them: CSV with the columns from, to, text, at and id in the first line.
 * `id` is the gateway's own, under which a reply that arrived after all counts once; it may be empty.
 * @param gateway the name of the gateway, whose events differ in their ids
 * @returns the same events as those of the gateway's calls, earliest first
 * @throws Error with one sentence about the first unusable line; nothing is entered then
 */
export function readReplies(content: string, secret: Buffer, gateway: string): GatewayEvent[] {
  const rows = parse(content, { bom: true, columns: true, trim: true, skip_empty_lines: true }) as unknown[]
  const missing = COLUMNS.filter((name) => rows.length > 0 && !Object.hasOwn(rows[0] as object, name))
  if (rows.length === 0 || missing.length > 0)
    throw new Error(
      `The file must name the columns ${COLUMNS.join(', ')} in its first line and have a line for each reply.`,
    )
  const events = rows.map((row, at) => {
    const { data, error } = Row.safeParse(row)
    if (!data) throw new Error(`Reply ${at + 1} of the file is not usable: ${error!.issues[0]!.message}.`)
    const { from, to, text } = data
    const when = new Date(data.at).toISOString()
    // Keyed because it is stored: a number could be guessed from a hash without a key.
    const same = createHmac('sha256', secret).update([from, to, text, when].join('\n')).digest('base64url').slice(0, 32)
    const known = gateway === 'http' ? httpReplyId(secret, data.id, data) : `reply-${shortReplyId(data.id)}`
    return { id: data.id ? known : `reply-${same}`, at: when, kind: 'reply' as const, from, to, text }
  })
  refuseSharedIds(events)
  return events.sort((a, b) => (a.at < b.at ? -1 : 1))
}

/** Of two replies with one id only the first would be entered, and the second may be a STOP. @throws Error naming both */
function refuseSharedIds(events: readonly GatewayEvent[]): void {
  const first = new Map<string, number>()
  for (const [at, event] of events.entries()) {
    const before = first.get(event.id) ?? at
    if (!isDeepStrictEqual(event, events[before]))
      throw new Error(`Replies ${before + 1} and ${at + 1} of the file have the same id, and are two replies.`)
    first.set(event.id, before)
  }
}
