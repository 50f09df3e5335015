import {
  GOAL_NAMES,
  type GoalType,
  goalText,
  isState,
  keptMeasure,
  type Measure,
  measuresFor,
} from '@pillar/domain/campaign/goal'
import { type Day, formatDay } from '@pillar/domain/time/day'
import type { Country } from '@pillar/domain/time/locale'
import type { ReactNode } from 'react'
import type { Bind } from '../../../kit/dialog/useFormDialog.ts'
import { DateField } from '../../../kit/form/DateField.tsx'
import { SelectField, TextAreaField, TextField } from '../../../kit/form/fields.tsx'
import { parseGoal } from '../form/campaign-draft.ts'
import styles from './CampaignAdmin.module.css'
import { CohortField } from './CohortField.tsx'
import { type CampaignValues, GOALS, MEASURE_NAMES } from './campaign-admin.ts'

interface CampaignFieldsProps {
  f: Bind<CampaignValues>
  values: CampaignValues
  today: Day
  country: Country
  /** Several campaigns are edited at once, so a field may keep its value in each. */
  several: boolean
  /** Below the name: description, or company. */
  about: ReactNode
  /** After the goal: pharmacies and templates. */
  children: ReactNode
}

/** The fields every campaign has, with slots for those specific to a company's or a recommended campaign. */
export function CampaignFields({ f, values, today, country, several, about, children }: CampaignFieldsProps) {
  const first = formatDay(today)
  const later = [first, values.start_date].sort().at(-1) ?? first
  return (
    <>
      <TextField {...f('name', 'Campaign name')} data-autofocus />
      {about}
      <GoalFields f={f} values={values} country={country} several={several} />
      {children}
      <CohortField {...f('filters', 'Patient cohort')} country={country} />
      <TextAreaField {...f('note', 'Note')} description="Internal note. Patients don't see it." rows={2} />
      <div className={styles.two}>
        <DateField {...picked(f('start_date', 'Start date'))} description="Starts at 00:00:00." min={first} />
        <DateField {...picked(f('end_date', 'End date'))} description="Ends at 23:59:59; may be blank." min={later} />
      </div>
    </>
  )
}

/** The props of a date field from a bound field. */
const picked = ({ label, value, onChange, error, name }: ReturnType<Bind<CampaignValues>>) => ({
  label,
  value,
  onChange,
  onUnread: onChange,
  error,
  name,
})

type GoalFieldsProps = Pick<CampaignFieldsProps, 'f' | 'values' | 'country' | 'several'>

/** Goal type, measure and amount. Value is not offered for adherence and loyalty, and is cleared if it was selected. */
function GoalFields({ f, values, country, several }: GoalFieldsProps) {
  const { goal_type: type, measure_by: measure } = values
  const measureBy = f('measure_by', 'Measure by')
  const goalType = f('goal_type', 'Goal type')
  const blank = { value: '', label: several ? 'As they are' : 'Select' }
  const amount = parseGoal(values.goal)
  return (
    <>
      <div className={styles.three}>
        <SelectField
          {...goalType}
          options={[blank, ...GOALS]}
          onChange={(event: { currentTarget: { value: GoalType | '' } }) => {
            const next = event.currentTarget.value
            goalType.onChange(next)
            if (next !== '' && keptMeasure(next, measure || null) === null) measureBy.onChange('')
          }}
        />
        <SelectField
          {...measureBy}
          options={[blank, ...MEASURE_NAMES.filter(({ value }) => type === '' || measuresFor(type).includes(value))]}
        />
        <TextField {...f('goal', 'Goal amount')} inputMode="decimal" maxLength={20} />
      </div>
      <p className={styles.hint} aria-live="polite">
        {type !== '' && measure !== '' && amount !== null
          ? `${goalText(country, { type, measureBy: measure as Measure, amount })}. `
          : null}
        {type !== '' && isState(type) ? `${GOAL_NAMES[type]} is a percentage, so Value is not available.` : null}
      </p>
    </>
  )
}
