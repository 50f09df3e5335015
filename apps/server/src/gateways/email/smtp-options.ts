import { Readable } from 'node:stream'
import { isLoopbackName } from '@pillar/domain/text/web-address'
import type { Transporter } from 'nodemailer'
import { wordsOf } from '../silence.ts'

/**
 * nodemailer's options for a URL such as smtp://user:password@host:587 (smtps: for TLS from the start). A password never leaves this machine
 * unencrypted; whoever answers in a mail server's place could otherwise say that it has no TLS. Where plain text would do, so does TLS with
 * any certificate: a relay's own is usually signed by itself (RFC 7435).
 */
export function smtpOptions(smtpUrl: string) {
  const url = new URL(smtpUrl)
  const secure = url.protocol === 'smtps:'
  const requireTLS = url.username !== '' && !isLoopbackName(url.hostname)
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port ? Number(url.port) : secure ? 465 : 587,
    ...{ secure, requireTLS, tls: { rejectUnauthorized: secure || requireTLS } },
    ...(url.username
      ? { auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) } }
      : {}),
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

/** The error the library throws. */
export interface SmtpError extends Error {
  code?: string
  command?: string
  responseCode?: number
  response?: string
}

/**
 * Refusals that answer a recipient or the content but concern us: every message would get them. In the words of Postfix, Exim, Amazon SES,
 * Exchange, Gmail and SendGrid, in this order.
 */
const OURS = new RegExp(
  [
    ...['^530', '\\brelay(ing)?\\b', 'authentication required', 'sender address rejected', 'client host'],
    ...['sender verify failed', 'address is not verified', 'send(ing)? as this sender', 'bad outbound sender'],
    ...['sending limit', 'verified sender identity', 'unauthenticated senders'],
  ].join('|'),
  'i',
)

/** The library's codes for a refusal of the envelope and of the content. */
const REFUSED = ['EENVELOPE', 'EMESSAGE']

/**
 * What a failure says about one message: the server's `words`, whether the refusal is `ofMessage` (about the message) or `ofUs` (the server
 * accepts nothing from us: a fault of the installation). A `final` one would be refused again.
 */
export function refusalOf({ code, command, responseCode = 0, response, message }: SmtpError) {
  const words = (response ?? message).replaceAll(/\s+/g, ' ').trim().slice(0, 160)
  const ofUs = command === 'MAIL FROM' || OURS.test(words.replaceAll(/\S*@\S*/g, ''))
  const ofMessage = REFUSED.includes(code ?? '') && !ofUs
  return { words, ofUs, ofMessage, final: ofMessage && (responseCode >= 500 || command === 'API') }
}

/** Reports, for every message that has `onContent`, when its first byte is requested: before that, the server cannot have a message to accept. */
export function tellsContent(transport: Transporter): void {
  transport.use('stream', (mail, done) => {
    const { onContent } = mail.data as { onContent?: () => void }
    mail.message.processFunc((content) => whenRead(content, onContent ?? (() => {})))
    done()
  })
}

function whenRead(content: NodeJS.ReadableStream, begin: () => void): Readable {
  async function* read() {
    begin()
    yield* content as AsyncIterable<Buffer>
  }
  return Readable.from(read(), { objectMode: false, highWaterMark: 0 })
}

/** Whether the server may have accepted a message all the same. @param flowed whether any of its content had been sent */
export function mayHaveTaken(error: SmtpError, flowed: boolean): boolean {
  return flowed && !(REFUSED.includes(error.code ?? '') && (error.responseCode ?? 0) >= 400)
}

/** The library's codes for a server that cannot be reached, or whose connection was lost. */
const UNREACHED = /^(ESOCKET|EDNS|ECONNECTION|ETIMEDOUT|ETLS|EABORT)$/

/** The sentence for a mail server that gave no answer, or has no TLS where we insist on it; null if it answered a message. */
export function silenceOf(error: Error & { code?: string; response?: string }): string | null {
  if (error.code === 'ETLS' && error.response)
    return 'The mail server does not speak TLS, and gets no password without.'
  return UNREACHED.test(String(error.code)) && !error.response
    ? `The mail server cannot be reached: ${wordsOf(error)}.`
    : null
}
