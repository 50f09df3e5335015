/** By code, or by message where a library hides Node's code behind its own. The first match counts. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/ECONNREFUSED/, 'it refused the connection'],
  [/ECONNRESET|EPIPE/, 'it broke off the connection'],
  [/ENOTFOUND/, 'its name is not known'],
  [/EAI_AGAIN/, 'its name could not be looked up'],
  [/EHOSTUNREACH|ENETUNREACH/, 'there is no way to it'],
  [/ABORT_ERR|EABORT|^ETIMEDOUT Timeout$/, 'it did not answer in time'],
  [/ETIMEDOUT/, 'it did not accept the connection in time'],
  [/certificate has expired/, 'its certificate has expired'],
  [/certificate is not yet valid/, "its certificate is not valid yet; see whether this machine's clock is right"],
  [/does not match certificate/, 'its certificate is for another name'],
  [
    /self-signed certificate|unable to (verify|get)/,
    'its certificate is from an authority that this machine does not know; name yours in NODE_EXTRA_CA_CERTS',
  ],
  [/SSL routines/, 'it does not speak TLS as we do; see whether port and protocol in the setting are right'],
]

/** Why there was no answer, in words that follow 'it cannot be reached:'; for an unknown error, its own message on one line. */
export function wordsOf(error: Error & { code?: string }): string {
  // For a host with several addresses the driver gives one error per address.
  const last = error instanceof AggregateError ? (error.errors.at(-1) as Error) : error
  const { message } = last
  const found = WORDS.find(([pattern]) => pattern.test(`${error.code} ${message}`))
  return found?.[1] ?? message.replaceAll(/\s+/g, ' ').trim()
}
