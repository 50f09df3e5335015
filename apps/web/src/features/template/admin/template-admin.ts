import type { CommunicationType, TemplateUse } from '@pillar/domain/campaign/campaign-rule'
import type { ConsentKind } from '@pillar/domain/consent/consent'
import { counted } from '@pillar/domain/text/sentence'
import { commonOf, differSentence } from '../../../kit/form/common.ts'
import type { Edited as BulkEdited } from '../../../kit/list/bulk.ts'
import { problemsOf as allProblems, EMPTY, type TemplateValues } from '../template-values.ts'

export const TYPES = [
  { value: 'sms', label: 'SMS' },
  { value: 'email', label: 'Email' },
  { value: 'both', label: 'SMS and email' },
] as const

/** 'SMS', 'Email', 'SMS and email'. */
export const nameOfType = (type: CommunicationType): string => TYPES.find(({ value }) => value === type)?.label ?? type

/** The targets of a bulk call, in its format. */
export interface Chosen {
  template_ids?: string[] | null | undefined
  filter?: object | null | undefined
  expected_count?: number | null | undefined
}

/** '1 template', '23 templates': the targets of a bulk call. */
export function templates({ template_ids, expected_count }: Chosen): string {
  return counted(template_ids?.length ?? expected_count ?? 0, 'template', 'templates')
}

interface Written {
  name: string
  type: CommunicationType
  message_kind: ConsentKind
  subject: string | null
  body: string
  version: number
}

/** The templates a dialog edits together. */
export type Edited = BulkEdited<Written & { active?: boolean }, Chosen>

/** The form's initial values. */
export function valuesOf({ name, type, message_kind, subject, body, version }: Written): TemplateValues {
  return { name, type, message_kind, subject: subject ?? '', body, version }
}

const BLANK: TemplateValues = { ...EMPTY, type: null, message_kind: '', version: null }
const FIELD_NAMES: Readonly<Record<string, string>> = {
  name: 'name',
  type: 'type',
  message_kind: 'kind of message',
  body: 'body',
  subject: 'subject',
}

/** Form values for one template or several: what they have in common, and where they differ. */
export function batchOf({ rows }: Pick<Edited, 'rows'>) {
  const { values: common, differ } = commonOf(rows.map(valuesOf), BLANK)
  const fields = Object.keys(FIELD_NAMES).filter((name) => differ.includes(name))
  const active = new Set(rows.map((row) => row.active)).size > 1 ? ['active status'] : []
  const said = [...fields.map((name) => FIELD_NAMES[name] ?? name), ...active]
  const one = rows.length === 1
  const values = { ...common, version: one ? common.version : null }
  return { values, differ, before: one ? null : values, note: differSentence('templates', said) }
}

/** What is wrong with the values; a field that differs between the templates may stay blank. */
export function problemsOf(values: TemplateValues, differ: readonly string[], use: TemplateUse) {
  const left = (name: keyof TemplateValues) => differ.includes(name) && !values[name]
  return allProblems(values, use).filter(({ field }) => !left(field))
}

/**
 * Values in the format of an edit; null leaves a field unchanged in each template.
 * @param before the initial values of a form for several templates: only fields changed since are written, so that what somebody else saves in
 * one of them meanwhile stays. Null for one template, which is sent as a whole with its version.
 */
export function changesOf(values: TemplateValues, before: TemplateValues | null) {
  const { name, body, subject, message_kind, type, version } = values
  const written = <T>(field: keyof TemplateValues, value: T) =>
    before !== null && values[field] === before[field] ? null : value
  return {
    name: written('name', name.trim()),
    body: written('body', body),
    subject: written('subject', subject.trim()),
    message_kind: written('message_kind', message_kind === '' ? null : message_kind),
    communication_type: written('type', type),
    version,
  }
}
