import { Button } from '@mantine/core'
import { contract } from '@pillar/contract'
import { SEQUENCE_EVENTS, type SequenceEvent } from '@pillar/domain/campaign/sequence'
import { counted } from '@pillar/domain/text/sentence'
import { formatNumber } from '@pillar/domain/time/locale'
import { useSearch } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Icon } from '../../kit/display/Icon.tsx'
import { Page } from '../../kit/display/Page.tsx'
import { NothingYet } from '../../kit/display/states.tsx'
import { ACTIVE, activeOf } from '../../kit/list/chip/active.ts'
import { FilterChip } from '../../kit/list/chip/FilterChip.tsx'
import { ListState } from '../../kit/list/ListPage.tsx'
import { Pager } from '../../kit/list/Pager.tsx'
import { TwoPane } from '../../kit/list/pane/TwoPane.tsx'
import { SearchField } from '../../kit/list/SearchField.tsx'
import { useList } from '../../kit/list/useList.ts'
import { useCountry } from '../../session/session.ts'
import { CreateSequenceDialog } from './CreateSequenceDialog.tsx'
import styles from './PharmacySequences.module.css'
import { REMOVED } from './RecommendedSequences.tsx'
import { SequenceDetail } from './SequenceDetail.tsx'
import { SequenceGroups } from './SequenceGroups.tsx'

const EVENTS = Object.entries(SEQUENCE_EVENTS).map(([value, label]) => ({ value: value as SequenceEvent, label }))

interface Search {
  status?: string
  event?: SequenceEvent
  removed?: string
  sequence?: string
}

/** Pharmacy sequences: the list by pharmacy, and beside it the time line of one. */
export function PharmacySequences({ tabs }: { tabs: ReactNode }) {
  const country = useCountry()
  const search = useSearch({ strict: false }) as Search
  const list = useList(contract.sequenceAdmin.search, {
    ...{ id: 'location_id', one: 'sequence', many: 'sequences', sort: null },
    filters: {
      active: activeOf(search.status),
      event: search.event,
      removed: search.removed === 'yes' || undefined,
    },
  })
  const [adding, setAdding] = useState(false)
  const show = (sequence: string | undefined) => list.change({ sequence, page: list.page })
  const first = list.rows[0]?.sequences[0]?.sequence_id
  // A removed sequence has no time line until it is restored.
  const shown = search.sequence ?? (search.removed ? undefined : first)
  return (
    <Page
      title="Settings"
      actions={
        <Button variant="filled" leftSection={<Icon of={Plus} />} onClick={() => setAdding(true)}>
          Create Pharmacy Sequence
        </Button>
      }
    >
      <div className={styles.tabs}>{tabs}</div>
      <TwoPane
        listLabel="Sequences by pharmacy"
        list={
          <>
            <div className={styles.bar}>
              <SearchField
                className={styles.search}
                label="Find a sequence"
                value={list.find ?? ''}
                onChange={(find) => list.change({ find }, 'replace')}
              />
              <FilterChip field="status" label="Status" options={ACTIVE} />
              <FilterChip field="event" label="Event" options={EVENTS} />
              <FilterChip field="removed" label="Removed" options={REMOVED} />
              <span className={styles.count} aria-live="polite">
                {list.loading || list.error
                  ? ''
                  : `${formatNumber(country, list.total)} ${list.total === 1 ? 'pharmacy' : 'pharmacies'}`}
              </span>
            </div>
            {list.rows.length > 0 ? (
              <SequenceGroups places={list.rows} selected={shown} onSelect={show} />
            ) : (
              <ListState list={list} empty="Create one for a pharmacy, from a recommended sequence or from nothing." />
            )}
            {list.error && list.rows.length === 0 ? null : (
              <Pager
                {...{ country, page: list.page, pages: list.pages, perPage: list.perPage }}
                total={list.loading ? null : list.total}
                onPage={(page) => list.change({ page, sequence: undefined })}
              />
            )}
          </>
        }
        detailLabel="Sequence"
        detail={
          shown ? (
            <SequenceDetail key={shown} id={shown} onRemoved={() => show(undefined)} />
          ) : list.loading || list.error ? null : (
            <NothingYet title="No sequence selected">
              {counted(list.total, 'pharmacy matches', 'pharmacies match')}. Select a sequence to see its time line.
            </NothingYet>
          )
        }
        showDetail={search.sequence !== undefined}
        onBack={() => show(undefined)}
      />
      {adding ? (
        <CreateSequenceDialog
          onClose={(made) => {
            setAdding(false)
            if (made) show(made)
          }}
        />
      ) : null}
    </Page>
  )
}
