import { ChipMenu } from './ChipMenu.tsx'
import { useListState } from './useListState.ts'

interface FilterChipProps<T extends string> {
  /** Its name in the address bar. */
  field: string
  label: string
  options: readonly { value: T; label: string }[]
}

/** A filter of a list, kept in the address bar. */
export function FilterChip<T extends string>({ field, label, options }: FilterChipProps<T>) {
  const { state, change } = useListState<Record<string, T | null>>()
  return (
    <ChipMenu
      label={label}
      options={options}
      value={state[field] ?? null}
      onChange={(value) => change({ [field]: value })}
      onRemove={() => change({ [field]: null })}
    />
  )
}
