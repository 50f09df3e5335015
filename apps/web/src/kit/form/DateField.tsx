import { DateInput } from '@mantine/dates'
import { formatDay, parseDay } from '@pillar/domain/time/day'
import { type ReactNode, useState } from 'react'
import { useCountry } from '../../session/session.ts'
import { todayOf } from '../../shared/today.ts'
import { ARROW_NAMES, datePattern, fieldDate, firstDayOfWeek, typedDate } from './typed-date.ts'

interface DateFieldProps {
  label: string
  /** '2026-12-01'; empty for none. */
  value: string
  onChange: (value: string) => void
  error?: ReactNode
  description?: ReactNode
  disabled?: boolean
  /** Earlier days cannot be picked in the calendar; the form checks typed dates. */
  min?: string
  /** In a form: gets typed text that is not a date, so that the form can refuse it. A filter keeps its previous date. */
  onUnread?: (typed: string) => void
}

/** Typed text that is not a date yet, the value it replaces, and whether the form knows about it. */
const NOTHING = { text: '', over: '', reported: false }

/** Whether a value is typed text that is not a date. */
const isNone = (value: string) => value !== '' && parseDay(value) === null

/**
 * Whether a typed date may be applied while typing: '1/12/20' is valid, but on its way to 2026. A date with a two-digit year is applied once the
 * field is left.
 */
const isWhole = (text: string) => /\d{4}/.test(text)

/** A day, typed or picked, in the company's format; weeks begin as usual in its country. Invalid text stays as typed, with a note. */
export function DateField({ min, value, onChange, onUnread, error: wrong, ...field }: DateFieldProps) {
  const country = useCountry()
  const [open, setOpen] = useState(false)
  const [typed, setTyped] = useState(NOTHING)
  const [left, setLeft] = useState(false)
  /** The month to which somebody turned the open calendar. */
  const [turned, setTurned] = useState<string | null>(null)
  const pattern = datePattern(country)
  // A different value was set elsewhere, which discards earlier typing.
  const there = typed.reported ? isNone(value) : value === typed.over
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
    setTyped({ ...typed, reported: true })
    onUnread(typed.text)
  }
  // The underlying value stays the calendar's date, because the field would empty itself with any other.
  const date = unread ? typed.over : value
  // The field of the earliest day may hold text that is no date; the calendar would look for its week for ever.
  const earliest = min && parseDay(min) !== null ? min : ''
  const today = formatDay(todayOf(country))
  // Without a value, the calendar opens where days can be picked.
  const opensAt = parseDay(date) === null ? [earliest, today].sort()[1]! : date
  return (
    <DateInput
      {...field}
      error={error}
      aria-invalid={error ? true : undefined}
      placeholder={pattern}
      value={parseDay(date) === null ? null : date}
      onChange={take}
      date={turned ?? opensAt}
      onDateChange={setTurned}
      onInput={({ currentTarget }) => {
        setTyped({ text: currentTarget.value, over: date, reported: isNone(value) })
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
      ariaLabels={ARROW_NAMES}
      getDayProps={(day) => (day < earliest ? { disabled: true } : {})}
      // Escape closes the calendar first, not the surrounding dialog.
      data-mantine-stop-propagation={open ? 'true' : undefined}
      popoverProps={{
        onOpen: () => setOpen(true),
        onClose: () => {
          setOpen(false)
          setTurned(null)
        },
      }}
    />
  )
}
