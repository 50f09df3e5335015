// The codes that messages get, in plain words (twilio.com/docs/api/errors). Others keep Twilio's own words.
const REASONS: Readonly<Record<number, string>> = {
  21211: 'The number is not valid',
  21212: 'The sender is not valid',
  21408: 'Texts to this country are not switched on at the gateway',
  21606: 'The sender cannot send texts',
  21610: 'The person has opted out at the gateway',
  21612: 'The number cannot be reached from this sender',
  21614: 'The number is not a mobile number',
  21617: 'The text is too long',
  30003: 'The phone was off or out of reach',
  30004: 'The network blocked the message',
  30005: 'Number not in service',
  30006: 'The number is a landline, or cannot be reached',
  30007: 'The network filtered the message',
  30008: 'Not delivered, the network gave no reason',
}

const GONE: ReadonlySet<number> = new Set([21211, 21614, 30005, 30006])

/** Whether a code says that there is no such mobile number. */
export const isGone = (code: number | null | undefined): boolean => GONE.has(code ?? 0)

/** Whether a code says that the person has opted out at Twilio, which sends nothing to them from this sender. */
export const isOptedOut = (code: number | null | undefined): boolean => code === 21610

/** Why Twilio did not send or deliver, in plain words. */
export function twilioReason(code: number | null | undefined, words: string | null | undefined): string {
  if (code && REASONS[code]) return REASONS[code]
  const said = words?.trim().slice(0, 120) || 'The gateway gave no reason'
  return code ? `${said} (Twilio ${code})` : said
}
