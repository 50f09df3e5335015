import { Button } from '@mantine/core'
import type { Template } from '@pillar/contract/template'
import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Icon } from '../../kit/Icon.tsx'
import { ListPane } from '../../kit/ListPane.tsx'
import { SearchField } from '../../kit/SearchField.tsx'
import { Segments } from '../../kit/Segments.tsx'
import { Loading, NothingMatches, NothingYet } from '../../kit/states.tsx'
import { TwoPane } from '../../kit/TwoPane.tsx'
import { useSmall } from '../../kit/useSmall.ts'
import { WideDialog } from '../../kit/WideDialog.tsx'
import type { DialogProps } from './dialogs.tsx'
import styles from './Template.module.css'
import { TemplateDetail } from './TemplateDetail.tsx'
import { TemplateTags } from './TemplateTags.tsx'
import { switchLabel, typeWords } from './template-words.ts'
import { useDialogFilters } from './useDialogFilters.ts'
import { useTemplateActions } from './useTemplateActions.ts'
import { useFound, useTemplates } from './useTemplates.ts'

const STATUSES = [
  { value: 'all', label: 'All' },
  { value: 'active', label: 'Active' },
  { value: 'inactive', label: 'Inactive' },
] as const
const TYPES = [
  { value: 'all', label: 'All types' },
  { value: 'sms', label: 'SMS' },
  { value: 'email', label: 'Email' },
] as const
type Type = (typeof TYPES)[number]['value']

const idOf = (template: Template) => template.template_id

/** All templates of the company: a list with search and filters, and what was picked from it. */
export function TemplatesDialog({ search, close, open }: DialogProps) {
  const [type, setType] = useState<Type>('all')
  const filter = useDialogFilters('templates', search)
  const term = String(search.search ?? '')
  const status = search.status ?? 'all'
  const pages = useTemplates({
    search_term: term,
    active: status === 'all' ? null : status === 'active',
    sms_template: type === 'sms',
    email_template: type === 'email',
  })
  const { row, looking } = useFound(pages, search.template, idOf)
  const shown = row ?? (looking ? null : (pages.rows[0] ?? null))
  const small = useSmall()
  // On a small screen the buttons belong to the template in view, not to one in a list.
  const footed = small && search.template === undefined ? null : shown
  const actions = useTemplateActions(shown, () => filter({ template: undefined }))
  const filtered = term !== '' || status !== 'all' || type !== 'all'
  const clear = () => {
    setType('all')
    filter({ search: undefined, status: undefined })
  }
  const list = (
    <>
      <div className={styles.tools}>
        <div className={styles.row}>
          <SearchField
            className={styles.grow}
            label="Find a template"
            value={term}
            onChange={(text) => filter({ search: text || undefined, template: undefined })}
          />
          <Button variant="filled" leftSection={<Icon of={Plus} />} onClick={() => open('new-template')}>
            New
          </Button>
        </div>
        <div className={styles.row}>
          <Segments
            label="Status"
            options={STATUSES}
            value={status}
            onChange={(value) => filter({ status: value === 'all' ? undefined : value, template: undefined })}
          />
          <span className={styles.count} role="status">
            {pages.loading ? '' : pages.total}
          </span>
        </div>
        <Segments label="Type" options={TYPES} value={type} onChange={setType} />
      </div>
      <ListPane
        label="Templates"
        pages={pages}
        idOf={idOf}
        selected={shown?.template_id ?? null}
        onSelect={(id) => filter({ template: id })}
        item={(template) => <TemplateItem template={template} />}
        failed="Could not load templates"
        empty={
          filtered ? (
            <NothingMatches title="No Templates Found" onClear={clear} />
          ) : (
            <NothingYet
              title="No templates yet"
              action={
                <Button variant="filled" onClick={() => open('new-template')}>
                  New template
                </Button>
              }
            >
              A template is the text a campaign sends.
            </NothingYet>
          )
        }
      />
    </>
  )
  return (
    <WideDialog
      opened
      onClose={close}
      title="Templates"
      error={actions.error}
      footLeft={
        footed && !footed.demo ? (
          <Button
            variant="subtle"
            className={styles.delete}
            leftSection={<Icon of={Trash2} size={15} />}
            disabled={actions.busy}
            onClick={actions.erase}
          >
            {actions.deleting ? 'Deleting...' : 'Delete…'}
          </Button>
        ) : null
      }
      foot={
        footed ? (
          <Button variant={footed.active ? 'default' : 'filled'} aria-disabled={actions.busy} onClick={actions.toggle}>
            {switchLabel(footed.active, actions.switching)}
          </Button>
        ) : null
      }
    >
      <TwoPane
        list={list}
        listLabel="List of templates"
        detailLabel="Template"
        showDetail={search.template !== undefined && shown !== null}
        onBack={() => filter({ template: undefined })}
        detail={
          shown ? (
            <TemplateDetail template={shown} onEdit={() => open('edit-template', { template: shown.template_id })} />
          ) : looking ? (
            <Loading rows={4} />
          ) : pages.rows.length === 0 && !pages.loading ? (
            <NothingYet title="No template selected" />
          ) : null
        }
      />
    </WideDialog>
  )
}

function TemplateItem({ template }: { template: Template }) {
  const uses = template.campaigns.length
  return (
    <>
      <span className={styles.name}>{template.name}</span>
      <span className={styles.tags}>
        <TemplateTags active={template.active} recommended={template.template_recommendation_id !== null} />
      </span>
      <span className={styles.line}>
        {typeWords(template)}
        {uses > 0 ? ` · ${uses === 1 ? '1 campaign' : `${uses} campaigns`}` : ''}
      </span>
    </>
  )
}
