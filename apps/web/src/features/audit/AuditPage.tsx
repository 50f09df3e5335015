import { Button } from '@mantine/core'
import { contract } from '@pillar/contract'
import { AUDIT_COUNTED, type AuditRow } from '@pillar/contract/access/audit-admin'
import { capital, isolated } from '@pillar/domain/text/sentence'
import { NO_VALUE } from '@pillar/domain/time/locale'
import { useSearch } from '@tanstack/react-router'
import { Building2, Download, Fingerprint } from 'lucide-react'
import type { ReactNode } from 'react'
import { sendForFile } from '../../api/file.ts'
import { momentOf } from '../../kit/display/dates.ts'
import { Icon } from '../../kit/display/Icon.tsx'
import { useFile } from '../../kit/display/useFile.ts'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { useList } from '../../kit/list/useList.ts'
import { useCountry } from '../../session/session.ts'
import type { SettingsSearch } from '../settings/settings-search.ts'
import { ActDetail } from './ActDetail.tsx'
import { ActFilters } from './ActFilters.tsx'
import { AuditStatus } from './AuditStatus.tsx'
import { CompanyChip } from './CompanyChip.tsx'

/** Who did what, on which object, in which company, before and after, when and from where. */
export function AuditPage({ tabs }: { tabs: ReactNode }) {
  const country = useCountry()
  const { company, act, from, to } = useSearch({ strict: false }) as SettingsSearch
  const list = useList(contract.audit.search, {
    id: 'id',
    one: 'entry',
    many: 'entries',
    filters: { company, kind: act, from, to },
    sort: { field: 'at', order: 'desc' },
    most: AUDIT_COUNTED,
  })
  const file = useFile(() => sendForFile(contract.audit.csv, list.filter))
  return (
    <ListPage
      title="Settings"
      tabs={
        <>
          {tabs}
          <AuditStatus />
        </>
      }
      list={list}
      columns={[
        { label: 'Time', sort: 'at', cell: ({ at }) => momentOf(country, at) },
        { label: 'Person', cell: ({ person, kind }) => person?.name ?? (kind === 'patient' ? 'A patient' : NO_VALUE) },
        { label: 'What', cell: whatOf },
        { label: 'Company', cell: (row) => row.company?.name ?? NO_VALUE },
        { label: 'From', cell: ({ network }) => network ?? NO_VALUE },
      ]}
      empty="What anybody does from now on appears here."
      filters={
        <>
          <CompanyChip />
          <ActFilters />
        </>
      }
      actions={
        <Button leftSection={<Icon of={Download} />} loading={file.busy} onClick={file.save}>
          Export CSV
        </Button>
      }
      menu={(row) => [
        {
          label: 'Everything of this session',
          icon: Fingerprint,
          disabled: row.session ? undefined : 'Nobody was signed in.',
          run: () => list.change({ find: row.session ?? '' }),
        },
        {
          label: 'Only this company',
          icon: Building2,
          disabled: row.company ? undefined : 'This entry does not belong to a company.',
          run: () => list.change({ company: row.company?.uuid }),
        },
      ]}
      expand={(row) => <ActDetail act={row} facts={factsOf(row)} />}
    />
  )
}

const whatOf = ({ words, object_name }: AuditRow) =>
  `${capital(words)}${object_name ? `: ${isolated(object_name)}` : ''}`

const factsOf = (row: AuditRow) =>
  [
    ['Username', row.person?.username],
    ['Browser', row.agent],
    ['Session', row.session],
    ['Call', row.action],
    ...row.facts.map(({ label, value }) => [label, value] as const),
  ] as const
