import { type Channel, CONSENT_KINDS, type ConsentForm, type ConsentKind, formChoices } from './consent.ts'

/** The sections of the consent page that a person agrees to; the log keeps the same words. */
export interface ConsentWording {
  readonly intro: string
  readonly sections: readonly ConsentSection[]
  /** What Yes means, and how to opt out later. */
  readonly final: string
}
export interface ConsentSection {
  readonly kind: ConsentKind
  readonly title: string
  readonly question: string
  readonly answer: string
  readonly sms: string
  readonly email: string
}

const SECTIONS: Readonly<Record<ConsentKind, Omit<ConsentSection, 'kind' | 'answer'>>> = {
  health_outreach: {
    title: 'Health outreach',
    question: 'What is Health Outreach?',
    sms: 'SMS Health Outreach',
    email: 'Email Health Outreach',
  },
  marketing: { title: 'Marketing', question: 'What is Marketing?', sms: 'SMS Marketing', email: 'Email Marketing' },
}

const ANSWERS: Readonly<Record<ConsentKind, (pharmacy: string) => string>> = {
  health_outreach: (pharmacy) =>
    `Messages about your medicines and your health: when a prescription is due, how to take a medicine, health services at ${pharmacy}, and clinical trials you could ask about.`,
  marketing: (pharmacy) =>
    `Messages about products, offers and events of ${pharmacy}. They may be chosen by the medicines you collect there.`,
}

function introOf(pharmacy: string, applies: Readonly<Record<ConsentKind, boolean>>): string {
  const end = 'You can change your mind at any time.'
  if (!applies.marketing) return `${pharmacy} can send you reminders about your medicines and your health. ${end}`
  if (!applies.health_outreach) return `${pharmacy} can send you offers, if you want them. ${end}`
  return `${pharmacy} can send you reminders about your medicines and your health, and offers if you want them. ${end}`
}

/** The text of a pharmacy's consent page, for the kinds that apply. */
export function consentWording(pharmacy: string, applies: Readonly<Record<ConsentKind, boolean>>): ConsentWording {
  return {
    intro: introOf(pharmacy, applies),
    sections: CONSENT_KINDS.filter((kind) => applies[kind]).map((kind) => ({
      kind,
      ...SECTIONS[kind],
      answer: ANSWERS[kind](pharmacy),
    })),
    final: `${pharmacy} may send you SMS and email where you chose Yes. You can opt out at any time: as each SMS says at its end, or with the link in any email.`,
  }
}

/** Each question of a section with its answer: 'SMS Marketing: No'. */
export function answerLines(section: ConsentSection, answers: ConsentForm): string[] {
  return formChoices(answers)
    .filter(({ kind }) => kind === section.kind)
    .map(({ channel, choice }) => `${section[channel]}: ${choice === 'in' ? 'Yes' : 'No'}`)
}

/** The page with its answers as one text for the log: everything shown, and Yes or No for each question. */
export function agreedText(wording: ConsentWording, answers: ConsentForm): string {
  const lines = wording.sections.flatMap((section) => [
    section.question,
    section.answer,
    ...answerLines(section, answers),
  ])
  return [wording.intro, ...lines, wording.final].join('\n')
}

/** The page title for a link from an email (stops email) or a text (stops texts). */
export function unsubscribeTitle(channel: Channel): string {
  return `Unsubscribe from Pharmacy ${channel === 'sms' ? 'SMS' : 'Email'} Communications`
}

/** What the page says it stops: 'email communications', 'SMS communications'. */
export function endedWords(channel: Channel): string {
  return channel === 'sms' ? 'SMS communications' : 'email communications'
}

/** What an unsubscribing person agrees to: a sentence and its list. */
export function unsubscribeWording(
  pharmacy: string,
  channel: Channel,
): {
  readonly agreement: string
  readonly including: readonly string[]
} {
  const all = channel === 'sms' ? `all SMS from ${pharmacy} to my number` : `all email from ${pharmacy}`
  return {
    agreement: `I agree to unsubscribe from ${all}, including:`,
    including: ['prescription reminders', 'clinical trial invitations', 'marketing promotions'],
  }
}

/** The same as one text, for the log. */
export function unsubscribedText(pharmacy: string, channel: Channel): string {
  const { agreement, including } = unsubscribeWording(pharmacy, channel)
  return [unsubscribeTitle(channel), agreement, ...including.map((one) => `- ${one}`)].join('\n')
}
