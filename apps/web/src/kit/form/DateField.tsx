import { DateInput } from '@mantine/dates'
import { type ReactNode, useState } from 'react'
import { useCountry } from '../../session/session.ts'
import { fieldDate, typedDate } from './typed-date.ts'

interface DateFieldProps {
  label: string
  /** '2026-12-01'; empty for none. */
  value: string
  onChange: (value: string) => void
  error?: ReactNode
  description?: ReactNode
  /** Earlier days cannot be picked in the calendar; what is typed is checked by the form. */
  min?: string
}

/** A day, typed or picked, in the company's format; weeks begin as they do in its country. */
export function DateField({ min, value, onChange, error, ...field }: DateFieldProps) {
  const country = useCountry()
  const [open, setOpen] = useState(false)
  return (
    <DateInput
      {...field}
      error={error}
      aria-invalid={error ? true : undefined}
      placeholder={country === 'US' ? 'mm/dd/yyyy' : 'dd/mm/yyyy'}
      value={value || null}
      onChange={(picked) => onChange(picked ?? '')}
      valueFormat={(iso) => fieldDate(country, String(iso))}
      dateParser={(typed) => typedDate(country, typed)}
      allowDeselect
      firstDayOfWeek={country === 'US' ? 0 : 1}
      weekendDays={[]}
      hideOutsideDates
      getDayProps={(day) => (min && day < min ? { disabled: true } : {})}
      // Escape closes the calendar first, not the dialog around it.
      data-mantine-stop-propagation={open ? 'true' : undefined}
      popoverProps={{ onOpen: () => setOpen(true), onClose: () => setOpen(false) }}
    />
  )
}
