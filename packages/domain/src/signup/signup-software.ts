import { DISPENSING_SYSTEMS } from '../upload/data-source.ts'

export type SoftwareKey = (typeof DISPENSING_SYSTEMS)[number]['key']

/** What a person who signs up with a dispensing system must know; for most systems nothing. */
export type SoftwareNeed = 'nothing' | 'access form' | 'not supported'

/**
 * The specification says that one system needs a form and another is not supported, and names neither: these two are our reading
 * (docs/decisions/048). Operators change them here.
 */
const NEEDS: Partial<Record<SoftwareKey, SoftwareNeed>> = { minfos: 'access form', corumclear: 'not supported' }

/** The key of a dispensing system by its key or its name, letter case ignored; null for any other text. */
export function softwareKey(text: string): SoftwareKey | null {
  const wanted = text.trim().toLowerCase()
  const found = DISPENSING_SYSTEMS.find(({ key, name }) => key === wanted || name.toLowerCase() === wanted)
  return found?.key ?? null
}

/** The name of a dispensing system by its key; any other text as it is. */
export const softwareName = (key: string): string => DISPENSING_SYSTEMS.find((one) => one.key === key)?.name ?? key

/** What a person with this dispensing system must know; nothing for an unknown one. */
export const softwareNeed = (key: string): SoftwareNeed => NEEDS[key as SoftwareKey] ?? 'nothing'

/** The form's note beside a system; empty if there is none. */
export function softwareWarning(key: string): string {
  const name = softwareName(key)
  switch (softwareNeed(key)) {
    case 'access form':
      return `${name} gives us your data only after you have sent them its sensitive-data access form. Please make sure the form has been submitted.`
    case 'not supported':
      return `${name} is not currently supported. You may sign up now, and we will email you when it is.`
    default:
      return ''
  }
}
