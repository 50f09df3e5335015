import { z } from 'zod'
import type { Services } from '../../api/context.ts'
import { job } from '../../api/queue.ts'
import { seal, unseal } from '../../api/seal.ts'
import type { Tx } from '../../db/database.ts'
import type { MailMessage } from '../../gateways/email/email.ts'
import { claimMail, insertMail, markFailed, markSent } from './mail.queries.ts'

/**
 * Delivers one letter. Safe to run again: a delivered letter is not found. The row stays locked during
 * delivery, so a crash in between sends it at most twice, under the same Message-ID, and never loses it.
 */
export const sendMail = job({
  name: 'mail',
  payload: z.object({ mail_id: z.number().int() }),
  concurrency: () => 2,
  // Waits of 2, 4, 8 … seconds: the last attempt comes about half an hour after the first.
  retries: 10,
  async run({ mail_id }, services) {
    try {
      await services.pools.system.transaction().execute(async (tx) => {
        const mail = await claimMail(tx, services.keys, mail_id)
        if (!mail?.body) return
        const text = unseal(services.secret, mail.body, mail.recipient, 'mail body')
        await services.mail.deliver({ to: mail.recipient, subject: mail.subject, text, id: `mail-${mail.id}` })
        await markSent(tx, mail.id, services.now(), services.mail.kept)
      })
    } catch (error) {
      const failure = error instanceof Error ? error.message : String(error)
      services.log.warn({ mail: mail_id, reason: failure }, 'a letter could not be delivered')
      await markFailed(services.pools.system, mail_id, failure)
      throw error
    }
  },
})

/** Writes a letter and its job in the transaction of the event: it is sent exactly if that commits. */
export async function queueMail(tx: Tx, services: Services, letter: MailMessage): Promise<void> {
  const body = seal(services.secret, letter.text, letter.to, 'mail body')
  const mail = { recipient: letter.to, subject: letter.subject, body, now: services.now() }
  const mail_id = await insertMail(tx, services.keys, mail)
  await services.queue.send(tx, sendMail, { mail_id })
}
