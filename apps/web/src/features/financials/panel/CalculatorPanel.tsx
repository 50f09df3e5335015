import { ActionIcon, Select, Switch, TextInput, Tooltip } from '@mantine/core'
import { financials } from '@pillar/contract/financials'
import { OTHERS, TOTAL } from '@pillar/domain/dispensing/category'
import { type Country, LOCALES } from '@pillar/domain/time/locale'
import type { PeriodChoice } from '@pillar/domain/time/period'
import { RotateCw } from 'lucide-react'
import { type Dispatch, useId, useReducer, useState } from 'react'
import { useRead } from '../../../api/client.ts'
import { Icon } from '../../../kit/display/Icon.tsx'
import { Failed } from '../../../kit/display/states.tsx'
import { Segments } from '../../../kit/form/Segments.tsx'
import { useSettled } from '../../../kit/form/useSettled.ts'
import type { TableReply } from '../table/table-model.ts'
import {
  adjustments,
  type Calculator,
  type Change,
  calculator,
  type Mode,
  START,
  sizeOf,
  subcategoryOf,
} from './calculator.ts'
import { COVERED, OpportunityResult } from './OpportunityResult.tsx'
import styles from './SidePanel.module.css'

interface CalculatorPanelProps {
  reply: TableReply
  pharmacyIds: string[]
  choice: PeriodChoice
  country: Country
}

const PAUSE_MS = 400

/**
 * What a different adherence or price of one subcategory would be worth, recalculated a moment after the last change. Give it the category as its
 * key: another category starts over.
 */
export function CalculatorPanel({ reply, pharmacyIds, choice, country }: CalculatorPanelProps) {
  const [state, dispatch] = useReducer(calculator, START)
  const all = offered(reply)
  const subcategory = subcategoryOf(state, reply.best_categories, reply.worst_categories, all)
  const wanted = useSettled(adjustments(state), PAUSE_MS)
  const ask = {
    category: reply.category,
    subcategory: subcategory ?? '',
    pharmacy_ids: pharmacyIds,
    ...wanted,
    ...choice,
  }
  const answer = useRead(financials.opportunity, ask, { enabled: subcategory !== null, keepPrevious: true })
  return (
    <section className={styles.section}>
      <div className={styles.title}>
        <h2>Opportunity calculator</h2>
        <Tooltip label={subcategory === null ? 'Choose one first' : 'Recalculate'}>
          <ActionIcon
            aria-label={subcategory === null ? 'Recalculate: choose one first' : 'Recalculate'}
            data-disabled={subcategory === null || undefined}
            aria-disabled={subcategory === null}
            onClick={() => subcategory !== null && void answer.refetch()}
          >
            <Icon of={RotateCw} size={15} />
          </ActionIcon>
        </Tooltip>
      </div>
      <Pick category={reply.category} {...{ all, subcategory, state, dispatch }} />
      <Adjust label={COVERED} which="adherence" unit="points" {...{ state, dispatch }} />
      <Adjust label="Price per script" which="price" unit={LOCALES[country].currencySymbol} {...{ state, dispatch }} />
      {subcategory === null ? (
        <p className={styles.none}>
          {state.mode === 'manual' ? 'Choose one to calculate with.' : 'Nothing to rank. Choose one under Manual.'}
        </p>
      ) : answer.isError ? (
        <Failed title="Could not calculate" error={answer.error} onRetry={() => void answer.refetch()} />
      ) : answer.data ? (
        <div className={answer.isPlaceholderData ? styles.dimmed : undefined} aria-busy={answer.isFetching}>
          <OpportunityResult answer={answer.data} wanted={wanted} country={country} subcategory={subcategory} />
        </div>
      ) : null}
    </section>
  )
}

/** The subcategories to choose from: the columns, and ranked ones without a column. */
function offered({ columns, best_categories: best, worst_categories: worst }: TableReply): string[] {
  const ranked = [...best.categories, ...worst.categories].map(({ category }) => category)
  return [...new Set([...columns.map(({ field }) => field), ...ranked])].filter(
    (field) => field !== TOTAL && field !== OTHERS,
  )
}

interface PickProps {
  category: string
  all: string[]
  subcategory: string | null
  state: Calculator
  dispatch: Dispatch<Change>
}

/** Picks a subcategory: the best, the worst, or a manual choice. */
function Pick({ category, all, subcategory, state, dispatch }: PickProps) {
  return (
    <div className={styles.pick}>
      <Segments<Mode>
        label="Which"
        options={[
          { value: 'best', label: 'Best' },
          { value: 'worst', label: 'Worst' },
          { value: 'manual', label: 'Manual' },
        ]}
        value={state.mode}
        onChange={(mode) => dispatch({ type: 'mode', mode })}
      />
      <Select
        aria-label={category}
        title={subcategory ?? undefined}
        placeholder="Choose one"
        data={all}
        value={subcategory}
        searchable={all.length > 12}
        allowDeselect={false}
        onChange={(value) => value !== null && dispatch({ type: 'subcategory', subcategory: value })}
      />
    </div>
  )
}

interface AdjustProps {
  label: string
  which: 'adherence' | 'price'
  unit: string
  state: Calculator
  dispatch: Dispatch<Change>
}

/** One adjustment: on or off, up or down, and its size. Typed text stays as typed. */
function Adjust({ label, which, unit, state, dispatch }: AdjustProps) {
  const { on, direction } = state[which]
  const [typed, setTyped] = useState('')
  const { problem } = sizeOf(typed, which)
  const id = useId()
  return (
    <div className={styles.adjust}>
      <Switch
        withThumbIndicator={false}
        label={label}
        checked={on}
        onChange={(event) => dispatch({ type: 'toggle', which, on: event.currentTarget.checked })}
      />
      <button
        type="button"
        className={styles.sign}
        aria-label={`${label}: ${direction === '+' ? 'more' : 'less'}. Change direction`}
        onClick={() => dispatch({ type: 'direction', which, direction: direction === '+' ? '-' : '+' })}
      >
        {direction === '+' ? '+' : '−'}
      </button>
      <TextInput
        aria-label={`${label} by, in ${which === 'adherence' ? 'points' : 'currency per script'}`}
        inputMode="decimal"
        placeholder="0.00"
        value={typed}
        error={problem !== null}
        aria-describedby={problem === null ? undefined : id}
        rightSection={which === 'adherence' ? <span className={styles.unit}>{unit}</span> : undefined}
        rightSectionWidth={60}
        leftSection={which === 'price' ? <span className={styles.unit}>{unit}</span> : undefined}
        leftSectionWidth={22}
        onChange={(event) => {
          setTyped(event.currentTarget.value)
          dispatch({ type: 'size', which, size: sizeOf(event.currentTarget.value, which).size })
        }}
      />
      <p id={id} className={styles.problem} aria-live="polite">
        {problem}
      </p>
    </div>
  )
}
