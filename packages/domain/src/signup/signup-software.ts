import { DISPENSING_SYSTEMS } from '../upload/data-source.ts'

export type SoftwareKey = (typeof DISPENSING_SYSTEMS)[number]['key']

/** What somebody must know who signs up with a dispensing system: most need nothing more. */
export type SoftwareNeed = 'nothing' | 'access form' | 'not supported'

/**
 * The specification says that one system needs a form and another is not supported, and names neither: these two are our reading
 * (docs/decisions/048). Whoever runs Pillar changes them here.
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

/** What somebody with this dispensing system must know; nothing for one that is not known. */
export const softwareNeed = (key: string): SoftwareNeed => NEEDS[key as SoftwareKey] ?? 'nothing'

/** What the form says beside a system; empty where there is nothing to say. */
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
