import { useDebouncedCallback } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { choicesWords, useFieldWords } from '../dialog/field-words.ts'
import type { Bound } from '../dialog/useFormDialog.ts'
import { notLoaded, type Read } from '../display/Loaded.tsx'
import { MultiSelect } from './MultiSelect.tsx'
import type { SelectOption } from './multi-select-model.ts'

const PAUSE = 400

/** The matches for the typed text, as far as they are read. */
export interface Found {
  options: readonly SelectOption[]
  /** Reads the next page; null at the end. */
  more: (() => void) | null
  isFetching: boolean
  failed: Pick<Read<unknown>, 'error' | 'refetch'>
}

interface LookupManyFieldProps extends Bound {
  found: Found
  /** Gets the typed text once typing has paused. */
  onSearch: (typed: string) => void
  placeholder?: string
  maxLabels?: number
  disabledReason?: string | undefined
  /** Beside the field: a button that creates a new one. */
  beside?: ReactNode
}

/**
 * Selects many out of thousands: the server searches while the person types, page by page. The value holds the selected options with their labels.
 */
export function LookupManyField({ found, onSearch, beside, ...field }: LookupManyFieldProps) {
  const { name, label, value, onChange, error, placeholder, maxLabels, disabledReason } = field
  const { options, more, isFetching, failed } = found
  const search = useDebouncedCallback(onSearch, PAUSE)
  const chosen: readonly SelectOption[] = value
  useFieldWords<readonly SelectOption[]>(name, (all, names) =>
    choicesWords(
      all.map((one) => one.value),
      all,
      names,
    ),
  )
  const byValue = new Map([...options, ...chosen].map((option) => [option.value, option]))
  return (
    <div data-field={name}>
      <MultiSelect
        label={label}
        {...{ placeholder, maxLabels, disabledReason }}
        options={[...chosen, ...options.filter((one) => !chosen.some((other) => other.value === one.value))]}
        value={chosen.map((one) => one.value)}
        onChange={(values) => onChange(values.flatMap((one) => byValue.get(one) ?? []))}
        error={error}
        failed={notLoaded('the choices', { data: undefined, ...failed })}
        remote={{ shown: options, onSearch: search, more, busy: isFetching }}
      />
      {beside}
    </div>
  )
}
