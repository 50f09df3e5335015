import { contract } from '@pillar/contract'
import { type Activity, AUDIT_COUNTED } from '@pillar/contract/access/audit-admin'
import { isolated } from '@pillar/domain/text/sentence'
import { useSearch } from '@tanstack/react-router'
import { momentOf } from '../../kit/display/dates.ts'
import { FilterChip } from '../../kit/list/chip/FilterChip.tsx'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { useList } from '../../kit/list/useList.ts'
import { useCountry } from '../../session/session.ts'
import { ActDetail } from './ActDetail.tsx'
import { ActFilters } from './ActFilters.tsx'
import type { ActivitySearch } from './act-search.ts'

const BY = [
  { value: 'support', label: 'Support' },
  { value: 'company', label: 'Your company' },
] as const

/** The company's own log, for its head office: who did what, and what support looked at or changed. */
export function ActivityPage() {
  const country = useCountry()
  const { by, act, from, to } = useSearch({ strict: false }) as ActivitySearch
  const list = useList(contract.audit.activity, {
    id: 'id',
    one: 'entry',
    many: 'entries',
    find: null,
    filters: { by, kind: act, from, to },
    sort: { field: 'at', order: 'desc' },
    most: AUDIT_COUNTED,
  })
  return (
    <ListPage
      title="Activity"
      list={list}
      columns={[
        { label: 'What', cell: sentenceOf },
        { label: 'Time', sort: 'at', num: true, cell: ({ at }) => momentOf(country, at) },
      ]}
      empty="Everything people do in your company appears here."
      filters={
        <>
          <FilterChip field="by" label="By" options={BY} />
          <ActFilters />
        </>
      }
      expand={(row) => <ActDetail act={row} facts={[]} />}
    />
  )
}

/** 'Pillar support looked at 3 messages: ticket 1182'. */
const sentenceOf = ({ who, words, object_name, reason }: Activity) =>
  `${isolated(who)} ${words}${object_name ? ` (${isolated(object_name)})` : ''}${reason ? `: ${reason}` : ''}`
