import { createContext, useContext, useEffect } from 'react'

/** Names of the objects behind ids in a form's values, by id. A form's values may contain them as `names`. */
export type Names = Readonly<Record<string, string>>
export type FieldWords = Map<string, (value: unknown, names: Names) => string>

interface FormContext {
  words: FieldWords
  names: Names
}
const Context = createContext<FormContext>({ words: new Map(), names: {} })
export const FieldWordsProvider = Context.Provider

/** The names that came with the surrounding form's values. */
export const useNames = () => useContext(Context).names

/** Registers how a field of the surrounding form puts its value into words, for comparing two versions. */
export function useFieldWords<V>(name: string, words: (value: V, names: Names) => string): void {
  const form = useContext(Context)
  useEffect(() => {
    form.words.set(name, words as (value: unknown, names: Names) => string)
  })
}

export const NOTHING = '–'
const GONE = 'Not in the list any more'

/** The label of a choice; an unknown id is never shown. */
export function choiceWords(value: string, options: readonly { value: string; label: string }[], names: Names): string {
  const label = options.find((option) => option.value === value)?.label ?? names[value]
  return label || (value === '' ? NOTHING : GONE)
}

/** The labels of several choices in alphabetical order, so that two versions are easy to compare. */
export function choicesWords(
  values: readonly string[],
  options: readonly { value: string; label: string }[],
  names: Names,
): string {
  const labels = values.map((value) => choiceWords(value, options, names))
  return labels.length === 0 ? NOTHING : labels.sort((a, b) => a.localeCompare(b)).join(', ')
}

/** The words for a value of a field without its own. */
export function plainWords(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (value === null || value === undefined || value === '' || Number.isNaN(value)) return NOTHING
  if (Array.isArray(value)) return `${value.length} selected`
  if (typeof value !== 'object') return String(value)
  const set = Object.values(value).filter((part) => (Array.isArray(part) ? part.length > 0 : part !== null))
  return set.length === 0 ? NOTHING : `${set.length} set`
}
