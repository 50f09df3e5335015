import type { AskOf, contract } from '@pillar/contract'
import type { Template, TemplateRecommendation } from '@pillar/contract/template/template'
import {
  type CommunicationType,
  communicationType,
  type TemplateUse,
  templateProblems,
  togglesOf,
} from '@pillar/domain/campaign/campaign-rule'
import { CONSENT_KINDS, type ConsentKind } from '@pillar/domain/consent/consent'
import { offerIn } from '@pillar/domain/consent/offer-words'

/** The fields of a template's form, of every kind. */
export type TemplateValues = {
  name: string
  type: CommunicationType | null
  message_kind: ConsentKind | ''
  subject: string
  body: string
  version: number | null
}

export const EMPTY: TemplateValues = {
  name: '',
  type: 'sms',
  message_kind: 'health_outreach',
  subject: '',
  body: '',
  version: null,
}

export const KIND_NAMES: Readonly<Record<ConsentKind, string>> = {
  health_outreach: 'Health outreach',
  marketing: 'Marketing',
}
/** Who receives each kind, because the law requires different consent. */
const WHO_RECEIVES: Readonly<Record<ConsentKind, string>> = {
  health_outreach: 'For messages about patients’ own care. Everyone who has not opted out receives it.',
  marketing: 'For offers, discounts and products. Only patients who agreed to marketing receive it.',
}

/** The note under the kind of a message; empty for several templates that differ. */
export const kindWords = (kind: ConsentKind | ''): string => (kind === '' ? '' : WHO_RECEIVES[kind])

/** An additional note if a message of health outreach reads like an offer; else null. */
export function offerWords({ message_kind, subject, body }: Pick<TemplateValues, 'message_kind' | 'subject' | 'body'>) {
  const offer = message_kind === 'health_outreach' ? offerIn(`${subject}\n${body}`) : null
  return offer && `“${offer}” reads like an offer. By law an offer is marketing, whatever the template is called.`
}

export const KINDS = CONSENT_KINDS.map((value) => ({ value, label: KIND_NAMES[value] }))

/** The type given by the two toggles; null with both off. */
export function typeOf({ sms_template, email_template }: ReturnType<typeof togglesOf>): CommunicationType | null {
  return sms_template || email_template ? communicationType(sms_template, email_template) : null
}

type Written = Pick<
  Template & TemplateRecommendation,
  'name' | 'subject' | 'body' | 'sms_template' | 'email_template' | 'message_kind'
>

/** The form's initial values for a template, own or recommended; a recommended one has no version. */
export function valuesOf({ version, ...template }: Written & { version?: number | null }): TemplateValues {
  const { name, message_kind, subject, body } = template
  return { name, type: typeOf(template), message_kind, subject: subject ?? '', body, version: version ?? null }
}

/** The values in the server's format; the subject is included only if an email is sent. */
export function wireOf(values: TemplateValues): Omit<AskOf<typeof contract.template.create>, 'active'> {
  const { name, body, subject, message_kind, type } = values
  const toggles = togglesOf(type)
  return {
    name: name.trim(),
    body,
    subject: toggles.email_template ? subject.trim() || null : null,
    ...toggles,
    ...(message_kind === '' ? {} : { message_kind }),
  }
}

/** What is wrong with the values, by the rules of templates, in the order of the fields. */
export function problemsOf({ name, body, subject, type }: TemplateValues, use?: TemplateUse) {
  return templateProblems({ name, body, subject, ...togglesOf(type) }, use)
}
