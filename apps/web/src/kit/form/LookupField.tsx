import { Select } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'
import { choiceWords, useFieldWords, useNames } from '../dialog/field-words.ts'
import type { Bound } from '../dialog/useFormDialog.ts'
import { notLoaded, type Read } from '../display/Loaded.tsx'
import type { SelectOption } from './multi-select-model.ts'
import { useSettled } from './useSettled.ts'

const PAUSE = 400

interface LookupFieldProps extends Bound {
  /** Reads the options that match the typed text; a hook, such as `(term) => useRead(…)` with its rows as options. */
  useOptions: (
    term: string,
    within: string,
  ) => {
    options: readonly SelectOption[]
    read: Read<unknown> & { isFetching: boolean }
  }
  /** The scope of the options, such as a company's uuid; passed to `useOptions`. */
  within?: string
  /** The label of the field's initial value. */
  first?: string
  description?: ReactNode
  placeholder?: string
  disabled?: boolean
}

/** Selects one out of thousands: the server searches while the person types. */
export function LookupField({ useOptions, within = '', first = '', ...field }: LookupFieldProps) {
  const [typed, setTyped] = useState(first)
  const [picked, setPicked] = useState<SelectOption | null>(
    first && field.value ? { value: field.value, label: first } : null,
  )
  const term = useSettled(typed, PAUSE)
  const { options, read } = useOptions(picked && term === picked.label ? '' : term, within)
  // A value that somebody else saved has its own name, not from this list.
  const given = useNames()[field.value]
  useEffect(() => {
    if (!given || picked?.value === field.value) return
    setPicked({ value: field.value, label: given })
    setTyped(given)
  }, [given, picked, field.value])
  useFieldWords<string>(field.name, (value, names) =>
    choiceWords(value, picked ? [picked, ...options] : options, names),
  )
  const chosen = picked && picked.value === field.value ? [picked] : []
  const shown = [...chosen, ...options.filter(({ value }) => value !== field.value || chosen.length === 0)]
  return (
    <Select
      searchable
      clearable
      // Its list would cover the problems of the fields below; a click, typing and the arrow keys open it.
      openOnFocus={false}
      {...field}
      value={field.value || null}
      data={shown.map(({ value, label }) => ({ value, label }))}
      // The server has already filtered.
      filter={({ options: all }) => all}
      searchValue={typed}
      onSearchChange={setTyped}
      onChange={(value) => {
        const option = shown.find((one) => one.value === value) ?? null
        setPicked(option)
        field.onChange(value ?? '', option?.label ?? '')
      }}
      error={field.error ?? notLoaded('the choices', read)}
      nothingFoundMessage={read.isFetching ? 'Searching…' : read.error ? 'Could not search' : 'Nothing matches'}
    />
  )
}
