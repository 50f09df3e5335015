import type { useForm } from '@mantine/form'
import { RefusedError, wordsOf } from '../../shared/refused.ts'

/** The package's own name for this type cannot be imported under our module resolution. */
type Form<T extends Record<string, unknown>> = ReturnType<typeof useForm<T>>

/**
 * Puts a refusal's field errors beside the fields they belong to. Returns what is left to say above the foot of the
 * form: the message, unless every part of it already stands beside a field.
 */
export function putErrors<T extends Record<string, unknown>>(form: Form<T>, error: unknown): string | null {
  if (!(error instanceof RefusedError)) return wordsOf(error)
  const known = Object.entries(error.errors).filter(([name]) => name in form.getValues())
  form.setErrors(Object.fromEntries(known.map(([name, said]) => [name, said.join(' ')])))
  const beside = known.flatMap(([, said]) => said)
  return beside.some((said) => said === error.message) ? null : error.message
}
