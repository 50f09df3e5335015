export const CHANNELS = ['sms', 'email'] as const
export type Channel = (typeof CHANNELS)[number]
export const CONSENT_KINDS = ['health_outreach', 'marketing'] as const
export type ConsentKind = (typeof CONSENT_KINDS)[number]
export type Choice = 'unknown' | 'in' | 'out'

/** The four answers of the consent form; null (or absent) when the form did not ask. */
export interface ConsentForm {
  readonly health_outreach_sms_consent: boolean | null
  readonly health_outreach_email_consent: boolean | null
  readonly marketing_sms_consent: boolean | null
  readonly marketing_email_consent: boolean | null
}

/** One entry of a patient's log at one pharmacy. `at` in epoch milliseconds; `id` identifies the entry, so that a message can refer to it. */
export type ConsentEvent = { readonly id: string; readonly at: number } & (
  | { readonly type: 'form'; readonly answers: ConsentForm }
  /** Texts from the patient's number; `stop` also covers the opt-out link in a text, and head office acting on a reply. */
  | { readonly type: 'stop' }
  | { readonly type: 'start' }
  /** The unsubscribe link or the one-click header of an email. */
  | { readonly type: 'unsubscribe' }
  /** The dispensing system newly reports an opt-out on this channel. A missing flag is not an event. */
  | { readonly type: 'import_opt_out'; readonly channel: Channel }
)

export interface ConsentCell {
  readonly choice: Choice
  /** The entry that set the choice; null while unknown. */
  readonly entry: string | null
  /** What STOP closed, for START to restore; null when closed by anything else. */
  readonly beforeStop: ConsentCell | null
}
export type Consent = Readonly<Record<Channel, Readonly<Record<ConsentKind, ConsentCell>>>>

const UNKNOWN: ConsentCell = { choice: 'unknown', entry: null, beforeStop: null }
/** Consent of a patient without any entries. */
export const NO_CONSENT: Consent = {
  sms: { health_outreach: UNKNOWN, marketing: UNKNOWN },
  email: { health_outreach: UNKNOWN, marketing: UNKNOWN },
}

/** The channels and kinds that a form's answers set; questions not asked are left out. */
export function formChoices(answers: ConsentForm): { channel: Channel; kind: ConsentKind; choice: 'in' | 'out' }[] {
  return CHANNELS.flatMap((channel) =>
    CONSENT_KINDS.flatMap((kind) => {
      const answer = answers[`${kind}_${channel}_consent`]
      return answer == null ? [] : [{ channel, kind, choice: answer ? ('in' as const) : ('out' as const) }]
    }),
  )
}

/** The form's initial answers: outreach on, marketing off, null for kinds that do not apply. */
export function formDefaults(applies: Readonly<Record<ConsentKind, boolean>>): ConsentForm {
  const outreach = applies.health_outreach ? true : null
  const marketing = applies.marketing ? false : null
  return {
    health_outreach_sms_consent: outreach,
    health_outreach_email_consent: outreach,
    marketing_sms_consent: marketing,
    marketing_email_consent: marketing,
  }
}

type CellChange = (cell: ConsentCell) => ConsentCell

function both(consent: Consent, channel: Channel, change: CellChange): Consent {
  const { health_outreach, marketing } = consent[channel]
  return { ...consent, [channel]: { health_outreach: change(health_outreach), marketing: change(marketing) } }
}

/**
 * Consent after one entry. STOP, unsubscribing and imported opt-outs close both kinds of their channel; a form sets what it asked.
 * START restores only what STOP closed, so it never creates new consent; other opt-outs stay.
 */
export function afterConsent(consent: Consent, event: ConsentEvent): Consent {
  const out: ConsentCell = { choice: 'out', entry: event.id, beforeStop: null }
  switch (event.type) {
    case 'form': {
      let next = consent
      for (const { channel, kind, choice } of formChoices(event.answers)) {
        const cell: ConsentCell = { choice, entry: event.id, beforeStop: null }
        next = { ...next, [channel]: { ...next[channel], [kind]: cell } }
      }
      return next
    }
    case 'stop':
      return both(consent, 'sms', (cell) => (cell.choice === 'out' ? cell : { ...out, beforeStop: cell }))
    case 'start':
      return both(consent, 'sms', (cell) => cell.beforeStop ?? cell)
    case 'unsubscribe':
      return both(consent, 'email', () => out)
    case 'import_opt_out':
      return both(consent, event.channel, () => out)
  }
}

