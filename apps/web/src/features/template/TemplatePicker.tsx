import { Button, Checkbox } from '@mantine/core'
import { contract } from '@pillar/contract'
import type { Template } from '@pillar/contract/template/template'
import { counted } from '@pillar/domain/text/sentence'
import { CircleAlert, X } from 'lucide-react'
import { useRef, useState } from 'react'
import { send } from '../../api/client.ts'
import type { Pages } from '../../api/pages.ts'
import { Icon } from '../../kit/display/Icon.tsx'
import { Failed, Loading, NothingMatches } from '../../kit/display/states.tsx'
import { toastFailure } from '../../kit/display/toast.tsx'
import { Segments } from '../../kit/form/Segments.tsx'
import { More, NotReadAgain } from '../../kit/list/pane/More.tsx'
import { SearchField } from '../../kit/list/SearchField.tsx'
import { NewTemplate } from './TemplateDialog.tsx'
import styles from './TemplatePicker.module.css'
import { MOST_TEMPLATES, type PickedTemplate, picked, pickedAll, pickKey, pickOf } from './template-pick.ts'
import { typeWords } from './template-words.ts'
import { useTemplates } from './useTemplates.ts'

const TYPES = [
  { value: 'all', label: 'All types' },
  { value: 'sms', label: 'SMS' },
  { value: 'email', label: 'Email' },
] as const

interface TemplatePickerProps {
  value: readonly PickedTemplate[]
  onChange: (value: PickedTemplate[]) => void
  error?: string | undefined
}

/** What a campaign sends: search, type filter, Select All, removable chips, and a new template created here. */
export function TemplatePicker({ value, onChange, error }: TemplatePickerProps) {
  const [term, setTerm] = useState('')
  const [type, setType] = useState<(typeof TYPES)[number]['value']>('all')
  const [making, setMaking] = useState(false)
  const filters = { search_term: term, sms_template: type === 'sms', email_template: type === 'email' }
  const pages = useTemplates(filters)
  const { gathering, selectAll } = useSelectAll(filters, value, onChange)
  const chosen = new Set(value.map(pickKey))
  const all = pages.rows.length > 0 && !pages.more && pages.rows.every((row) => chosen.has(row.template_id))
  const full = value.length >= MOST_TEMPLATES

  const onClear = () => {
    setTerm('')
    setType('all')
  }
  return (
    <section className={styles.picker} aria-label="Templates">
      <div className={styles.title}>
        <h3>Templates</h3>
        <span className={styles.count} role="status">
          {value.length} selected{full ? ', the maximum' : ''}
        </span>
      </div>
      {error ? (
        <p className={styles.problem}>
          <Icon of={CircleAlert} size={14} /> {error}
        </p>
      ) : null}
      <Chips value={value} onChange={onChange} />
      <SearchField label="Find a template" value={term} onChange={setTerm} />
      <div className={styles.row}>
        <Segments label="Type" options={TYPES} value={type} onChange={setType} />
        <Button
          variant="subtle"
          size="xs"
          loading={gathering}
          disabled={pages.rows.length === 0 || pages.stale}
          onClick={() => void selectAll()}
        >
          {all ? 'Clear all' : 'Select All'}
        </Button>
      </div>
      <Choices
        value={value}
        onChange={onChange}
        pages={pages}
        {...(term !== '' || type !== 'all' ? { onClear } : {})}
      />
      <Button variant="subtle" className={styles.add} onClick={() => setMaking(true)}>
        + Add New Template
      </Button>
      {making ? (
        <NewTemplate
          onClose={() => setMaking(false)}
          onMade={(made) => {
            setMaking(false)
            onChange(picked(value, pickOf(made)))
          }}
        />
      ) : null}
    </section>
  )
}

type Picking = Pick<TemplatePickerProps, 'value' | 'onChange'>

/** The selected templates, each with a remove button. */
function Chips({ value, onChange }: Picking) {
  if (value.length === 0) return null
  return (
    <ul className={styles.chips} aria-label="Selected templates">
      {value.map((one) => (
        <li key={pickKey(one)}>
          <span className={styles.chip}>{one.template_name}</span>
          <button type="button" aria-label={`Remove ${one.template_name}`} onClick={() => onChange(picked(value, one))}>
            <Icon of={X} size={14} />
          </button>
        </li>
      ))}
    </ul>
  )
}

/** The templates to choose from, page after page; `onClear` if a filter hides some of them. */
function Choices({ value, onChange, pages, onClear }: Picking & { pages: Pages<Template>; onClear?: () => void }) {
  const chosen = new Set(value.map(pickKey))
  const full = value.length >= MOST_TEMPLATES
  return (
    <div className={styles.list} data-stale={pages.stale || undefined}>
      <NotReadAgain pages={pages} what="templates" />
      {pages.rows.length > 0 ? (
        <ul aria-label="Templates to choose from">
          {pages.rows.map((row) => (
            <li key={row.template_id}>
              <Checkbox
                checked={chosen.has(row.template_id)}
                disabled={full && !chosen.has(row.template_id)}
                label={<Label template={row} />}
                onChange={() => onChange(picked(value, pickOf(row)))}
              />
            </li>
          ))}
        </ul>
      ) : pages.loading ? (
        <Loading rows={3} />
      ) : pages.error ? (
        <Failed title="Could not load templates" error={pages.error} onRetry={pages.retry} />
      ) : (
        <NothingMatches title="No Templates Found" {...(onClear ? { onClear } : {})} />
      )}
      {pages.rows.length > 0 ? <More pages={pages} /> : null}
    </div>
  )
}

function Label({ template }: { template: Template }) {
  const uses = template.campaigns.length
  return (
    <span className={styles.label}>
      <b className={styles.templateName}>{template.name}</b>
      <span className={styles.about}>
        {typeWords(template)}
        {template.active ? '' : ' · Inactive, activated with the campaign'}
        {uses > 0 ? ` · in ${counted(uses, 'campaign', 'campaigns')}` : ''}
      </span>
    </span>
  )
}

/** Selects every template that matches, including pages not read yet; none if the list has changed in the meantime. */
function useSelectAll(filters: Matching, value: Picking['value'], onChange: Picking['onChange']) {
  const [gathering, setGathering] = useState(false)
  const asked = JSON.stringify(filters)
  const newest = useRef({ asked, value, onChange })
  newest.current = { asked, value, onChange }
  const selectAll = async () => {
    setGathering(true)
    try {
      const found = (await everyTemplate(filters)).map(pickOf)
      const now = newest.current
      if (now.asked === asked) now.onChange(pickedAll(now.value, found))
    } catch (thrown) {
      toastFailure(`Some templates could not be selected. ${thrown instanceof Error ? thrown.message : ''}`)
    } finally {
      setGathering(false)
    }
  }
  return { gathering, selectAll }
}

type Matching = { search_term: string; sms_template: boolean; email_template: boolean }

/** Every template that matches, read page by page; stops at the most a campaign can have. */
async function everyTemplate(filters: Matching) {
  const found: Template[] = []
  for (let page = 1, pages = 1; page <= pages && found.length < MOST_TEMPLATES; page++) {
    const answer = await send(contract.template.list, { ...filters, page })
    found.push(...answer.templates)
    pages = answer.page_count
  }
  return found
}
