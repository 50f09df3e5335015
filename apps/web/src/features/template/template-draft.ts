import type { AskOf, contract } from '@pillar/contract'
import { BODY_LIMIT, type Template, type TemplateRecommendation } from '@pillar/contract/template'
import { templateProblem } from '@pillar/domain/campaign/campaign-rule'
import type { ConsentKind } from '@pillar/domain/consent/consent'
import { fieldsIn, unknownFields } from '@pillar/domain/message/merge-field'
import { pleaseSentence } from '@pillar/domain/text/sentence'

/** Longest subject the server keeps. */
const SUBJECT_LIMIT = 300

/** What is being written in a template's form. */
export interface TemplateDraft {
  name: string
  subject: string
  body: string
  sms: boolean
  email: boolean
  kind: ConsentKind
}

export type TemplateField = 'name' | 'type' | 'subject' | 'body'

export const EMPTY_DRAFT: TemplateDraft = {
  name: '',
  subject: '',
  body: '',
  sms: true,
  email: false,
  kind: 'health_outreach',
}

export const KIND_NAMES: Readonly<Record<ConsentKind, string>> = {
  health_outreach: 'Health outreach',
  marketing: 'Marketing',
}

type Written = Pick<
  Template & TemplateRecommendation,
  'name' | 'subject' | 'body' | 'sms_template' | 'email_template' | 'message_kind'
>

/** The form's contents for a template, own or recommended. */
export function draftOf(template: Written): TemplateDraft {
  return {
    name: template.name,
    subject: template.subject ?? '',
    body: template.body,
    sms: template.sms_template,
    email: template.email_template,
    kind: template.message_kind,
  }
}

/** A draft as the server takes it; the subject goes along only where an e-mail is sent. */
export function wireOf(draft: TemplateDraft): Omit<AskOf<typeof contract.template.create>, 'active'> {
  return {
    name: draft.name.trim(),
    body: draft.body,
    subject: draft.email ? draft.subject.trim() || null : null,
    sms_template: draft.sms,
    email_template: draft.email,
    message_kind: draft.kind,
  }
}

/** Whether anything differs, so that leaving would lose it. */
export function sameDraft(a: TemplateDraft, b: TemplateDraft): boolean {
  return JSON.stringify(wireOf(a)) === JSON.stringify(wireOf(b))
}

/** What the draft lacks, as the one sentence of the rules, or what is too long to be kept; empty when nothing. */
export function problemOf(draft: TemplateDraft): string {
  const { sms, email, name, body, subject } = draft
  const lacks = templateProblem({ name, body, subject, sms_template: sms, email_template: email })
  return lacks || pleaseSentence(tooLong(draft).map(({ words }) => words))
}

function tooLong({ email, subject, body }: TemplateDraft): { field: TemplateField; words: string }[] {
  const found: { field: TemplateField; words: string }[] = []
  if (email && subject.trim().length > SUBJECT_LIMIT) {
    found.push({ field: 'subject', words: `shorten the subject to ${SUBJECT_LIMIT} characters` })
  }
  if (body.length > BODY_LIMIT) found.push({ field: 'body', words: 'shorten the message to 20,000 characters' })
  return found
}

/** What is wrong beside each field, in the order the form shows them; the sentence is made of the same parts. */
export function fieldProblems(draft: TemplateDraft): Partial<Record<TemplateField, string>> {
  const problems: Partial<Record<TemplateField, string>> = {}
  for (const { field, words } of tooLong(draft)) problems[field] = `${words[0]!.toUpperCase()}${words.slice(1)}`
  if (draft.name.trim() === '') problems.name = 'Enter a template name'
  if (!draft.sms && !draft.email) problems.type = 'Select at least one template type'
  if (draft.email && unknownFields(draft.subject).length > 0) problems.subject = noField(draft.subject)
  if (draft.body.trim() === '') problems.body = 'Enter a message body'
  else if (unknownFields(draft.body).length > 0) problems.body = noField(draft.body)
  else if (!fieldsIn(draft.body).includes('pharmacy_name'))
    problems.body = 'Include {Pharmacy Name} in the message body'
  return problems
}

const noField = (text: string) => `${unknownFields(text)[0]} is no field; pick one from the list`

/** The field to go to first. */
export function firstWrong(problems: Partial<Record<TemplateField, string>>): TemplateField | null {
  return (['name', 'type', 'subject', 'body'] as const).find((field) => problems[field]) ?? null
}
