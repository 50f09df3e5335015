import { holdsWords } from '../list/holds-words.ts'

export interface SelectOption {
  value: string
  label: string
  /** Grey at the right, such as a state and postcode. */
  note?: string
}

/** Options whose label or note contains every word typed, whatever their order and case. */
export function matching(options: readonly SelectOption[], typed: string): SelectOption[] {
  const holds = holdsWords(typed)
  return options.filter(({ label, note = '' }) => holds(`${label} ${note}`))
}

/** Adds the value, or takes it away; the order of the options is kept, so that equal choices are equal lists. */
export function toggled(options: readonly SelectOption[], chosen: readonly string[], value: string): string[] {
  const set = new Set(chosen)
  if (!set.delete(value)) set.add(value)
  return options.map((option) => option.value).filter((one) => set.has(one))
}

/** Select All over what is shown: adds all of it, or, when all of it is chosen already, takes it away. */
export function toggledAll(
  options: readonly SelectOption[],
  shown: readonly SelectOption[],
  chosen: readonly string[],
): string[] {
  const set = new Set(chosen)
  const all = shown.every((option) => set.has(option.value))
  for (const option of shown) {
    if (all) set.delete(option.value)
    else set.add(option.value)
  }
  return options.map((option) => option.value).filter((one) => set.has(one))
}
