import { z } from 'zod'
import type { Services } from '../../api/context.ts'
import { reasonOf } from '../../api/log.ts'
import { Foreseen, job, NotAgain, WaitThen } from '../../api/queue.ts'
import { seal, unseal } from '../../api/seal.ts'
import type { Tx } from '../../db/database.ts'
import { LetterDelayed, LetterRefused, LetterUnanswered, type MailMessage } from '../../gateways/email/email.ts'
import { claimMail, insertMail, keepAwake, markFailed, markSent } from './mail.queries.ts'

/** How long an email's link or offer works unless its writer says otherwise: as long as the queue tries. */
const WEEK_SECONDS = 7 * 86_400
/** The same for emails of versions that did not say. */
const OLDER_SECONDS = 3_600

/** An email that may have arrived is sent again after each of these waits, then no more. */
const UNANSWERED_WAITS = [60, 600, 3_600]
const TOO_OFTEN = `It was given up: it went ${UNANSWERED_WAITS.length + 1} times, and each time the mail server broke off before it said whether it took it.`
const UNRECORDED = 'The mail server took the letter, but that could not be recorded'

const secondsAfter = (start: Date, seconds: number) => new Date(start.getTime() + seconds * 1000)

/**
 * Delivers one email. Safe to run again: a delivered email is not found. The row stays locked during delivery, so a crash in between sends
 * it at most twice, under the same Message-ID, and never loses it. While the mail server is away it is tried until its offer has expired.
 * An email that a server may have accepted, or has accepted without our recording it, is retried only a few times.
 */
export const sendMail = job({
  name: 'mail',
  payload: z.object({
    mail_id: z.number().int(),
    until: z.iso.datetime().optional(),
    unanswered: z.number().int().optional(),
  }),
  concurrency: () => 2,
  // Waits of 2, 4, 8 … seconds: the last of these tries comes about half an hour after the first.
  retries: 10,
  again: true,
  async run({ mail_id, until, unanswered = 0 }, services) {
    let taken = false
    try {
      await services.pools.system.transaction().execute(async (tx) => {
        const mail = await claimMail(tx, services.keys, mail_id)
        if (!mail?.body) return
        if (unanswered > UNANSWERED_WAITS.length) throw new NotAgain(TOO_OFTEN)
        const ends = until ? new Date(until) : secondsAfter(mail.created_at, OLDER_SECONDS)
        if (services.now() > ends) throw new NotAgain('It was given up: what it offers has run out.')
        const text = unseal(services.secret, mail.body, mail.recipient, 'mail body')
        const letter = { to: mail.recipient, subject: mail.subject, text, id: mail.uuid }
        const sleep = keepAwake(tx)
        await services.mail.deliver(letter).finally(sleep)
        taken = !services.mail.kept
        await markSent(tx, mail.id, services.now(), services.mail.kept)
      })
    } catch (error) {
      const failure = taken ? `${UNRECORDED}: ${reasonOf(error)}` : reasonOf(error)
      services.log.warn({ mail: mail_id, reason: failure }, 'a letter could not be delivered')
      await markFailed(services.pools.system, mail_id, failure)
      if (taken || error instanceof LetterUnanswered)
        throw new WaitThen(failure, UNANSWERED_WAITS[unanswered] ?? 1, { unanswered: unanswered + 1 })
      if (error instanceof LetterRefused) throw new NotAgain(failure)
      throw error instanceof LetterDelayed ? new Foreseen(failure) : error
    }
  },
})

/**
 * Writes a letter and its job in the transaction of the event: it is sent exactly if that commits.
 * @param seconds how long what it offers works: it is not sent later than that, nor later than a week
 * @param many one of hundreds written at once: emails that somebody is waiting for, such as a password link, go first
 */
export async function queueMail(
  tx: Tx,
  services: Services,
  letter: MailMessage,
  seconds = WEEK_SECONDS,
  many = false,
): Promise<void> {
  const body = seal(services.secret, letter.text, letter.to, 'mail body')
  const now = services.now()
  const mail = { recipient: letter.to, subject: letter.subject, body, now }
  const mail_id = await insertMail(tx, services.keys, mail)
  const until = secondsAfter(now, seconds).toISOString()
  await services.queue.send(tx, sendMail, { mail_id, until }, undefined, many)
}

/** Queues one of many emails, behind those that somebody is waiting for. */
export const queueOneOfMany = (tx: Tx, services: Services, letter: MailMessage): Promise<void> =>
  queueMail(tx, services, letter, WEEK_SECONDS, true)