// Of entries at the same instant, opt-ins are applied first, so that the opt-out wins; a form may do either.
const ORDER: Readonly<Record<ConsentEvent['type'], number>> = {
  start: 0,
  form: 1,
  stop: 2,
  unsubscribe: 2,
  import_opt_out: 2,
}

/** An entry before it has an id and a time. */
export type Unstamped<E> = E extends ConsentEvent ? Omit<E, 'id' | 'at'> : never

/** What an entry says no to, as an entry for another record of the person; null if nothing. Of a form only its refusals. */
export function optOutOf(event: ConsentEvent): Unstamped<ConsentEvent> | null {
  const { id: _, at: __, ...said } = event
  if (said.type === 'start') return null
  if (said.type !== 'form') return said
  const no = (answer: boolean | null) => (answer === false ? false : null)
  const { health_outreach_sms_consent, health_outreach_email_consent, marketing_sms_consent, marketing_email_consent } =
    said.answers
  const answers: ConsentForm = {
    health_outreach_sms_consent: no(health_outreach_sms_consent),
    health_outreach_email_consent: no(health_outreach_email_consent),
    marketing_sms_consent: no(marketing_sms_consent),
    marketing_email_consent: no(marketing_email_consent),
  }
  return formChoices(answers).length > 0 ? { type: 'form', answers } : null
}

/** Order of two entries of one log: by time, then opt-ins before opt-outs, then by id. Ids are numbers: '9' was there before '10'. */
export function byConsentTime(a: ConsentEvent, b: ConsentEvent): number {
  return (
    a.at - b.at ||
    ORDER[a.type] - ORDER[b.type] ||
    a.id.length - b.id.length ||
    (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
  )
}

/** Consent from the whole log, in any order of arrival, as of an instant when one is given (replay). */
export function consentOf(log: readonly ConsentEvent[], asOf: number = Number.POSITIVE_INFINITY): Consent {
  return log
    .filter((event) => event.at <= asOf)
    .sort(byConsentTime)
    .reduce(afterConsent, NO_CONSENT)
}

/** How long a gateway may go on reporting a reply that it could not deliver at first. */
const REPORTED_AGAIN_MS = 24 * 3_600_000

/**
 * The START that another one at `at` may be a second report of, if nothing tells them apart: the newest of the last 24 hours, once a STOP has
 * followed it. Undefined if there is none, so that the START must be a new one.
 */
export function startReportedBefore(log: readonly ConsentEvent[], at: number): ConsentEvent | undefined {
  const ordered = [...log].sort(byConsentTime)
  const newest = ordered.findLastIndex(({ type }) => type === 'start')
  if (newest < 0 || at - ordered[newest]!.at > REPORTED_AGAIN_MS) return undefined
  return ordered.slice(newest).some(({ type }) => type === 'stop') ? ordered[newest] : undefined
}

/** The purpose of a message. A discount or product promotion is always marketing, whatever its label. */
export type Purpose = ConsentKind | 'trial'
export type Permission = 'allowed' | 'no_consent' | 'opted_out'

export interface TrialState {
  readonly active: boolean
  readonly ethicsApproved: boolean
}

/**
 * Whether a message may go on a channel: marketing only with `in`; outreach unless `out`; a trial invitation as outreach, and only for
 * an active trial with ethics approval recorded (otherwise no consent covers it).
 */
export function permissionFor(
  purpose: Purpose,
  channel: Channel,
  consent: Consent,
  trial: TrialState | null = null,
): Permission {
  const { choice } = consent[channel][purpose === 'marketing' ? 'marketing' : 'health_outreach']
  if (choice === 'out') return 'opted_out'
  if (purpose === 'marketing') return choice === 'in' ? 'allowed' : 'no_consent'
  if (purpose === 'trial' && !(trial?.active && trial.ethicsApproved)) return 'no_consent'
  return 'allowed'
}
