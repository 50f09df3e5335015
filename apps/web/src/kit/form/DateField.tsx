import { DateInput } from '@mantine/dates'
import { parseDay } from '@pillar/domain/time/day'
import { type ReactNode, useState } from 'react'
import { useCountry } from '../../session/session.ts'
import { datePattern, fieldDate, firstDayOfWeek, typedDate } from './typed-date.ts'

interface DateFieldProps {
  label: string
  /** '2026-12-01'; empty for none. */
  value: string
  onChange: (value: string) => void
  error?: ReactNode
  description?: ReactNode
  disabled?: boolean
  /** Earlier days cannot be picked in the calendar; what is typed is checked by the form. */
  min?: string
  /** In a form: what is typed and is no date, for the form to refuse it. A filter goes on with the date it had. */
  onUnread?: (typed: string) => void
}

/** What is typed and is no date yet, over which one, and whether the form knows of it. */
const NOTHING = { text: '', over: '', told: false }

/** Whether a value is what somebody typed and is no date. */
const isNone = (value: string) => value !== '' && parseDay(value) === null

/** Whether a date may be taken while it is typed: '1/12/20' is one, and on its way to 2026. With a year of two digits it is taken once the field is left. */
const isWhole = (text: string) => /\d{4}/.test(text)

/** A day, typed or picked, in the company's format; weeks begin as they do in its country. What is no date stays as it was typed, with a note that it is none. */
export function DateField({ min, value, onChange, onUnread, error: wrong, ...field }: DateFieldProps) {
  const country = useCountry()
  const [open, setOpen] = useState(false)
  const [typed, setTyped] = useState(NOTHING)
  const [left, setLeft] = useState(false)
  const pattern = datePattern(country)
  // Another value by now was set elsewhere, and what was typed before it is gone.
  const there = typed.told ? isNone(value) : value === typed.over
  const unread = there && typed.text.trim() !== '' && typedDate(country, typed.text) === null
  const error = unread && left ? `There is no such date. Write it as ${pattern}, or pick it.` : wrong
  const take = (taken: string | null) => {
    setTyped(NOTHING)
    onChange(taken ?? '')
  }
  const leave = () => {
    setLeft(true)
    const short = typedDate(country, typed.text)
    if (short !== null) take(short)
    if (!unread || !onUnread) return
    setTyped({ ...typed, told: true })
    onUnread(typed.text)
  }
  // What lies under it stays the date of the calendar: the field would empty itself with another.
  const date = unread ? typed.over : value
  return (
    <DateInput
      {...field}
      error={error}
      aria-invalid={error ? true : undefined}
      placeholder={pattern}
      value={parseDay(date) === null ? null : date}
      onChange={take}
      onInput={({ currentTarget }) => {
        setTyped({ text: currentTarget.value, over: date, told: isNone(value) })
        setLeft(false)
      }}
      onBlur={leave}
      onKeyDown={({ key }) => key === 'Enter' && leave()}
      fixOnBlur={!unread}
      valueFormat={(iso) => fieldDate(country, String(iso))}
      dateParser={(text) => (isWhole(text) ? typedDate(country, text) : null)}
      allowDeselect
      firstDayOfWeek={firstDayOfWeek(country)}
      weekendDays={[]}
      hideOutsideDates
      getDayProps={(day) => (min && day < min ? { disabled: true } : {})}
      // Escape closes the calendar first, not the dialog around it.
      data-mantine-stop-propagation={open ? 'true' : undefined}
      popoverProps={{ onOpen: () => setOpen(true), onClose: () => setOpen(false) }}
    />
  )
}
