import type { useForm } from '@mantine/form'
import { RefusedError, wordsOf } from '../../shared/refused.ts'

/** Our module resolution cannot import the package's own name for this type. */
type Form<T extends Record<string, unknown>> = ReturnType<typeof useForm<T>>

/**
 * Shows a refusal's field errors beside their fields. Returns the message to show above the foot of the form, unless every part of it already
 * appears beside a field.
 */
export function putErrors<T extends Record<string, unknown>>(form: Form<T>, error: unknown): string | null {
  if (!(error instanceof RefusedError)) return wordsOf(error)
  const known = Object.entries(error.errors).filter(([name]) => name in form.getValues())
  form.setErrors(Object.fromEntries(known.map(([name, said]) => [name, said.join(' ')])))
  const beside = known.flatMap(([, said]) => said)
  return beside.some((said) => said === error.message) ? null : error.message
}
