import nodemailer, { type Transporter } from 'nodemailer'
import { type Env, senderAddress } from '../../env.ts'
import type { EmailGateway, HandOver, OutgoingEmail } from '../gateway.ts'
import { handOverEach } from '../hand-over.ts'
import { isGoneAddress } from './gone-address.ts'
import { mayHaveTaken, refusalOf, type SmtpError, silenceOf, smtpOptions, tellsContent } from './smtp-options.ts'

const CONNECTIONS = 5
/**
 * Shorter than what a hand-over may take: a message that waits for a slow server's connection would otherwise leave later, when nobody asks
 * any more whether its recipient still wants it.
 */
const LIMIT_MS = 12_000

/**
 * Campaign email through SMTP_URL. SMTP offers no later look-up of a message, so look-ups are unsure. The Message-ID contains our reference
 * and, with BOUNCE_DOMAIN, so does the address to which bounces return.
 * @param limitMs how long a message may take in all
 */
export function openSmtpEmail(env: Env & { SMTP_URL: string }, limitMs = LIMIT_MS): EmailGateway {
  const options = {
    ...smtpOptions(env.SMTP_URL),
    pool: true as const,
    maxConnections: CONNECTIONS,
    maxMessages: 500,
    // The pool would hand a message over again after a lost connection, not knowing whether the server had accepted it.
    maxRequeues: 0,
    connectionTimeout: 4_000,
    greetingTimeout: 4_000,
    socketTimeout: 8_000,
  }
  const transport = nodemailer.createTransport(options)
  tellsContent(transport)
  return {
    name: 'smtp',
    simulated: false,
    perSecond: env.EMAIL_PER_SECOND || Number.POSITIVE_INFINITY,
    send: (messages, isWithdrawn) =>
      handOverEach(messages, CONNECTIONS, (message) => sendOne(transport, env, message, limitMs), isWithdrawn),
    lookUp: async (messages) => messages.map(() => ({ kind: 'unsure' })),
  }
}

async function sendOne(transport: Transporter, env: Env, message: OutgoingEmail, limitMs: number): Promise<HandOver> {
  const address = senderAddress(env.MAIL_FROM)
  const domain = address.split('@')[1] ?? 'pillar'
  const bounces = env.BOUNCE_DOMAIN ? `bounce+${message.reference}@${env.BOUNCE_DOMAIN}` : address
  let flowed = false
  const mail = {
    // Objects, not strings, so that a name or an address is never parsed as a list of several.
    from: { name: message.fromName, address },
    to: { name: '', address: message.to },
    ...(message.replyTo ? { replyTo: { name: message.fromName, address: message.replyTo } } : {}),
    envelope: { from: bounces, to: [message.to] },
    messageId: `<${message.reference}@${domain}>`,
    subject: message.subject,
    text: message.text,
    html: message.html,
    headers: {
      // RFC 8058: one https address, to which the mail program POSTs the value of the second header.
      'List-Unsubscribe': { prepared: true, value: `<${message.oneClickUrl}>` },
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
    disableFileAccess: true,
    disableUrlAccess: true,
    signal: AbortSignal.timeout(limitMs),
    onContent: () => {
      flowed = true
    },
  }
  try {
    await transport.sendMail(mail)
    return { kind: 'accepted', gatewayRef: `${message.reference}@${domain}` }
  } catch (error) {
    return outcomeOf(error as SmtpError, flowed)
  }
}

/** What a failure means for the message; `flowed` says whether any of its content had been sent. */
function outcomeOf(error: SmtpError, flowed: boolean): HandOver {
  const { words, ofUs, final } = refusalOf(error)
  const { code, responseCode = 0 } = error
  if (code === 'EAUTH') return { kind: 'later', seconds: 60, reason: `The mail server refuses our sign-in: ${words}` }
  if (final && responseCode >= 500)
    return { kind: 'rejected', reason: `The mail server refused it: ${words}`, gone: isGoneAddress(words) }
  if (final) return { kind: 'rejected', reason: `The address is not usable: ${words}` }
  if (!mayHaveTaken(error, flowed)) {
    const seconds = ofUs && responseCode >= 500 ? 300 : 60
    return { kind: 'later', seconds, reason: silenceOf(error) ?? `The mail server did not take it: ${words}` }
  }
  return { kind: 'unknown', reason: `The connection to the mail server broke off: ${words}` }
}
