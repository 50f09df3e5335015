import { holdsWords } from '../list/holds-words.ts'

export interface SelectOption {
  value: string
  label: string
  /** Grey at the right, such as a state and postcode. */
  note?: string
  /** Cannot be chosen; the note says why. */
  disabled?: boolean
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

/** Whether everything shown that can be chosen is chosen. */
export function allChosen(shown: readonly SelectOption[], chosen: ReadonlySet<string>): boolean {
  const possible = shown.filter(({ disabled }) => !disabled)
  return possible.length > 0 && possible.every(({ value }) => chosen.has(value))
}

/** Select All over what is shown and can be chosen: adds all of it, or, when all of it is chosen already, takes it away. */
export function toggledAll(
  options: readonly SelectOption[],
  shown: readonly SelectOption[],
  chosen: readonly string[],
): string[] {
  const set = new Set(chosen)
  const all = allChosen(shown, set)
  for (const option of shown) {
    if (option.disabled) continue
    if (all) set.delete(option.value)
    else set.add(option.value)
  }
  return options.map((option) => option.value).filter((one) => set.has(one))
}
