import { contract } from '@pillar/contract'
import type { RecruiterProvider } from '@pillar/contract/trial/recruiter-admin'
import { RECRUITER_TYPES, type RecruiterType } from '@pillar/domain/trial/recruiter'
import { useSearch } from '@tanstack/react-router'
import { Pencil } from 'lucide-react'
import type { ReactNode } from 'react'
import { FilterChip } from '../../kit/list/chip/FilterChip.tsx'
import type { Column } from '../../kit/list/data-table.ts'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { useEdited } from '../../kit/list/page/useEdited.tsx'
import { useList } from '../../kit/list/useList.ts'
import { RecruiterDialog } from './RecruiterDialog.tsx'

const COLUMNS: readonly Column<RecruiterProvider>[] = [
  { label: 'Name', sort: 'name', cell: ({ name }) => name },
  { label: 'Type', sort: 'type', cell: (row) => RECRUITER_TYPES[row.recruiter_or_provider] },
  { label: 'Phone', cell: ({ phone }) => phone },
  { label: 'Email', cell: ({ email }) => email },
  { label: 'Website', cell: ({ website }) => website.replace(/^https:\/\/|\/$/g, '') },
]
const TYPES = Object.entries(RECRUITER_TYPES).map(([value, label]) => ({ value, label }))

/** Recruiters and providers of clinical trials. */
export function RecruitersPage({ tabs }: { tabs: ReactNode }) {
  const { recruiter } = useSearch({ strict: false }) as { recruiter?: RecruiterType }
  const list = useList(contract.recruiterProvider.search, {
    ...{ id: 'recruiter_provider_id', one: 'recruiter or provider', many: 'recruiters and providers', find: 'name' },
    filters: { recruiter_provider: recruiter },
  })
  const edited = useEdited<RecruiterProvider>('Create Recruiter / Provider', (row, close) => (
    <RecruiterDialog row={row} onClose={close} />
  ))
  return (
    <>
      <ListPage
        title="Settings"
        tabs={tabs}
        list={list}
        columns={COLUMNS}
        empty="Create a recruiter and a provider, then trials can choose them."
        actions={edited.button}
        filters={<FilterChip field="recruiter" label="Type" options={TYPES} />}
        menu={(row) => [{ label: 'Edit', icon: Pencil, run: () => edited.edit(row) }]}
      />
      {edited.dialog}
    </>
  )
}
