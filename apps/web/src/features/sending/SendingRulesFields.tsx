import { Checkbox, NativeSelect, NumberInput } from '@mantine/core'
import { WEEKDAYS } from '@pillar/domain/message/sending-rules'
import { SENDING_LIMITS } from '@pillar/domain/time/quiet-hours'
import type { ReactNode } from 'react'
import type { Bind, Bound } from '../../kit/dialog/useFormDialog.ts'
import { SendingDayField } from './SendingDayField.tsx'
import styles from './SendingRules.module.css'
import type { RulesValues } from './sending-rules.ts'

interface FieldsProps {
  f: Bind<RulesValues>
  values: RulesValues
  /** The last day of the known public holidays, in words; null if none are known. */
  holidaysTo: string | null
  /** Why approval cannot be switched off here; empty if it can. */
  approvalStays?: string
}

/** The rules as fields: frequency limit, hours of each weekday, holidays, holdout. */
export function SendingRulesFields(props: FieldsProps) {
  return (
    <>
      <CapFields {...props} about="How often one person may be messaged, across all campaigns and pharmacies." />
      <HourFields {...props} about="In each pharmacy’s local time. Other messages wait until sending resumes." />
      <HoldoutFields {...props} />
      <ApprovalFields {...props} />
    </>
  )
}

/** A number of messages in a length of time. */
export function CapFields({ f, values, about }: FieldsProps & { about: string }) {
  const [messages, span] = [f('cap_messages', 'Messages'), f('span', 'Length of time')]
  const { label: unitLabel, ...unit } = f('unit', 'Unit of time')
  return (
    <Group title="Frequency limit" about={about}>
      <div className={styles.line}>
        <span>At most</span>
        <Whole {...messages} {...SENDING_LIMITS.cap_messages} />
        <span>{values.cap_messages === 1 ? 'message' : 'messages'} in</span>
        <Whole {...span} min={1} />
        <NativeSelect {...unit} size="xs" aria-label={unitLabel} data={['days', 'hours']} />
      </div>
      <Wrong of={[messages, span]} />
    </Group>
  )
}

/** The hours of each weekday, and public holidays. */
export function HourFields({ f, holidaysTo, about }: FieldsProps & { about: string }) {
  return (
    <Group title="Sending hours" about={about}>
      {WEEKDAYS.map((name, index) => (
        <SendingDayField key={name} {...f(`day${index}` as 'day0', name)} />
      ))}
      <Checkbox
        {...f('holidays_quiet', 'No sending on public holidays')}
        mt={12}
        description={
          holidaysTo === null
            ? 'No public holidays are known. Ask your administrator to add them.'
            : `The public holidays of each pharmacy’s state or country, known up to ${holidaysTo}.`
        }
      />
    </Group>
  )
}

function HoldoutFields({ f }: FieldsProps) {
  const holdout = f('holdout_percent', 'Percent kept back')
  return (
    <Group
      title="Holdout"
      about="A share of each new cohort, drawn at random, gets no message, so that the difference a campaign makes can be measured. 0 is off; 10 is usual. At least 100 people must be kept back for a result."
    >
      <div className={styles.line}>
        <span>Keep back</span>
        <Whole {...holdout} {...SENDING_LIMITS.holdout_percent} />
        <span>percent</span>
      </div>
      <Wrong of={[holdout]} />
    </Group>
  )
}

function ApprovalFields({ f, approvalStays = '' }: FieldsProps) {
  return (
    <Group title="Approval" about="Two people look at every campaign before patients get it.">
      <Checkbox
        {...f('approval', 'A second person approves each campaign')}
        disabled={approvalStays !== ''}
        description={
          approvalStays ||
          'Whoever wrote or changed a campaign or its texts cannot approve it. Approval covers its texts, who gets it, and a limit of people and cost. Messages already queued go out without it. So do sequences; only support can change those.'
        }
      />
    </Group>
  )
}

function Group({ title, about, children }: { title: string; about: string; children: ReactNode }) {
  return (
    <fieldset className={styles.group}>
      <legend>{title}</legend>
      <p className="muted">{about}</p>
      {children}
    </fieldset>
  )
}

/** A whole number inside a sentence. A value out of bounds stays as typed and is marked on saving. */
function Whole({ label, error, onChange, ...field }: Bound & { min: number; max?: number }) {
  return (
    <NumberInput
      {...field}
      size="xs"
      w={72}
      aria-label={label}
      error={Boolean(error)}
      clampBehavior="none"
      allowDecimal={false}
      onChange={(value) => onChange(value === '' ? '' : Number(value))}
    />
  )
}

/** The problems of a line's numbers, shown below it. */
function Wrong({ of }: { of: readonly Bound[] }) {
  return of.map(({ name, error }) =>
    error ? (
      <p key={name} className={styles.wrong}>
        {error}
      </p>
    ) : null,
  )
}
