import { Button } from '@mantine/core'
import { contract } from '@pillar/contract'
import type { AdminTemplate } from '@pillar/contract/template/template-admin'
import { NO_VALUE } from '@pillar/domain/time/locale'
import { useSearch } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { dayOf } from '../../../kit/display/dates.ts'
import { Icon } from '../../../kit/display/Icon.tsx'
import { Status } from '../../../kit/display/status.tsx'
import { Tag } from '../../../kit/display/Tag.tsx'
import { FilterChip } from '../../../kit/list/chip/FilterChip.tsx'
import { ListPage } from '../../../kit/list/ListPage.tsx'
import { REMOVED } from '../../../kit/list/removed.ts'
import { only } from '../../../kit/list/selection.ts'
import { useList } from '../../../kit/list/useList.ts'
import { useCountry } from '../../../session/session.ts'
import { CreateCompanyTemplate, CreateGlobalTemplate, EditTemplates } from './AdminTemplateDialog.tsx'
import { type Edited, nameOfType, TYPES } from './template-admin.ts'
import { useTemplateActs } from './useTemplateActs.tsx'

const STATUS = [
  { value: 'active', label: 'Active' },
  { value: 'inactive', label: 'Inactive' },
] as const
const KIND = [
  { value: 'enterprise', label: 'Enterprise' },
  { value: 'pharmacy', label: 'Pharmacy' },
] as const

/** Templates of companies, or those of no company, for trials and sequences. */
export function CompanyTemplates({ tabs, global }: { tabs: ReactNode; global: boolean }) {
  const country = useCountry()
  const search = useSearch({ strict: false }) as {
    type?: AdminTemplate['type']
    status?: string
    kind?: string
    removed?: string
  }
  const word = global ? 'global template' : 'company template'
  const list = useList(contract.templateAdmin.search, {
    id: 'uuid',
    one: word,
    many: `${word}s`,
    within: { global_template: global },
    filters: {
      type: search.type,
      active: search.status && search.status === 'active',
      enterprise_template: search.kind && search.kind === 'enterprise',
      removed: search.removed ? true : undefined,
    } as { type?: AdminTemplate['type']; active?: boolean; enterprise_template?: boolean; removed?: boolean },
  })
  const [edited, setEdited] = useState<Edited | 'new' | null>(null)
  const acts = useTemplateActs(setEdited)
  const Create = global ? CreateGlobalTemplate : CreateCompanyTemplate
  const close = () => setEdited(null)
  return (
    <>
      <ListPage
        title="Settings"
        tabs={tabs}
        list={list}
        columns={[
          { label: 'Name', sort: 'name', cell: ({ name }) => name },
          { label: 'Type', sort: 'type', cell: ({ type }) => nameOfType(type) },
          global
            ? { label: 'Attachments', cell: attachmentsOf }
            : { label: 'Company', sort: 'company', cell: ({ company }) => company?.name ?? NO_VALUE },
          ...(global ? [] : [{ label: 'Made for', cell: madeFor }]),
          { label: 'Status', sort: 'active', cell: ({ active }) => <Status word={active ? 'Active' : 'Inactive'} /> },
          { label: 'Updated', sort: 'updated_at', num: true, cell: (row) => dayOf(country, row.updated_at) },
        ]}
        empty={`Create a ${word}.`}
        actions={
          <Button variant="filled" leftSection={<Icon of={Plus} />} onClick={() => setEdited('new')}>
            {global ? 'Create Global Template' : 'Create Company Template'}
          </Button>
        }
        filters={
          <>
            <FilterChip field="type" label="Type" options={TYPES} />
            <FilterChip field="status" label="Status" options={STATUS} />
            {global ? null : <FilterChip field="kind" label="Made for" options={KIND} />}
            <FilterChip field="removed" label="Deleted" options={REMOVED} />
          </>
        }
        menu={(row) => acts(only(row))}
        batch={acts}
      />
      {edited === 'new' ? <Create onClose={close} /> : null}
      {edited && edited !== 'new' ? <EditTemplates edited={edited} onClose={close} /> : null}
    </>
  )
}

const madeFor = (row: AdminTemplate) => <Tag tone="outline">{row.enterprise_template ? 'Enterprise' : 'Pharmacy'}</Tag>

const attachmentsOf = ({ clinical_trials, sequences }: AdminTemplate) =>
  clinical_trials.length + sequences.length === 0
    ? NO_VALUE
    : [...clinical_trials, ...sequences].map(({ id, name }) => (
        <Tag key={id} tone="outline">
          {name}
        </Tag>
      ))
