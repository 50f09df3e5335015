import { contract } from '@pillar/contract'
import { formatNumber } from '@pillar/domain/time/locale'
import { TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { useRead } from '../../api/client.ts'
import { Dialog } from '../../kit/dialog/Dialog.tsx'
import { Icon } from '../../kit/display/Icon.tsx'
import { Loaded } from '../../kit/display/Loaded.tsx'
import { NothingMatches, NothingYet } from '../../kit/display/states.tsx'
import { DateField } from '../../kit/form/DateField.tsx'
import { Pager } from '../../kit/list/Pager.tsx'
import { SearchField } from '../../kit/list/SearchField.tsx'
import { useCountry } from '../../session/session.ts'
import { MessageBatchItem } from './MessageBatchItem.tsx'
import styles from './MessageInfo.module.css'
import { type MessageInfoFilter, pausedWords } from './message-info-words.ts'

interface MessageInfoDialogProps {
  /** Whose messages; all if empty. */
  filter?: MessageInfoFilter
  /** Whose messages, such as the pharmacy's name. */
  title?: string
  onClose: () => void
}

const NONE = { search_term: '', start_date: '', end_date: '', page: 1 }

/** Message Info: batches of messages, newest first, each with a ledger bar. Texts open once support gives a reason. */
export function MessageInfoDialog({ filter = {}, title, onClose }: MessageInfoDialogProps) {
  const country = useCountry()
  const [asked, setAsked] = useState(NONE)
  const change = (more: Partial<typeof NONE>) => setAsked((was) => ({ ...was, page: 1, ...more }))
  const { search_term, start_date, end_date, page } = asked
  const dates = { start_date: start_date || null, end_date: end_date || null }
  const read = useRead(contract.runAdmin.info, { ...filter, ...dates, search_term, page }, { keepPrevious: true })
  const filters = [search_term, start_date, end_date].filter(Boolean).length
  const data = read.data
  return (
    <Dialog opened size="M" onClose={onClose} title={title ? `Message info: ${title}` : 'Message info'}>
      <div className={styles.bar}>
        <SearchField
          className={styles.search}
          label="Find a message batch"
          value={search_term}
          onChange={(term) => change({ search_term: term })}
        />
        <DateField label="From" value={start_date} onChange={(day) => change({ start_date: day })} />
        <DateField label="To" value={end_date} onChange={(day) => change({ end_date: day })} />
        <span className={styles.count} role="status">
          {data ? `${formatNumber(country, data.total)} ${data.total === 1 ? 'batch' : 'batches'}` : ''}
        </span>
      </div>
      {data?.paused_gateways.map((paused) => (
        <p key={paused.communication_type} className={styles.paused} role="status">
          <Icon of={TriangleAlert} size={16} /> {pausedWords(country, paused)}
        </p>
      ))}
      <Loaded
        read={read}
        what="message batches"
        rows={4}
        paged={{ page, onPage: (before) => change({ page: before }) }}
      >
        {({ message_batches, current_page, page_count, per_page, total }) =>
          message_batches.length === 0 ? (
            filters > 0 ? (
              <NothingMatches filters={filters} onClear={() => setAsked(NONE)} />
            ) : (
              <NothingYet title="No messages yet">Batches appear here once a campaign or sequence sends.</NothingYet>
            )
          ) : (
            <>
              <ul className={styles.list} aria-label="Message batches" data-stale={read.isPlaceholderData || undefined}>
                {message_batches.map((batch) => (
                  <MessageBatchItem key={batch.batch_id} batch={batch} country={country} />
                ))}
              </ul>
              <Pager
                country={country}
                page={current_page}
                pages={page_count}
                perPage={per_page}
                total={total}
                onPage={(next) => change({ page: next })}
              />
            </>
          )
        }
      </Loaded>
    </Dialog>
  )
}
