import { issueSentence } from '@pillar/contract/wire/wording'
import { capital, type Problem, problemSentence } from '@pillar/domain/text/sentence'
import type { z } from 'zod'

export interface Checked {
  /** Beside each field. */
  errors: Record<string, string>
  /** Above the foot; null if all of it is shown beside fields. */
  sentence: string | null
}

/** What prevents a form from being sent: the domain's rules first, then the contract's own limits; null if nothing does. */
export function problemsIn<V extends object>(
  values: V,
  check: ((values: V) => readonly Problem<keyof V & string>[]) | undefined,
  schema: z.ZodType,
  input: unknown,
): Checked | null {
  const found = check?.(values) ?? []
  if (found.length > 0) {
    const errors: Record<string, string> = {}
    for (const { field, words } of found) errors[field] ??= capital(words)
    return { errors, sentence: problemSentence(found) }
  }
  const parsed = schema.safeParse(input, { error: issueSentence })
  if (parsed.success) return null
  const errors: Record<string, string> = {}
  const others: string[] = []
  for (const { path, message } of parsed.error.issues) {
    const name = String(path[0] ?? '')
    if (name in values) errors[name] ??= message
    else others.push(message)
  }
  return { errors, sentence: others.join(' ') || null }
}

/** Focuses the first of these fields, in page order. */
export function focusFirst(box: HTMLElement | null, names: readonly string[]): void {
  if (!box || names.length === 0) return
  const fields = [...box.querySelectorAll<HTMLElement>('[name], [data-field]')]
  const wrong = fields.find((field) => names.includes(field.getAttribute('name') ?? field.dataset.field ?? ''))
  // A look-up field keeps its name on a hidden input behind itself.
  const around = wrong?.matches('input[type=hidden]') ? wrong.previousElementSibling : wrong
  const inside = around !== wrong || wrong?.hasAttribute('data-field')
  const place = inside
    ? around?.querySelector<HTMLElement>('input, select, textarea, [contenteditable=true], button, [tabindex="0"]')
    : wrong
  place?.focus()
}
