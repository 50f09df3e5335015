import { Refusal } from '@pillar/contract'
import { answeredBy, FORWARDED, patientsIn } from '@pillar/domain/message/forwarded-reply'
import { formatMoment } from '@pillar/domain/time/zone'
import { type Context, callerOf, type Services, tenantTx } from '../../api/context.ts'
import { counterKey, countersOf, countUse, orUnavailable, tooMany } from '../../api/counter.ts'
import { queueMail } from '../mail/mail.jobs.ts'
import { markReply, type ReplyToForward, readReplyToForward } from './reply.queries.ts'

/** One reply is forwarded at most once in this many seconds: two people, or two clicks, would otherwise send two emails. */
const counters = countersOf({ forwards: ['rfwd', 1, 60] })
const AWAY = { what: 'forwarded replies', message: 'Nothing was forwarded. Please try again.' }

/**
 * Emails a reply to its pharmacy's contact and marks it as read. @returns the address
 * @throws Refusal invalid without a contact, conflict once the text is removed, too_many if it was forwarded a moment ago
 */
export async function forwardReply(context: Context, uuid: string): Promise<string> {
  const tx = tenantTx(context)
  const { services } = context
  const reply = await readReplyToForward(tx, services.keys, uuid)
  if (reply.email === null) {
    throw new Refusal(
      'invalid',
      `${reply.pharmacy} has no contact with an email address. Please ask your administrator to add one.`,
    )
  }
  if (reply.body === null)
    throw new Refusal('conflict', 'The text of this reply has been removed. It can no longer be forwarded.')
  const text = letterText(reply)
  const to = reply.email
  await onceInAMinute(services, uuid, async () => {
    await markReply(tx, uuid, { at: services.now(), by: callerOf(context).loginId })
    // Last, so that a failure to write the email leaves the reply unread.
    await services.pools.system
      .transaction()
      .execute((system) => queueMail(system, services, { to, subject: FORWARDED, text }))
  })
  return to
}

async function onceInAMinute(services: Services, uuid: string, work: () => Promise<void>): Promise<void> {
  const key = counterKey(services, `forwarded reply:${uuid}`)
  const { forwards } = counters(services)
  const { taken, wait } = await orUnavailable(services, AWAY, () => countUse(forwards, key))
  if (!taken) throw tooMany('This reply has just been forwarded to its pharmacy.', wait)
  try {
    await work()
  } catch (error) {
    await orUnavailable(services, AWAY, () => forwards.delete(key))
    throw error
  }
}

/** Contains no name and no whole number: many people read a mailbox. */
function letterText({ pharmacy, patients, number_end, body, received_at, time_zone, country }: ReplyToForward): string {
  const who = patients.length === 0 ? 'a number that no patient of yours has' : patientsIn(patients)
  const at = formatMoment(country, time_zone, received_at)
  return [
    `${answeredBy(pharmacy)} ${who} (number ending in ${number_end}) on ${at}:`,
    '',
    body,
    '',
    'Your head office has forwarded this for you to answer. Please look the patient up by that number.',
  ].join('\n')
}
