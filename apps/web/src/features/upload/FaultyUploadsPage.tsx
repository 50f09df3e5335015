import { Button } from '@mantine/core'
import { contract } from '@pillar/contract'
import { FAULTY_PER_PAGE, type FaultyPharmacy } from '@pillar/contract/upload/etl-faulty'
import { formatNumber, NO_VALUE } from '@pillar/domain/time/locale'
import { useSearch } from '@tanstack/react-router'
import { History, RotateCw, Send } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { dayOf, momentIn, momentOf } from '../../kit/display/dates.ts'
import { Icon } from '../../kit/display/Icon.tsx'
import { Status, statusWord } from '../../kit/display/status.tsx'
import { Tag } from '../../kit/display/Tag.tsx'
import type { Column } from '../../kit/list/data-table.ts'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { useList } from '../../kit/list/useList.ts'
import { useCountry } from '../../session/session.ts'
import { FaultyFilters } from './FaultyFilters.tsx'
import { FaultyPictures } from './FaultyPictures.tsx'
import { FaultyStats } from './FaultyStats.tsx'
import { type FaultyAnswer, type FaultySearch, filtersOf } from './faulty-search.ts'
import { restWords, silentWords, sourceName, why } from './faulty-words.ts'
import { UploadHistoryDialog } from './UploadHistoryDialog.tsx'
import { useRequests } from './useRequests.ts'
import { useWorkActs } from './useWorkActs.tsx'

/** Pharmacies whose uploads need somebody: how many, why, and what to do next. */
export function FaultyUploadsPage({ tabs }: { tabs: ReactNode }) {
  const country = useCountry()
  const search = useSearch({ strict: false }) as FaultySearch
  const list = useList(contract.etl.faulty, {
    ...{ id: 'id', one: 'pharmacy', many: 'pharmacies', sizes: FAULTY_PER_PAGE },
    sort: { field: 'status', order: 'desc' },
    ...filtersOf(search),
  })
  const answer = list.answer as FaultyAnswer | undefined
  const [opened, setOpened] = useState<FaultyPharmacy | null>(null)
  const work = useWorkActs()
  const request = useRequests()
  const columns: readonly Column<FaultyPharmacy>[] = [
    { label: 'Pharmacy', sort: 'name', cell: ({ name }) => name, sub: ({ company }) => company.name },
    { label: 'Status', sort: 'status', cell: ({ status }) => <Status word={statusWord(status)} /> },
    { label: 'Why', cell: (row) => why(country, row), sub: (row) => sourceName(row.data_source) },
    { label: 'Next step', cell: ({ next_step }) => next_step, sub: (row) => <Work row={row} /> },
    {
      label: 'Last upload',
      sort: 'upload_time',
      cell: (row) => (row.upload_time ? momentIn(country, row.time_zone, row.upload_time) : NO_VALUE),
    },
    {
      label: 'Last good one',
      sort: 'last_successful_upload_on',
      cell: (row) => dayOf(country, row.last_successful_upload_on),
      sub: ({ silent_days }) => silentWords(silent_days),
    },
  ]
  return (
    <>
      <ListPage
        title="Settings"
        tabs={
          <>
            {tabs}
            {answer ? <FaultyStats answer={answer} search={search} /> : null}
          </>
        }
        list={list}
        columns={columns}
        empty="Every pharmacy with StrongPro has uploaded in time."
        actions={
          <>
            {answer ? <span className="muted">Checked {momentOf(country, answer.checked_at)}</span> : null}
            <Button leftSection={<Icon of={RotateCw} />} onClick={list.retry}>
              Check again
            </Button>
          </>
        }
        filters={<FaultyFilters search={search} snoozed={answer?.snoozed ?? 0} />}
        aside={answer ? <FaultyPictures answer={answer} /> : null}
        menu={(row) => [
          { label: 'Pharmacy Upload History', icon: History, run: () => setOpened(row) },
          { label: 'Request upload', icon: Send, run: () => request([row]) },
          ...work.acts(row),
        ]}
        batch={({ rows, filter, count, clear }) => [
          {
            label: `Request upload from ${formatNumber(country, count)} ${count === 1 ? 'pharmacy' : 'pharmacies'}`,
            icon: Send,
            run: () => request(rows).then(clear),
            ...(filter ? { disabled: 'Select the pharmacies to ask, at most one page at a time.' } : {}),
          },
        ]}
      />
      {work.dialog}
      {opened ? <UploadHistoryDialog id={opened.id} name={opened.name} onClose={() => setOpened(null)} /> : null}
    </>
  )
}

/** Who it is assigned to, the note, and how long it is snoozed. */
function Work({ row }: { row: FaultyPharmacy }) {
  const country = useCountry()
  const rests = restWords(country, row, new Date())
  return (
    <>
      {row.assigned_to ? <Tag tone="outline">{row.assigned_to.name}</Tag> : null}{' '}
      {[row.note, rests].filter(Boolean).join(' · ')}
    </>
  )
}
