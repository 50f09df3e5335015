import { Refusal } from '@pillar/contract'
import { type TemplateUse, templateProblem } from '@pillar/domain/campaign/campaign-rule'
import type { ConsentKind } from '@pillar/domain/consent/consent'
import { canonicalFields, trialFieldsIn } from '@pillar/domain/message/merge-field'
import { oneLine, plainText } from '@pillar/domain/text/plain-text'
import { listOf } from '@pillar/domain/text/sentence'
import type { TemplateText } from './template.queries.ts'

/**
 * A template as it is stored: in plain characters, fields in their own spelling, no subject where no e-mail is sent.
 * Refuses with the one sentence that names everything missing.
 * @param use 'trial' for a global template, which may name the trial
 */
export function checkedText(
  draft: Omit<TemplateText, 'subject'> & { subject?: string | null | undefined },
  use: TemplateUse = 'company',
): TemplateText {
  const text = {
    ...draft,
    name: oneLine(draft.name),
    body: canonicalFields(plainText(draft.body)).trim(),
    subject: (draft.email_template && canonicalFields(oneLine(draft.subject ?? ''))) || null,
  }
  const problem = templateProblem(text, use)
  if (problem) throw new Refusal('invalid', problem)
  return text
}

export interface TextEdit {
  name?: string | null | undefined
  body?: string | null | undefined
  subject?: string | null | undefined
  sms_template?: boolean | null | undefined
  email_template?: boolean | null | undefined
  message_kind?: ConsentKind | null | undefined
}

/**
 * The fields an edit gives, in plain characters; null for unchanged ones. A blank field means "unchanged" when several are edited at once,
 * and "empty" for a single one.
 */
export function changesOf(draft: TextEdit, several: boolean) {
  const { sms_template = null, email_template = null, message_kind = null } = draft
  const cleaned = (text: string | null | undefined, clean: (text: string) => string) =>
    text == null || (several && text.trim() === '') ? null : clean(text)
  return {
    name: cleaned(draft.name, oneLine),
    body: cleaned(draft.body, (body) => canonicalFields(plainText(body)).trim()),
    subject: cleaned(draft.subject, (subject) => canonicalFields(oneLine(subject))),
    sms_template,
    email_template,
    message_kind,
  }
}

/** The fields that are not null. */
export const given = <T extends object>(changes: T) =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== null)) as {
    [K in keyof T]?: NonNullable<T[K]>
  }

/** The placeholders of a stored text that nothing fills in a campaign or a sequence: it was saved by a version that let them through. */
export const holesIn = ({ body, subject }: { body: string; subject: string | null }): string[] =>
  trialFieldsIn(`${subject ?? ''} ${body}`)

/** @throws Refusal invalid for a text with such a placeholder */
export function refuseHoles(texts: readonly { name: string; body: string; subject: string | null }[]): void {
  for (const text of texts) {
    const holes = holesIn(text)
    if (holes.length > 0)
      throw new Refusal(
        'invalid',
        `Please replace ${listOf(holes)} in "${text.name}", which only invitations to clinical trials can fill.`,
      )
  }
}
