import { Checkbox, NativeSelect, NumberInput, Switch, TextInput } from '@mantine/core'
import styles from './SendingRules.module.css'
import { type DayDraft, LIMITS, type RulesDraft, type RulesField, WEEKDAYS } from './sending-rules.ts'

interface FieldsProps {
  draft: RulesDraft
  wrong: readonly RulesField[]
  onChange: (draft: RulesDraft) => void
}

const numberOf = (value: string | number): number | '' => (value === '' ? '' : Number(value))

/** The rules as fields: cap, hours of each weekday, holidays, holdout. */
export function SendingRulesFields({ draft, wrong, onChange }: FieldsProps) {
  const change = (part: Partial<RulesDraft>) => onChange({ ...draft, ...part })
  const changeDay = (index: number, part: Partial<DayDraft>) =>
    change({ week: draft.week.map((day, at) => (at === index ? { ...day, ...part } : day)) })
  return (
    <>
      <fieldset className={styles.group}>
        <legend>Cap</legend>
        <p className="muted">How often one person may be written to, over all campaigns and all your pharmacies.</p>
        <div className={styles.line}>
          <span>At most</span>
          <NumberInput
            id="rules-messages"
            size="xs"
            w={72}
            aria-label="Messages"
            error={wrong.includes('messages')}
            min={1}
            max={LIMITS.messages}
            clampBehavior="none"
            allowDecimal={false}
            value={draft.messages}
            onChange={(value) => change({ messages: numberOf(value) })}
          />
          <span>{draft.messages === 1 ? 'message' : 'messages'} in</span>
          <NumberInput
            id="rules-span"
            size="xs"
            w={72}
            aria-label="Length of time"
            error={wrong.includes('span')}
            min={1}
            clampBehavior="none"
            allowDecimal={false}
            value={draft.span}
            onChange={(value) => change({ span: numberOf(value) })}
          />
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
          <NumberInput
            id="rules-holdout"
            size="xs"
            w={72}
            aria-label="Percent kept back"
            error={wrong.includes('holdout')}
            min={0}
            max={LIMITS.holdout}
            clampBehavior="none"
            allowDecimal={false}
            value={draft.holdout}
            onChange={(value) => change({ holdout: numberOf(value) })}
          />
          <span>percent</span>
        </div>
      </fieldset>
    </>
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
  return (
    <div className={styles.day}>
      <Switch label={name} checked={day.on} onChange={(event) => onChange({ on: event.currentTarget.checked })} />
      {day.on ? (
        <div className={styles.line}>
          <TextInput
            id={id}
            size="xs"
            type="time"
            aria-label={`${name} from`}
            error={wrong}
            value={day.from}
            onChange={(event) => onChange({ from: event.currentTarget.value })}
          />
          <span>to</span>
          <TextInput
            size="xs"
            type="time"
            aria-label={`${name} to`}
            error={wrong}
            value={day.to}
            onChange={(event) => onChange({ to: event.currentTarget.value })}
          />
        </div>
      ) : (
        <span id={id} tabIndex={-1} className="muted">
          Nothing is sent
        </span>
      )}
    </div>
  )
}
