import { ActionIcon, Button, Input, NumberInput } from '@mantine/core'
import { MAX_DAYS_AFTER } from '@pillar/domain/campaign/sequence'
import { FOLLOW_UP_GAP_DAYS, followUpActWords, MOST_FOLLOW_UPS } from '@pillar/domain/campaign/sequence-draft'
import { ArrowUp, Plus, X } from 'lucide-react'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { NOTHING, useFieldWords } from '../../kit/dialog/field-words.ts'
import type { Bound } from '../../kit/dialog/useFormDialog.ts'
import { Icon } from '../../kit/display/Icon.tsx'
import { LookupField } from '../../kit/form/LookupField.tsx'
import { newId } from '../../shared/new-id.ts'
import styles from './FollowUpsField.module.css'

/** A follow-up being edited. */
export interface FollowUpRow {
  key: string
  /** The id of an existing follow-up; null for a new one. */
  follow_up_id: string | null
  template_id: string
  /** The template's name. */
  template: string
  /** NaN until entered. */
  days_after: number
}

interface FollowUpsFieldProps extends Bound {
  value: readonly FollowUpRow[]
  onChange: (rows: FollowUpRow[]) => void
  /** Templates to choose from. */
  useOptions: ComponentProps<typeof LookupField>['useOptions']
  /** The uuid of the company that owns the templates, if one does. */
  within?: string
  /** Shown beside a day, such as the date for somebody enrolled today. */
  beside?: (days: number) => ReactNode
}

/** Follow-ups in order: for each, the days after the event and the template. */
export function FollowUpsField(props: FollowUpsFieldProps) {
  const { name, label, value, onChange, error, useOptions, within, beside } = props
  useFieldWords<readonly FollowUpRow[]>(name, followUpsWords)
  const [said, setSaid] = useState('')
  const changed = (act: 'added' | 'moved' | 'removed', rows: FollowUpRow[], index: number) => {
    const days = (act === 'removed' ? value : rows)[index]?.days_after ?? Number.NaN
    setSaid(followUpActWords(act, { position: index + 1, days, count: rows.length }))
    onChange(rows)
  }
  const set = (index: number, more: Partial<FollowUpRow>) =>
    onChange(value.map((row, at) => (at === index ? { ...row, ...more } : row)))
  const add = () => {
    const last = value.at(-1)?.days_after
    const days_after = last === undefined ? 0 : (Number.isNaN(last) ? 0 : last) + FOLLOW_UP_GAP_DAYS
    const row = { key: newId(), follow_up_id: null, template_id: '', template: '', days_after }
    changed('added', [...value, row], value.length)
  }
  // The messages change places and the days stay: days out of order could not be saved.
  const moveUp = (index: number) => {
    const [above, row] = [value[index - 1], value[index]]
    if (!above || !row) return
    const moved = [
      { ...row, days_after: above.days_after },
      { ...above, days_after: row.days_after },
    ]
    changed('moved', value.toSpliced(index - 1, 2, ...moved), index - 1)
  }
  return (
    <fieldset className={styles.field} data-field={name}>
      <legend>{label}</legend>
      {error ? <Input.Error role="alert">{error}</Input.Error> : null}
      <ol className={styles.rows}>
        {value.map((row, index) => (
          <li key={row.key} className={styles.row}>
            <NumberInput
              className={styles.day}
              aria-label={`Follow-up ${index + 1}: days after the event`}
              prefix="Day "
              min={0}
              max={MAX_DAYS_AFTER}
              allowDecimal={false}
              clampBehavior="none"
              value={Number.isNaN(row.days_after) ? '' : row.days_after}
              onChange={(days) => set(index, { days_after: days === '' ? Number.NaN : Number(days) })}
            />
            <div className={styles.template}>
              <LookupField
                name={`${name}-${row.key}`}
                label=""
                aria-label={`Follow-up ${index + 1}: template`}
                placeholder="Find a template"
                clearable={false}
                value={row.template_id}
                first={row.template}
                onChange={(template_id: string, template: string) => set(index, { template_id, template })}
                useOptions={useOptions}
                within={within}
              />
              {beside ? <p className="muted">{beside(row.days_after)}</p> : null}
            </div>
            <ActionIcon
              aria-label={`Move follow-up ${index + 1} up`}
              // Not disabled: the focus of a follow-up moved to the top would go to the button that removes it.
              aria-disabled={index === 0}
              data-disabled={index === 0 || undefined}
              title={index === 0 ? 'It is the first' : 'Move up'}
              onClick={() => moveUp(index)}
            >
              <Icon of={ArrowUp} />
            </ActionIcon>
            <ActionIcon
              aria-label={`Remove follow-up ${index + 1}`}
              title="Remove"
              onClick={() => changed('removed', value.toSpliced(index, 1), index)}
            >
              <Icon of={X} />
            </ActionIcon>
          </li>
        ))}
      </ol>
      <p className="sr" role="status">
        {said}
      </p>
      <Button
        size="xs"
        leftSection={<Icon of={Plus} size={14} />}
        disabled={value.length >= MOST_FOLLOW_UPS}
        title={value.length >= MOST_FOLLOW_UPS ? `A sequence has at most ${MOST_FOLLOW_UPS} follow-ups` : undefined}
        onClick={add}
      >
        Add follow-up
      </Button>
    </fieldset>
  )
}

/** Follow-ups in words, one per line. */
const followUpsWords = (rows: readonly FollowUpRow[]) =>
  rows.length === 0
    ? NOTHING
    : rows
        .map(
          ({ days_after, template }) =>
            `Day ${Number.isNaN(days_after) ? NOTHING : days_after}: ${template || NOTHING}`,
        )
        .join('\n')
