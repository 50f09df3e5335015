import { NativeSelect, PasswordInput, Switch, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Bound } from '../dialog/useFormDialog.ts'
import { MultiSelect } from './MultiSelect.tsx'
import type { SelectOption } from './multi-select-model.ts'

/** What `f('name', 'Label')` gives, and what a screen may add to any field. */
interface FieldProps extends Bound {
  /** Grey, between label and input. */
  description?: ReactNode
  disabled?: boolean
}

/** One line of text. */
export function TextField({ maxLength = 200, ...field }: FieldProps & { maxLength?: number }) {
  return <TextInput maxLength={maxLength} autoComplete="off" {...field} />
}

/** A password that is set for somebody: never filled in by the browser. */
export function PasswordField(field: FieldProps) {
  return <PasswordInput autoComplete="new-password" aria-invalid={field.error ? true : undefined} {...field} />
}

/** Yes or no. */
export function SwitchField(field: FieldProps) {
  return <Switch {...field} />
}

/** One out of a few. */
export function SelectField({ options, ...field }: FieldProps & { options: readonly SelectOption[] }) {
  return <NativeSelect data={options.map(({ value, label }) => ({ value, label }))} {...field} />
}

/** Many out of many. */
export function MultiSelectField({ name, onBlur: _, onFocus: __, ...field }: FieldProps & MultiOptions) {
  return (
    <div data-field={name}>
      <MultiSelect {...field} value={field.value} onChange={field.onChange} />
    </div>
  )
}
interface MultiOptions {
  options: readonly SelectOption[]
  placeholder?: string
  maxLabels?: number
  disabledReason?: string
}
