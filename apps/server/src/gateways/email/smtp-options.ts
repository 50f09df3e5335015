import { wordsOf } from '../silence.ts'

/** What a URL such as smtp://user:password@host:587 says (smtps: for TLS from the start), as nodemailer takes it. */
export function smtpOptions(smtpUrl: string) {
  const url = new URL(smtpUrl)
  return {
    host: url.hostname,
    port: url.port ? Number(url.port) : url.protocol === 'smtps:' ? 465 : 587,
    secure: url.protocol === 'smtps:',
    ...(url.username
      ? { auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) } }
      : {}),
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

/** Codes of the library for a server with which there was no connection, or none any more. */
const UNREACHED = /^(ESOCKET|EDNS|ECONNECTION|ETIMEDOUT|ETLS)$/

/** The sentence for a mail server that gave no answer; null where it answered. */
export function silenceOf(error: Error & { code?: string; response?: string }): string | null {
  return UNREACHED.test(String(error.code)) && !error.response
    ? `The mail server cannot be reached: ${wordsOf(error)}.`
    : null
}
