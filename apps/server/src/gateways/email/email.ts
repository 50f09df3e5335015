import { withoutContact } from '@pillar/domain/text/without-contact'
import nodemailer from 'nodemailer'
import type { Env } from '../../env.ts'
import { mayHaveTaken, refusalOf, type SmtpError, silenceOf, smtpOptions, tellsContent } from './smtp-options.ts'

/** A message to one address. Plain text; links in it are built from the public address. */
export interface MailMessage {
  to: string
  subject: string
  text: string
  /** Stays the same when a letter is tried again, so that mail systems can tell a repeat. */
  id?: string
}

/** The mail server refused this letter, and would refuse it again. */
export class LetterRefused extends Error {}

/** The letter had left when the mail server broke off: it may have taken it, and nobody can be asked. */
export class LetterUnanswered extends Error {}

/** How e-mail leaves Pillar. `kept` says that it does not: letters stay in the Outbox page. */
export interface Mailer {
  kept: boolean
  /** Delivers or throws; the caller records the outcome. @throws LetterRefused, LetterUnanswered, or an error after which another try may help; none names whom it went to */
  deliver: (letter: MailMessage) => Promise<void>
}

const UNANSWERED = 'The mail server broke off before it said whether it took the letter.'

/**
 * The mailer of this installation: SMTP_URL through nodemailer (smtp://user:password@host:587, smtps:// for TLS from the start), or,
 * without it, one that leaves every letter where it is.
 */
export function openMailer(env: Pick<Env, 'SMTP_URL' | 'MAIL_FROM'>): Mailer {
  if (!env.SMTP_URL) return { kept: true, deliver: async () => {} }
  const transport = nodemailer.createTransport({
    ...smtpOptions(env.SMTP_URL),
    // Shorter than the job's own deadline, so that a server that hangs is reported as such.
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    // Some look through a letter before they take it, and one given up on too early goes twice.
    socketTimeout: 60_000,
  })
  tellsContent(transport)
  return {
    kept: false,
    async deliver({ to, subject, text, id }) {
      // An object, not a string: an address is never parsed as a list of several.
      const recipient = { name: '', address: to }
      const messageId = id ? { messageId: `<${id}@pillar>` } : {}
      // RFC 3834: with it no holiday notice is answered to MAIL_FROM.
      const headers = { 'Auto-Submitted': 'auto-generated' }
      let flowed = false
      const onContent = () => {
        flowed = true
      }
      const letter = { from: env.MAIL_FROM, to: recipient, subject, text, headers, ...messageId, onContent }
      const sent = await transport.sendMail(letter).catch((error: SmtpError) => {
        if (mayHaveTaken(error, flowed)) throw new LetterUnanswered(UNANSWERED)
        const reason = silenceOf(error) ?? withoutContact(error.message, to)
        throw refusalOf(error).final ? new LetterRefused(reason) : new Error(reason)
      })
      if (sent.rejected.length > 0) throw new Error('The mail server refused the address.')
    },
  }
}
