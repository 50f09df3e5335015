import { Checkbox, NativeSelect, NumberInput, Switch, TextInput } from '@mantine/core'
import styles from './SendingRules.module.css'
import { type DayDraft, LIMITS, type RulesDraft, type RulesField, WEEKDAYS } from './sending-rules.ts'

interface FieldsProps {
  draft: RulesDraft
  wrong: readonly RulesField[]
  /** Up to which day public holidays are known, in words; null when none are. */
  holidaysTo: string | null
  onChange: (draft: RulesDraft) => void
}

/** The rules as fields: cap, hours of each weekday, holidays, holdout. */
export function SendingRulesFields({ draft, wrong, holidaysTo, onChange }: FieldsProps) {
  const change = (part: Partial<RulesDraft>) => onChange({ ...draft, ...part })
  const whole = (field: 'messages' | 'span' | 'holdout') => ({
    id: `rules-${field}`,
    wrong: wrong.includes(field),
    value: draft[field],
    onChange: (value: number | '') => change({ [field]: value }),
  })
  const changeDay = (index: number, part: Partial<DayDraft>) =>
    change({ week: draft.week.map((day, at) => (at === index ? { ...day, ...part } : day)) })
  return (
    <>
      <fieldset className={styles.group}>
        <legend>Cap</legend>
        <p className="muted">How often one person may be written to, over all campaigns and all your pharmacies.</p>
        <div className={styles.line}>
          <span>At most</span>
          <Whole {...whole('messages')} label="Messages" min={1} max={LIMITS.messages} />
          <span>{draft.messages === 1 ? 'message' : 'messages'} in</span>
          <Whole {...whole('span')} label="Length of time" min={1} />
          <NativeSelect
            size="xs"
            aria-label="Unit of time"
            value={draft.unit}
            data={['days', 'hours']}
            onChange={(event) => change({ unit: event.currentTarget.value === 'hours' ? 'hours' : 'days' })}
          />
        </div>
      </fieldset>
      <fieldset className={styles.group}>
        <legend>Sending hours</legend>
        <p className="muted">By the clock of each pharmacy. What falls outside waits for the next open hour.</p>
        {draft.week.map((day, index) => (
          <DayLine
            key={WEEKDAYS[index]}
            name={WEEKDAYS[index] ?? ''}
            id={`rules-day${index}`}
            day={day}
            wrong={wrong.includes(`day${index}`)}
            onChange={(part) => changeDay(index, part)}
          />
        ))}
        <Checkbox
          mt={12}
          label="Send nothing on public holidays"
          description={
            holidaysTo === null
              ? 'No public holidays are known. Ask your administrator to add them.'
              : `Those of each pharmacy’s state or country, known up to ${holidaysTo}.`
          }
          checked={draft.holidaysQuiet}
          onChange={(event) => change({ holidaysQuiet: event.currentTarget.checked })}
        />
      </fieldset>
      <fieldset className={styles.group}>
        <legend>Holdout</legend>
        <p className="muted">
          A share of each new cohort, drawn at random, gets no message, so that the difference a campaign makes can be
          measured. 0 is off; 10 is usual. At least 100 people must be kept back for a result.
        </p>
        <div className={styles.line}>
          <span>Keep back</span>
          <Whole {...whole('holdout')} label="Percent kept back" min={0} max={LIMITS.holdout} />
          <span>percent</span>
        </div>
      </fieldset>
    </>
  )
}

interface WholeProps {
  id: string
  label: string
  wrong: boolean
  min: number
  max?: number
  /** '' while it is emptied. */
  value: number | ''
  onChange: (value: number | '') => void
}

/** A whole number, short; what is out of bounds stays as typed and is marked on saving. */
function Whole({ label, wrong, onChange, ...field }: WholeProps) {
  return (
    <NumberInput
      {...field}
      size="xs"
      w={72}
      aria-label={label}
      error={wrong}
      clampBehavior="none"
      allowDecimal={false}
      onChange={(value) => onChange(value === '' ? '' : Number(value))}
    />
  )
}

interface DayLineProps {
  name: string
  id: string
  day: DayDraft
  wrong: boolean
  onChange: (part: Partial<DayDraft>) => void
}

function DayLine({ name, id, day, wrong, onChange }: DayLineProps) {
  const clock = (end: 'from' | 'to') => (
    <TextInput
      {...(end === 'from' ? { id } : {})}
      size="xs"
      type="time"
      aria-label={`${name} ${end}`}
      error={wrong}
      value={day[end]}
      onChange={(event) => onChange({ [end]: event.currentTarget.value })}
    />
  )
  return (
    <div className={styles.day}>
      <Switch label={name} checked={day.on} onChange={(event) => onChange({ on: event.currentTarget.checked })} />
      {day.on ? (
        <div className={styles.line}>
          {clock('from')}
          <span>to</span>
          {clock('to')}
        </div>
      ) : (
        <span id={id} tabIndex={-1} className="muted">
          Nothing is sent
        </span>
      )}
    </div>
  )
}
