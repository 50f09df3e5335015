import { withoutContact } from '@pillar/domain/text/without-contact'
import nodemailer from 'nodemailer'
import { type Env, senderAddress } from '../../env.ts'
import { mayHaveTaken, refusalOf, type SmtpError, silenceOf, smtpOptions, tellsContent } from './smtp-options.ts'

/** An email to one address. Plain text; its links are built from the public address. */
export interface MailMessage {
  to: string
  subject: string
  text: string
  /** Stays the same when the email is retried, so that mail systems recognise a repeat, and is no other email's anywhere: they drop those. */
  id?: string
}

/** The mail server refused this email, and would refuse it again. */
export class LetterRefused extends Error {}

/** The mail server could not be reached, or did not take the email now. */
export class LetterDelayed extends Error {}

/** The mail server broke off after the email had been sent: it may have accepted it, and there is no way to find out. */
export class LetterUnanswered extends Error {}

/** How email leaves Pillar. `kept` means that it does not: emails stay on the Outbox page. */
export interface Mailer {
  kept: boolean
  /**
   * Delivers or throws; the caller records the outcome. @throws LetterRefused, LetterUnanswered or LetterDelayed; none names the recipient
   */
  deliver: (letter: MailMessage) => Promise<void>
}

const UNANSWERED = 'The mail server broke off before it said whether it took the letter.'

/** The longest a letter may take: RFC 5321 lets a server take ten minutes over its content. */
const LIMIT_MS = 600_000

/**
 * This installation's mailer: SMTP_URL through nodemailer (smtp://user:password@host:587, smtps:// for TLS from the start), or without it,
 * one that keeps every email.
 * @param limitMs how long a letter may take in all: a server that sends a byte now and then is never silent
 */
export function openMailer(env: Pick<Env, 'SMTP_URL' | 'MAIL_FROM'>, limitMs = LIMIT_MS): Mailer {
  if (!env.SMTP_URL) return { kept: true, deliver: async () => {} }
  const transport = nodemailer.createTransport({
    ...smtpOptions(env.SMTP_URL),
    // Shorter than the job's own deadline, so that a hanging server is reported as such.
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    // Some servers scan an email before they accept it; giving up too early would send it twice.
    socketTimeout: 60_000,
  })
  tellsContent(transport)
  return {
    kept: false,
    async deliver({ to, subject, text, id }) {
      // An object, not a string, so that an address is never parsed as a list of several.
      const recipient = { name: '', address: to }
      const messageId = id ? { messageId: `<${id}@${senderAddress(env.MAIL_FROM).split('@')[1]}>` } : {}
      // RFC 3834: prevents automatic holiday replies to MAIL_FROM.
      const headers = { 'Auto-Submitted': 'auto-generated' }
      let flowed = false
      const onContent = () => {
        flowed = true
      }
      const signal = AbortSignal.timeout(limitMs)
      const letter = { from: env.MAIL_FROM, to: recipient, subject, text, headers, ...messageId, onContent, signal }
      const sent = await transport.sendMail(letter).catch((error: SmtpError) => {
        if (mayHaveTaken(error, flowed)) throw new LetterUnanswered(UNANSWERED)
        const reason = silenceOf(error) ?? withoutContact(error.message, to)
        throw refusalOf(error).final ? new LetterRefused(reason) : new LetterDelayed(reason)
      })
      if (sent.rejected.length > 0) throw new LetterDelayed('The mail server refused the address.')
    },
  }
}
