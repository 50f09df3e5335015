import { Button } from '@mantine/core'
import { contract } from '@pillar/contract'
import { FAULTY_PER_PAGE, type FaultyPharmacy } from '@pillar/contract/upload/etl-faulty'
import { formatNumber, NO_VALUE } from '@pillar/domain/time/locale'
import { useSearch } from '@tanstack/react-router'
import { Download, History, RotateCw, Send } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { send } from '../../api/client.ts'
import { dayOf, momentOf, partsIn } from '../../kit/display/dates.ts'
import { Icon } from '../../kit/display/Icon.tsx'
import { AsAt } from '../../kit/display/PageHead.tsx'
import { Status, statusWord } from '../../kit/display/status.tsx'
import { Tag } from '../../kit/display/Tag.tsx'
import { useFile } from '../../kit/display/useFile.ts'
import type { Column } from '../../kit/list/data-table.ts'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { only } from '../../kit/list/selection.ts'
import { useList } from '../../kit/list/useList.ts'
import { useCountry } from '../../session/session.ts'
import { FaultyFilters } from './FaultyFilters.tsx'
import { FaultyPictures } from './FaultyPictures.tsx'
import { FaultyStats } from './FaultyStats.tsx'
import { type FaultySearch, filtersOf } from './faulty-search.ts'
import { restWords, silentWords, sourceName, why } from './faulty-words.ts'
import styles from './Upload.module.css'
import { UploadHistoryDialog } from './UploadHistoryDialog.tsx'
import { useRequests } from './useRequests.tsx'
import { useWorkActs } from './useWorkActs.tsx'

/** Pharmacies whose uploads need attention: how many, why, and what to do next. */
export function FaultyUploadsPage({ tabs }: { tabs: ReactNode }) {
  const country = useCountry()
  const search = useSearch({ strict: false }) as FaultySearch
  const list = useList(contract.etl.faulty, {
    ...{ id: 'id', one: 'pharmacy', many: 'pharmacies', sizes: FAULTY_PER_PAGE },
    sort: { field: 'status', order: 'desc' },
    ...filtersOf(search),
  })
  const { answer } = list
  const [opened, setOpened] = useState<FaultyPharmacy | null>(null)
  const file = useFile(() => send(contract.etl.faultyCsv, list.filter))
  const work = useWorkActs()
  const requests = useRequests()
  const columns: readonly Column<FaultyPharmacy>[] = [
    {
      label: 'Pharmacy',
      sort: 'name',
      cell: ({ name }) => name,
      sub: (row) => (
        <>
          {row.company.name}
          <br />
          {sourceName(row.data_source)}
        </>
      ),
    },
    { label: 'Status', sort: 'status', cell: ({ status }) => <Status word={statusWord(status)} /> },
    {
      label: 'Why, and what next',
      width: 300,
      cell: (row) => why(country, row),
      sub: (row) => (
        <>
          {row.next_step}
          <Work row={row} />
        </>
      ),
    },
    {
      label: 'Last upload',
      sort: 'upload_time',
      cell: (row) => (row.upload_time ? partsIn(country, row.time_zone, row.upload_time)[0] : NO_VALUE),
      sub: (row) => (row.upload_time ? partsIn(country, row.time_zone, row.upload_time)[1] : null),
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
        asAt={answer ? <AsAt texts={[`Checked ${momentOf(country, answer.checked_at)}`]} /> : null}
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
            <Button leftSection={<Icon of={Download} />} loading={file.busy} onClick={file.save}>
              Export CSV
            </Button>
            <Button leftSection={<Icon of={RotateCw} />} onClick={list.retry}>
              Check again
            </Button>
          </>
        }
        filters={<FaultyFilters search={search} snoozed={answer?.snoozed} />}
        aside={answer ? <FaultyPictures answer={answer} /> : null}
        menu={(row) => [
          { label: 'Pharmacy Upload History', icon: History, run: () => setOpened(row) },
          { label: 'Request upload', icon: Send, run: () => requests.request(only(row)) },
          ...work.acts(row),
        ]}
        batch={(selected) => [
          {
            label: `Request upload from ${formatNumber(country, selected.count)} ${selected.count === 1 ? 'pharmacy' : 'pharmacies'}`,
            icon: Send,
            run: async () => {
              if (await requests.request(selected)) selected.clear()
            },
          },
        ]}
      />
      {work.dialog}
      {requests.dialog}
      {opened ? <UploadHistoryDialog id={opened.id} name={opened.name} onClose={() => setOpened(null)} /> : null}
    </>
  )
}

/** The person it is assigned to, the note, and how long it is snoozed. */
function Work({ row }: { row: FaultyPharmacy }) {
  const country = useCountry()
  const rests = restWords(country, row, new Date())
  if (!row.assigned_to && !row.note && !rests) return null
  return (
    <span className={styles.work}>
      {row.assigned_to ? <Tag tone="outline">{row.assigned_to.name}</Tag> : null}{' '}
      {[row.note, rests].filter(Boolean).join(' · ')}
    </span>
  )
}
