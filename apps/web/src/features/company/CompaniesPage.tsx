import { Button } from '@mantine/core'
import { contract } from '@pillar/contract'
import type { Company } from '@pillar/contract/company-admin'
import { formatNumber, NO_VALUE } from '@pillar/domain/time/locale'
import { Pencil, Plus, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useWrite } from '../../api/client.ts'
import { dayOf } from '../../kit/display/dates.ts'
import { Icon } from '../../kit/display/Icon.tsx'
import { capital } from '../../kit/form/problems.ts'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { useList } from '../../kit/list/useList.ts'
import { useCountry } from '../../session/session.ts'
import { CompanyDetails } from './CompanyDetails.tsx'
import { CompanyDialog, FEATURES } from './CompanyDialog.tsx'

/** The customers: each opens to its pharmacies and people. */
export function CompaniesPage({ tabs }: { tabs: ReactNode }) {
  const country = useCountry()
  const list = useList(contract.company.search, { id: 'uuid', one: 'company', many: 'companies', find: 'name' })
  const [edited, setEdited] = useState<Company | 'new' | null>(null)
  const figure = (count: number) => formatNumber(country, count || null)
  const nameOf = (id: string) => list.rows.find(({ uuid }) => uuid === id)?.name ?? 'the company'
  const remove = useWrite(contract.company.remove, {
    ask: ({ uuid }) => ({
      title: `Remove ${nameOf(uuid)}?`,
      consequence: 'Are you sure you want to remove this company? Its logins can no longer sign in. Its records stay.',
      button: 'Remove company',
      danger: true,
    }),
    done: 'Company removed',
  })
  return (
    <>
      <ListPage
        title="Settings"
        tabs={tabs}
        list={list}
        columns={[
          { label: 'Company', sort: 'name', cell: ({ name }) => name },
          { label: 'Type', cell: ({ type }) => capital(type) },
          { label: 'Pharmacies', sort: 'locations', num: true, cell: (row) => figure(row.locations) },
          { label: 'Users', sort: 'logins', num: true, cell: (row) => figure(row.logins) },
          { label: 'Features', cell: (row) => featuresOf(row) },
          { label: 'Added', sort: 'created_at', num: true, cell: (row) => dayOf(country, row.created_at) },
        ]}
        empty="Create a company, then its pharmacies and users."
        actions={
          <Button leftSection={<Icon of={Plus} />} onClick={() => setEdited('new')}>
            Create Company
          </Button>
        }
        menu={(row) => [
          { label: 'Edit', icon: Pencil, run: () => setEdited(row) },
          { label: 'Remove', icon: Trash2, danger: true, run: () => remove.mutateAsync({ uuid: row.uuid }) },
        ]}
        expand={(row) => <CompanyDetails company={row} />}
      />
      {edited ? <CompanyDialog row={edited === 'new' ? null : edited} onClose={() => setEdited(null)} /> : null}
    </>
  )
}

const featuresOf = (row: Company) =>
  FEATURES.filter(({ name }) => row[name])
    .map(({ label }) => label)
    .join(', ') || NO_VALUE
