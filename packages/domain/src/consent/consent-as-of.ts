import {
  afterConsent,
  byConsentTime,
  CHANNELS,
  type Channel,
  type Choice,
  CONSENT_KINDS,
  type ConsentEvent,
  type ConsentKind,
  formChoices,
  NO_CONSENT,
} from './consent.ts'

/** A person's choice for one channel and kind of message at an instant. */
export interface ChoiceAsOf {
  readonly channel: Channel
  readonly kind: ConsentKind
  readonly choice: Choice
  /** The entry whose words apply: the newest that stated the choice; null while unknown. */
  readonly entry: string | null
  /** The entry that began the present choice, such as the START after a STOP; null if it was always unknown. */
  readonly since: string | null
}

/** The choices for each channel and kind, from the whole log in any order, as of an instant in epoch milliseconds. */
export function consentAsOf(log: readonly ConsentEvent[], asOf: number): ChoiceAsOf[] {
  let consent = NO_CONSENT
  const since = new Map<string, string>()
  const places = CHANNELS.flatMap((channel) => CONSENT_KINDS.map((kind) => ({ channel, kind })))
  for (const event of log.filter(({ at }) => at <= asOf).sort(byConsentTime)) {
    const next = afterConsent(consent, event)
    for (const { channel, kind } of places)
      if (next[channel][kind].choice !== consent[channel][kind].choice) since.set(`${channel} ${kind}`, event.id)
    consent = next
  }
  return places.map(({ channel, kind }) => {
    const { choice, entry } = consent[channel][kind]
    return { channel, kind, choice, entry, since: since.get(`${channel} ${kind}`) ?? null }
  })
}

const CHANNEL_WORDS: Readonly<Record<Channel, string>> = { sms: 'SMS', email: 'Email' }
const KIND_WORDS: Readonly<Record<ConsentKind, string>> = { health_outreach: 'health outreach', marketing: 'marketing' }

/** The scope of a choice: 'SMS health outreach'. */
export const consentPlace = (channel: Channel, kind: ConsentKind): string =>
  `${CHANNEL_WORDS[channel]} ${KIND_WORDS[kind]}`

/** The choice in words; for an unknown one, what it allows. */
export function choiceText(choice: Choice, kind: ConsentKind): string {
  if (choice === 'in') return 'Agreed'
  if (choice === 'out') return 'Said no'
  return kind === 'marketing' ? 'No answer, so not allowed' : 'No answer, so allowed until they say no'
}

/** What an entry of the log did, in one sentence without a full stop. */
export function entryText(event: ConsentEvent): string {
  switch (event.type) {
    case 'form': {
      const answers = formChoices(event.answers)
      const said = answers.map(
        ({ channel, kind, choice }) => `${consentPlace(channel, kind)} ${choice === 'in' ? 'Yes' : 'No'}`,
      )
      return `Answered the consent form: ${said.join(', ')}`
    }
    case 'stop':
      return 'Stopped all SMS'
    case 'start':
      return 'Sent START, which undoes a STOP'
    case 'unsubscribe':
      return 'Stopped all email'
    case 'import_opt_out':
      return `Marked as opted out of ${event.channel === 'sms' ? 'SMS' : 'email'}`
  }
}

const SOURCES: Readonly<Record<string, string>> = {
  'consent page': 'Consent page',
  reply: 'Text from their number',
  'unsubscribe page': 'Unsubscribe page',
  'one-click': 'Unsubscribe button of their email app',
  complaint: 'Spam complaint',
  gateway: 'Opted out at the gateway',
  upload: 'Dispensing system, by upload',
  'head office': 'Head office, for a reply',
  'another record': 'Another record of the pharmacy with this number, address or person',
  'removed pharmacy': 'A pharmacy of the company that was removed, for this number, address or person',
}

/** Where an entry came from, for a screen; the log's own word if there is no better one. */
export const sourceText = (source: string): string => SOURCES[source] ?? source
