import { contract } from '@pillar/contract'
import type { AdminDashboard } from '@pillar/contract/dashboard-admin'
import { RESTORE_DAYS } from '@pillar/domain/company/removal'
import { DASHBOARD_TYPES, type DashboardType } from '@pillar/domain/dashboard/dashboard'
import { useSearch } from '@tanstack/react-router'
import { CirclePause, CirclePlay, Pencil, RotateCcw, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { useWrite } from '../../api/client.ts'
import { dayOf } from '../../kit/display/dates.ts'
import { Status } from '../../kit/display/status.tsx'
import { Tag } from '../../kit/display/Tag.tsx'
import { toast } from '../../kit/display/toast.tsx'
import { type Act, start } from '../../kit/list/acts.tsx'
import { ACTIVE, activeOf } from '../../kit/list/chip/active.ts'
import { FilterChip } from '../../kit/list/chip/FilterChip.tsx'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { useEdited } from '../../kit/list/page/useEdited.tsx'
import { useList } from '../../kit/list/useList.ts'
import { useCountry } from '../../session/session.ts'
import { DashboardDialog, TYPES } from './DashboardDialog.tsx'

const REMOVED = [{ value: 'yes', label: 'Removed' }] as const

/** The dashboards of the analytics server that companies see under Analytics. */
export function DashboardsPage({ tabs }: { tabs: ReactNode }) {
  const country = useCountry()
  const search = useSearch({ strict: false }) as { status?: string; dashboard?: DashboardType; removed?: string }
  const list = useList(contract.dashboard.search, {
    ...{ id: 'id', one: 'dashboard', many: 'dashboards', find: 'name' },
    filters: {
      dashboard_type: search.dashboard,
      active: activeOf(search.status),
      removed: search.removed === 'yes' || undefined,
    },
  })
  const edited = useEdited<AdminDashboard>('Create Dashboard', (row, close) => (
    <DashboardDialog row={row} onClose={close} />
  ))
  const acts = useDashboardActs(list.rows, edited.edit)
  return (
    <>
      <ListPage
        title="Settings"
        tabs={tabs}
        list={list}
        columns={[
          { label: 'Dashboard', sort: 'name', cell: ({ name }) => name },
          { label: 'Company', sort: 'company', cell: ({ company }) => company },
          { label: 'Type', sort: 'dashboard_type', cell: (row) => DASHBOARD_TYPES[row.dashboard_type] },
          { label: 'Domain URL', cell: addressOf },
          { label: 'Production', cell: ({ production }) => (production ? 'Yes' : 'No') },
          { label: 'Status', sort: 'active', cell: (row) => <Status word={row.active ? 'Active' : 'Inactive'} /> },
          { label: 'Added', sort: 'created_at', num: true, cell: (row) => dayOf(country, row.created_at) },
        ]}
        empty="Create a dashboard, and its company will see it under Analytics."
        actions={edited.button}
        filters={
          <>
            <FilterChip field="dashboard" label="Type" options={TYPES} />
            <FilterChip field="status" label="Status" options={ACTIVE} />
            <FilterChip field="removed" label="Removed" options={REMOVED} />
          </>
        }
        menu={acts}
      />
      {edited.dialog}
    </>
  )
}

function useDashboardActs(rows: readonly AdminDashboard[], edit: (row: AdminDashboard) => void) {
  const named = (id: string) => {
    const row = rows.find((one) => one.id === id)
    return { name: row?.name ?? 'the dashboard', company: row?.company ?? 'Its company' }
  }
  const restore = useWrite(contract.dashboard.restore, { done: 'Dashboard restored' })
  const turn = useWrite(contract.dashboard.edit, {
    ask: ({ id, active }) => ({
      title: `${active ? 'Activate' : 'Deactivate'} ${named(id).name}?`,
      consequence: active
        ? `${named(id).company} sees it under Analytics.`
        : `${named(id).company} no longer sees it under Analytics. You can activate it again.`,
      button: `${active ? 'Activate' : 'Deactivate'} dashboard`,
    }),
    done: 'Dashboard Updated Successfully',
    rereads: true,
  })
  const remove = useWrite(contract.dashboard.remove, {
    ask: ({ id }) => ({
      title: `Remove ${named(id).name}?`,
      consequence: `Are you sure you want to remove this dashboard? ${named(id).company} no longer sees it. You can restore it for ${RESTORE_DAYS} days.`,
      button: 'Remove dashboard',
      danger: true,
    }),
  })
  return (row: AdminDashboard): Act[] =>
    row.removed_at
      ? [{ label: 'Restore', icon: RotateCcw, run: () => restore.mutateAsync({ id: row.id }) }]
      : [
          { label: 'Edit', icon: Pencil, run: () => edit(row) },
          {
            label: row.active ? 'Deactivate' : 'Activate',
            icon: row.active ? CirclePause : CirclePlay,
            run: () => turn.mutateAsync({ id: row.id, active: !row.active, version: row.version }),
          },
          {
            label: 'Remove',
            icon: Trash2,
            danger: true,
            run: async () => {
              if (!(await remove.mutateAsync({ id: row.id }))) return
              const undo = () => start({ run: () => restore.mutateAsync({ id: row.id }) })
              toast('Dashboard removed', { action: { label: 'Undo', run: undo } })
            },
          },
        ]
}

const addressOf = ({ domain_url, host_allowed }: AdminDashboard) =>
  host_allowed ? (
    domain_url
  ) : (
    <>
      {domain_url} <Tag tone="caution">Host not allowed, not shown</Tag>
    </>
  )
