import { Button } from '@mantine/core'
import type { Template } from '@pillar/contract/template/template'
import { counted } from '@pillar/domain/text/sentence'
import { Plus } from 'lucide-react'
import type { Pages } from '../../api/pages.ts'
import { Icon } from '../../kit/display/Icon.tsx'
import { NothingMatches, NothingYet } from '../../kit/display/states.tsx'
import { Segments } from '../../kit/form/Segments.tsx'
import { ListPane } from '../../kit/list/pane/ListPane.tsx'
import { ListTotal } from '../../kit/list/pane/ListTotal.tsx'
import { SearchField } from '../../kit/list/SearchField.tsx'
import styles from './Template.module.css'
import { TemplateTags } from './TemplateTags.tsx'
import { typeWords } from './template-words.ts'

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
export type TemplateType = (typeof TYPES)[number]['value']

/** The list's filters: names containing `search`, and one status and type or all. */
interface Filters {
  search: string
  status: (typeof STATUSES)[number]['value']
  type: TemplateType
}
const NONE: Filters = { search: '', status: 'all', type: 'all' }

interface TemplatesDialogListProps {
  pages: Pages<Template>
  selected: string | null
  filters: Filters
  onFilters: (filters: Filters) => void
  onSelect: (id: string) => void
  onNew: () => void
}

/** The left pane: New, search, status, type, and the templates; the next page loads at the end. */
export function TemplatesDialogList({
  pages,
  selected,
  filters,
  onFilters,
  onSelect,
  onNew,
}: TemplatesDialogListProps) {
  const { search, status, type } = filters
  const filtered = search !== '' || status !== 'all' || type !== 'all'
  return (
    <>
      <Tools pages={pages} filters={filters} onFilters={onFilters} onNew={onNew} />
      <ListPane
        label="Templates"
        compact
        pages={pages}
        idOf={({ template_id }) => template_id}
        selected={selected}
        onSelect={onSelect}
        item={(template) => <TemplateItem template={template} />}
        what="templates"
        empty={
          filtered ? (
            <NothingMatches title="No Templates Found" onClear={() => onFilters(NONE)} />
          ) : (
            <NothingYet title="No templates yet" action={<Button onClick={onNew}>New template</Button>}>
              A template is the text a campaign sends.
            </NothingYet>
          )
        }
      />
    </>
  )
}

/** The list's tools and filters. */
function Tools({ pages, filters, onFilters, onNew }: Omit<TemplatesDialogListProps, 'selected' | 'onSelect'>) {
  const { search, status, type } = filters
  return (
    <div className={styles.tools}>
      <div className={styles.row}>
        <SearchField
          className={styles.grow}
          label="Find a template"
          value={search}
          onChange={(term) => onFilters({ ...filters, search: term })}
        />
        <Button variant="filled" leftSection={<Icon of={Plus} />} onClick={onNew}>
          New
        </Button>
      </div>
      <div className={styles.row}>
        <Segments
          label="Status"
          options={STATUSES}
          value={status}
          onChange={(value) => onFilters({ ...filters, status: value })}
        />
        <ListTotal total={pages.total} one="template" many="templates" />
      </div>
      <Segments
        label="Type"
        options={TYPES}
        value={type}
        onChange={(value) => onFilters({ ...filters, type: value })}
      />
    </div>
  )
}

function TemplateItem({ template }: { template: Template }) {
  const uses = template.campaigns.length
  return (
    <>
      <span className={styles.name}>{template.name}</span>
      <span className={styles.tags}>
        <TemplateTags active={template.active} recommended={template.template_recommendation_id !== null} />
        <span className={styles.state}>{typeWords(template)}</span>
        {uses > 0 ? <span className={styles.state}>{counted(uses, 'campaign', 'campaigns')}</span> : null}
      </span>
    </>
  )
}
