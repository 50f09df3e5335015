import { holdsWords } from '../list/holds-words.ts'

export interface SelectOption {
  value: string
  label: string
  /** Grey at the right, such as a state and postcode. */
  note?: string
  /** Cannot be selected; the note says why. */
  disabled?: boolean
}

/** Options whose label or note contains every typed word, ignoring order and case. */
export function matching(options: readonly SelectOption[], typed: string): SelectOption[] {
  const holds = holdsWords(typed)
  return options.filter(({ label, note = '' }) => holds(`${label} ${note}`))
}

/** Adds the value, or removes it. The order of the options is kept, so that equal selections are equal lists. */
export function toggled(options: readonly SelectOption[], chosen: readonly string[], value: string): string[] {
  const set = new Set(chosen)
  if (!set.delete(value)) set.add(value)
  return options.map((option) => option.value).filter((one) => set.has(one))
}

/** Whether every visible option that can be selected is selected. */
export function allChosen(shown: readonly SelectOption[], chosen: ReadonlySet<string>): boolean {
  const possible = shown.filter(({ disabled }) => !disabled)
  return possible.length > 0 && possible.every(({ value }) => chosen.has(value))
}

/** Select All for the visible options that can be selected: adds all of them or, if all are already selected, removes them. */
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
