import { contract } from '@pillar/contract'
import type { AdminTemplate } from '@pillar/contract/template/template-admin'
import { NO_VALUE } from '@pillar/domain/time/locale'
import { useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { dayOf } from '../../../kit/display/dates.ts'
import { Status } from '../../../kit/display/status.tsx'
import { Tag } from '../../../kit/display/Tag.tsx'
import { ACTIVE, activeOf } from '../../../kit/list/chip/active.ts'
import { FilterChip } from '../../../kit/list/chip/FilterChip.tsx'
import { ListPage } from '../../../kit/list/ListPage.tsx'
import { useEdited } from '../../../kit/list/page/useEdited.tsx'
import { REMOVED } from '../../../kit/list/removed.ts'
import { only } from '../../../kit/list/selection.ts'
import { useList } from '../../../kit/list/useList.ts'
import { useCountry } from '../../../session/session.ts'
import { CreateCompanyTemplate, CreateGlobalTemplate, EditTemplates } from './AdminTemplateDialog.tsx'
import { type Edited, nameOfType, TYPES } from './template-admin.ts'
import { useTemplateActs } from './useTemplateActs.tsx'

const KIND = [
  { value: 'enterprise', label: 'Enterprise' },
  { value: 'pharmacy', label: 'Pharmacy' },
] as const

/** Templates of companies. */
export const CompanyTemplates = ({ tabs }: { tabs: ReactNode }) => <Templates tabs={tabs} global={false} />

/** Templates without a company, for trials and sequences. */
export const GlobalTemplates = ({ tabs }: { tabs: ReactNode }) => <Templates tabs={tabs} global />

function Templates({ tabs, global }: { tabs: ReactNode; global: boolean }) {
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
      active: activeOf(search.status),
      enterprise_template: search.kind === undefined ? undefined : search.kind === 'enterprise',
      removed: search.removed ? true : undefined,
    },
  })
  const Create = global ? CreateGlobalTemplate : CreateCompanyTemplate
  const edited = useEdited<Edited>(global ? 'Create Global Template' : 'Create Company Template', (row, close) =>
    row ? (
      <EditTemplates edited={row} use={global ? 'trial' : 'company'} onClose={close} />
    ) : (
      <Create onClose={close} />
    ),
  )
  const acts = useTemplateActs(edited.edit)
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
        actions={edited.button}
        filters={
          <>
            <FilterChip field="type" label="Type" options={TYPES} />
            <FilterChip field="status" label="Status" options={ACTIVE} />
            {global ? null : <FilterChip field="kind" label="Made for" options={KIND} />}
            <FilterChip field="removed" label="Deleted" options={REMOVED} />
          </>
        }
        menu={(row) => acts(only(row))}
        batch={acts}
      />
      {edited.dialog}
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
