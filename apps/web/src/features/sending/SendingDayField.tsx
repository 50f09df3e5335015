import { Checkbox, Switch, TextInput } from '@mantine/core'
import { useFieldWords } from '../../kit/dialog/field-words.ts'
import type { Bound } from '../../kit/dialog/useFormDialog.ts'
import styles from './SendingRules.module.css'
import { ALL_DAY, clocksOf, USUAL_DAY } from './sending-rules.ts'

/** The sending hours of a weekday: none, all day, or from one time to another. */
export function SendingDayField({ name, label, value, onChange, error }: Bound) {
  const day = String(value)
  useFieldWords<string>(name, (hours) => (hours === '' ? 'No sending' : hours === ALL_DAY ? 'All day' : hours))
  const wholeDay = day === ALL_DAY
  return (
    <div className={styles.day} data-field={name}>
      <Switch
        label={label}
        checked={day !== ''}
        onChange={(event) => onChange(event.currentTarget.checked ? USUAL_DAY : '')}
      />
      {day === '' ? (
        <span className="muted">No sending</span>
      ) : (
        <div className={styles.line}>
          {wholeDay ? null : <Clocks label={label} day={day} wrong={Boolean(error)} onChange={onChange} />}
          <Checkbox
            size="xs"
            label="All day"
            aria-label={`${label}, all day`}
            checked={wholeDay}
            onChange={(event) => onChange(event.currentTarget.checked ? ALL_DAY : USUAL_DAY)}
          />
        </div>
      )}
      {error ? <p className={styles.wrong}>{error}</p> : null}
    </div>
  )
}

interface ClocksProps {
  label: string
  day: string
  wrong: boolean
  onChange: (day: string) => void
}

function Clocks({ label, day, wrong, onChange }: ClocksProps) {
  const [from, to] = clocksOf(day)
  const field = { size: 'xs', type: 'time', error: wrong } as const
  return (
    <>
      <TextInput
        {...field}
        aria-label={`${label} from`}
        value={from}
        onChange={(event) => onChange(`${event.currentTarget.value}–${to}`)}
      />
      <span>to</span>
      <TextInput
        {...field}
        aria-label={`${label} to`}
        value={to}
        onChange={(event) => onChange(`${from}–${event.currentTarget.value}`)}
      />
    </>
  )
}
