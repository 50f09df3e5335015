import { Textarea, TextInput } from '@mantine/core'
import { location } from '@pillar/contract/company/location'
import {
  GOAL_NAMES,
  type GoalType,
  goalAffix,
  goalText,
  isState,
  MEASURES,
  type Measure,
  measuresFor,
  OFFERED_GOAL_TYPES,
} from '@pillar/domain/campaign/goal'
import { type Day, formatDay } from '@pillar/domain/time/day'
import type { Country } from '@pillar/domain/time/locale'
import { useId } from 'react'
import { useRead } from '../../../api/client.ts'
import { notLoaded } from '../../../kit/display/Loaded.tsx'
import { DateField } from '../../../kit/form/DateField.tsx'
import { MultiSelect } from '../../../kit/form/MultiSelect.tsx'
import { Segments } from '../../../kit/form/Segments.tsx'
import { useCountry } from '../../../session/session.ts'
import styles from './CampaignForm.module.css'
import { type CampaignDraft, type DraftField, parseGoal, withGoalType } from './campaign-draft.ts'

export interface FieldsProps {
  draft: CampaignDraft
  change: (part: Partial<CampaignDraft>) => void
  /** What is wrong with each field; empty until somebody tries to save. */
  problems: Partial<Record<DraftField, string>>
  today: Day
  /** The campaign is active: its messages are planned from its start, which cannot change. */
  active: boolean
}

const MEASURE_NAMES: Readonly<Record<Measure, string>> = { target: 'Target', percentage: 'Percentage', value: 'Value' }

/** Name, pharmacies, goal, dates and note. */
export function CampaignFormFields({ draft, change, problems, today, active }: FieldsProps) {
  return (
    <>
      <div data-field="name">
        <TextInput
          label="Campaign name"
          maxLength={200}
          value={draft.name}
          error={problems.name}
          onChange={(event) => change({ name: event.currentTarget.value })}
          data-autofocus
        />
      </div>
      <div data-field="locations">
        <Pharmacies
          chosen={draft.locations}
          error={problems.locations}
          onChange={(locations) => change({ locations })}
        />
      </div>
      <GoalFields draft={draft} change={change} problems={problems} />
      <Dates draft={draft} change={change} problems={problems} today={today} active={active} />
      <div data-field="note">
        <Textarea
          label="Note"
          description="Internal note. Patients don't see it."
          rows={2}
          value={draft.note}
          error={problems.note}
          onChange={(event) => change({ note: event.currentTarget.value })}
        />
      </div>
    </>
  )
}

function Dates({ draft, change, problems, today, active }: FieldsProps) {
  const first = formatDay(today)
  return (
    <div className={styles.two}>
      <div data-field="start_date">
        <DateField
          label="Start date"
          description={active ? 'To change it, deactivate the campaign first' : 'If blank, starts on activation'}
          disabled={active}
          min={first}
          value={draft.start_date}
          error={problems.start_date}
          onChange={(start_date) => change({ start_date })}
          onUnread={(start_date) => change({ start_date })}
        />
      </div>
      <div data-field="end_date">
        <DateField
          label="End date"
          description="If blank, runs until deactivated"
          min={[first, draft.start_date].sort().at(-1) ?? first}
          value={draft.end_date}
          error={problems.end_date}
          onChange={(end_date) => change({ end_date })}
          onUnread={(end_date) => change({ end_date })}
        />
      </div>
    </div>
  )
}

interface PharmaciesProps {
  chosen: readonly string[]
  error?: string
  onChange: (chosen: string[]) => void
}

function Pharmacies({ chosen, error, onChange }: PharmaciesProps) {
  const list = useRead(location.pharmacies, {}, { staleTime: 600_000 })
  const options = list.data?.data.map(({ uuid, name }) => ({ value: uuid, label: name })) ?? []
  return (
    <MultiSelect
      label="Pharmacies"
      placeholder={list.isPending ? 'Loading…' : 'Select pharmacies'}
      options={options}
      value={chosen}
      onChange={onChange}
      error={error}
      failed={notLoaded('the pharmacies', list)}
    />
  )
}

function GoalFields({ draft, change, problems }: Omit<FieldsProps, 'today' | 'active'>) {
  const country = useCountry()
  const { goal_type: type, measure_by: measure } = draft
  const offered: GoalType[] = [...OFFERED_GOAL_TYPES]
  if (type !== null && !offered.includes(type)) offered.push(type)
  const typeProblem = `${useId()}-problem`
  const measureProblem = `${useId()}-problem`
  const affix = goalAffix(country, { type: type ?? 'scripts', measureBy: measure ?? 'target' })
  return (
    <div className={styles.goal}>
      <div className={styles.field} data-field="goal_type">
        <Labelled text="Goal type" problem={problems.goal_type} id={typeProblem} />
        <Segments
          label="Goal type"
          options={offered.map((value) => ({ value, label: GOAL_NAMES[value] }))}
          value={type}
          problemId={problems.goal_type && typeProblem}
          onChange={(value) => change(withGoalType(draft, value))}
        />
      </div>
      <div className={styles.field} data-field="measure_by">
        <Labelled text="Measure by" problem={problems.measure_by} id={measureProblem} />
        <Segments
          label="Measure by"
          options={MEASURES.map((value) => ({
            value,
            label: MEASURE_NAMES[value],
            disabled: type !== null && !measuresFor(type).includes(value),
          }))}
          value={measure}
          problemId={problems.measure_by && measureProblem}
          onChange={(value) => change({ measure_by: value })}
        />
        {type !== null && isState(type) ? (
          <p className={`${styles.hint} ${styles.narrow}`}>
            {GOAL_NAMES[type]} is a percentage, so Value is not available.
          </p>
        ) : null}
      </div>
      <div className={styles.field} data-field="goal">
        <TextInput
          label="Goal"
          inputMode="decimal"
          value={draft.goal}
          error={problems.goal}
          leftSection={affix.prefix || undefined}
          rightSection={affix.suffix || undefined}
          leftSectionWidth={24}
          rightSectionWidth={32}
          onChange={(event) => change({ goal: event.currentTarget.value })}
        />
        <p className={styles.hint} aria-live="polite">
          {goalWords(draft, country)}
        </p>
      </div>
    </div>
  )
}

function Labelled({ text, problem, id }: { text: string; problem?: string; id: string }) {
  return (
    <>
      <div className={styles.label}>{text}</div>
      {problem ? (
        <div id={id} className="mantine-InputWrapper-error">
          {problem}
        </div>
      ) : null}
    </>
  )
}

/** The goal as other screens will name it: 'Revenue to $40,000'. */
function goalWords({ goal_type: type, measure_by: measureBy, goal }: CampaignDraft, country: Country): string {
  const amount = parseGoal(goal)
  if (type === null || measureBy === null || amount === null) return ''
  return goalText(country, { type, measureBy, amount })
}
