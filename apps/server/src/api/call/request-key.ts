import { createHmac } from 'node:crypto'
import { Refusal, takesKey } from '@pillar/contract'
import { daysBefore, REQUEST_KEY_DAYS } from '@pillar/domain/access/retention'
import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { type Context, callerOf } from '../context.ts'
import { seal, unseal } from '../seal.ts'
import type { Asked } from './asked.ts'

/** Longer answers are not stored: a repeat of the request only learns that it was carried out. */
const MOST_ANSWER_CHARS = 16_384
const FORM = /^[\x21-\x7e]{8,200}$/

/** The stored answer to a request that was carried out earlier. */
export class Repeated {
  readonly answer: unknown
  constructor(answer: unknown) {
    this.answer = answer
  }
}

/** A request's key and body as stored: keyed hashes, because a body may hold a password. */
interface Kept {
  loginId: number
  key: Buffer
  body: Buffer
}

/**
 * Looks for the same request under the same key, in the transaction that would carry it out. Until that transaction ends, no other request
 * with the key gets past this point.
 * @returns null for the first request, and for any without a key
 * @throws Refusal conflict while the first is unanswered, or if its answer was not stored; invalid if the key belongs to a different
 * request
 */
export async function findRepeated(asked: Asked, context: Context, tx: Tx): Promise<Repeated | null> {
  const kept = keptOf(asked, context)
  if (!kept) return null
  const lock = `request ${kept.loginId} ${kept.key.toString('hex')}`
  const { rows: locks } = await sql<{ mine: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${lock}, 0)) as mine`.execute(tx)
  if (!locks[0]?.mine)
    throw new Refusal('conflict', 'This request was sent before and is not answered yet. Send it again in a moment.', {
      retryAfter: 1,
    })
  const { rows } = await sql<{ body_hash: Buffer; answer: string | null; made_at: Date }>`
    select * from find_request(${kept.loginId}, ${kept.key})`.execute(tx)
  const [found] = rows
  if (!found || found.made_at <= daysBefore(context.services.now(), REQUEST_KEY_DAYS)) return null
  if (!found.body_hash.equals(kept.body))
    throw new Refusal('invalid', 'This Idempotency-Key was used for another request. Give each request a new one.')
  const answer = opened(found.answer, kept, context)
  if (answer === null)
    throw new Refusal(
      'conflict',
      'This was done already, and its answer is given only once. Look at what it did; a program that means it once more sends another Idempotency-Key.',
    )
  return new Repeated(JSON.parse(answer))
}

const ownerOf = ({ loginId, key }: Kept) => `${loginId} ${key.toString('hex')}`

/** A stored answer, opened; null if none was stored, or if the installation's secret has changed since. */
function opened(stored: string | null, kept: Kept, { services }: Context): string | null {
  // Written by a version that did not seal answers, readable for a day after an upgrade: an object or a list.
  if (stored === null || /^[{[]/.test(stored)) return stored
  try {
    return unseal(services.secret, Buffer.from(stored, 'base64'), ownerOf(kept), 'request answer')
  } catch {
    return null
  }
}

/** Stores the answer to a request, sealed, in the same transaction. Does nothing for a request without a key. */
export async function keepAnswer(asked: Asked, context: Context, tx: Tx, result: unknown): Promise<void> {
  const kept = keptOf(asked, context)
  if (!kept) return
  const { call } = asked
  const text = call.tellsOnce ? null : JSON.stringify(call.output.parse(result))
  const answer =
    text !== null && text.length <= MOST_ANSWER_CHARS
      ? seal(context.services.secret, text, ownerOf(kept), 'request answer').toString('base64')
      : null
  await sql`select keep_request(${kept.loginId}, ${kept.key}, ${kept.body}, ${answer}, ${context.services.now()})`.execute(
    tx,
  )
}

/** Refuses a malformed key, and a key for a call that cannot honour it, so that nobody relies on it in vain. */
export function checkKey({ call }: Asked, { requestKey }: Context): void {
  if (requestKey === null || call.kind === 'read') return
  // Such a call may be repeated without a key. A page of an older version, or another client, may still send one.
  if (call.again === true) return
  if (!takesKey(call)) throw new Refusal('invalid', 'This call takes no Idempotency-Key: leave it out.')
  if (!FORM.test(requestKey))
    throw new Refusal(
      'invalid',
      'An Idempotency-Key has 8 to 200 characters: letters, digits and signs without spaces.',
    )
}

function keptOf({ name, call, input }: Asked, context: Context): Kept | null {
  const { requestKey, services } = context
  if (requestKey === null || !takesKey(call)) return null
  if (typeof call.again === 'function' && call.again(input)) return null
  const hash = (text: string) => createHmac('sha256', services.secret).update(text).digest()
  return {
    loginId: callerOf(context).loginId,
    key: hash(`key ${requestKey}`),
    body: hash(`body ${name} ${JSON.stringify(input)}`),
  }
}
