import { FileInput, NativeSelect, NumberInput, PasswordInput, Switch, Textarea, TextInput } from '@mantine/core'
import { parseDay } from '@pillar/domain/time/day'
import { formatDate } from '@pillar/domain/time/locale'
import type { ReactNode } from 'react'
import { useCountry } from '../../session/session.ts'
import { choicesWords, choiceWords, NOTHING, useFieldWords } from '../dialog/field-words.ts'
import type { Bound } from '../dialog/useFormDialog.ts'
import { DateField } from './DateField.tsx'
import { MultiSelect } from './MultiSelect.tsx'
import type { SelectOption } from './multi-select-model.ts'

/** The result of `f('name', 'Label')`, and the props a screen may add to any field. */
interface FieldProps extends Bound {
  /** Grey, between label and input. */
  description?: ReactNode
  disabled?: boolean
}

/**
 * A single line of text without a length limit: a browser that limits the length cuts off pasted text silently. The form reports text that is too
 * long on saving. `maxLength` is for values nobody pastes, such as a number of three digits.
 */
export function TextField(field: FieldProps & { maxLength?: number }) {
  return <TextInput autoComplete="off" {...field} />
}

/** Text of several lines, also without a length limit. */
export function TextAreaField({ rows = 3, ...field }: FieldProps & { rows?: number }) {
  return <Textarea autosize minRows={rows} maxRows={12} {...field} />
}

/** An amount of money, in dollars or pounds; empty text until entered. */
export function MoneyField({ symbol, ...field }: FieldProps & { symbol: string }) {
  return <NumberInput prefix={symbol} min={0} decimalScale={2} thousandSeparator="," {...field} />
}

/** A day as '2026-11-22', or typed text that is not a date; empty text for none. */
export function DayField({ name, label, value, onChange, error, description }: FieldProps) {
  const country = useCountry()
  useFieldWords<string>(name, (iso) => {
    const known = parseDay(iso)
    return iso === '' ? NOTHING : known === null ? iso : formatDate(country, known)
  })
  return (
    <div data-field={name}>
      <DateField {...{ label, value, onChange, error, description }} onUnread={onChange} />
    </div>
  )
}

/** A file from this computer. */
export function FileField({ name, accept, value, ...field }: FieldProps & { accept: string }) {
  return (
    <div data-field={name}>
      <FileInput accept={accept} clearable placeholder="Choose a file" {...field} value={value ?? null} />
    </div>
  )
}

/** A password set for somebody, which the browser never fills in. */
export function PasswordField(field: FieldProps) {
  return <PasswordInput autoComplete="new-password" aria-invalid={field.error ? true : undefined} {...field} />
}

/** Yes or no. */
export function SwitchField(field: FieldProps) {
  return <Switch {...field} />
}

/** One of a few options. */
export function SelectField({ options, failed, ...field }: FieldProps & ChoiceOptions) {
  useFieldWords<string>(field.name, (value, names) => choiceWords(value, options, names))
  return (
    <NativeSelect
      data={options.map(({ value, label }) => ({ value, label }))}
      {...field}
      error={field.error ?? failed}
    />
  )
}
interface ChoiceOptions {
  options: readonly SelectOption[]
  /** Why they could not be read, with a way to try again: `notLoaded`. */
  failed?: ReactNode
}

/** Several of many options. */
export function MultiSelectField({ name, onBlur: _, onFocus: __, ...field }: FieldProps & MultiOptions) {
  useFieldWords<string[]>(name, (values, names) => choicesWords(values, field.options, names))
  return (
    <div data-field={name}>
      <MultiSelect {...field} value={field.value} onChange={field.onChange} />
    </div>
  )
}
interface MultiOptions extends ChoiceOptions {
  placeholder?: string
  maxLabels?: number
  disabledReason?: string
}
