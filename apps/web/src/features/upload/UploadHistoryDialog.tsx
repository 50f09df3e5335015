import { ActionIcon, Button } from '@mantine/core'
import { contract } from '@pillar/contract'
import type { QueueItem } from '@pillar/contract/upload/etl'
import { NO_VALUE } from '@pillar/domain/time/locale'
import { removalProblem } from '@pillar/domain/upload/upload-request'
import { QUEUE_STATES } from '@pillar/domain/upload/upload-state'
import { RotateCw, Trash2 } from 'lucide-react'
import { type UIEvent, useEffect, useState } from 'react'
import { useRead, useWrite } from '../../api/client.ts'
import { Dialog } from '../../kit/dialog/Dialog.tsx'
import { momentIn } from '../../kit/display/dates.ts'
import { Icon } from '../../kit/display/Icon.tsx'
import { Loaded } from '../../kit/display/Loaded.tsx'
import { Failed } from '../../kit/display/states.tsx'
import { Status, statusWord } from '../../kit/display/status.tsx'
import { DataTable } from '../../kit/list/DataTable.tsx'
import { useCountry } from '../../session/session.ts'
import { sourceName } from './faulty-words.ts'
import styles from './Upload.module.css'
import { UploadDetails } from './UploadDetails.tsx'
import { UploadRequest } from './UploadRequest.tsx'

const PART = 50
const MOST = 1000
const POLL_MS = 4000

interface UploadHistoryDialogProps {
  /** The pharmacy's id. */
  id: string
  name: string
  /** The upload to open it at. */
  at?: string | undefined
  onClose: () => void
}

/** A pharmacy's uploads: at the top a form to request one, below it past and expected uploads. */
export function UploadHistoryDialog({ id, name, at, onClose }: UploadHistoryDialogProps) {
  const country = useCountry()
  const [limit, setLimit] = useState(PART)
  const read = useRead(
    contract.etl.queue,
    { id: [id], limit },
    { keepPrevious: true, staleTime: 0, every: (data) => (underWay(data) ? POLL_MS : false) },
  )
  const found = read.data?.find(({ pharmacy }) => pharmacy === id)
  const zone = found?.time_zone ?? 'UTC'
  const remove = useWrite(contract.etl.remove, {
    ask: {
      title: 'Confirm Queue Item Deletion',
      consequence: 'Are you sure you want to remove this queue item?',
      button: 'Remove queue item',
      danger: true,
    },
    done: 'Queue item removed',
  })
  const onScroll = ({ currentTarget: box }: UIEvent<HTMLElement>) => {
    const near = box.scrollHeight - box.scrollTop - box.clientHeight < 3 * 75
    if (near && found?.more && !read.isFetching) setLimit(Math.min(MOST, limit + PART))
  }
  // A link may name an old upload, so more pages are read until it is found.
  const lost = at && found ? found.queue.every(({ uuid }) => uuid !== at) : false
  const reading = lost && found?.more === true && limit < MOST
  useEffect(() => {
    if (reading && !read.isFetching) setLimit((now) => Math.min(MOST, now * 4))
  }, [reading, read.isFetching])
  const absent = read.error?.code === 'not_found' || (read.data !== undefined && !found)
  return (
    <Dialog
      opened
      size="M"
      title={`Pharmacy Upload History: ${name}`}
      onClose={onClose}
      foot={<Button onClick={onClose}>Close</Button>}
    >
      <UploadRequest id={id} zone={zone} source={found?.data_source ?? null} />
      <div className={styles.head}>
        <h3>Uploads</h3>
        <span className="muted">{found ? `Times in ${zone}` : ''}</span>
        <ActionIcon aria-label="Refresh uploads" title="Refresh" onClick={() => void read.refetch()}>
          <Icon of={RotateCw} />
        </ActionIcon>
      </div>
      {absent ? (
        <Failed
          title="The location was not found in the response data"
          error={null}
          onRetry={() => void read.refetch()}
        />
      ) : (
        <Loaded read={read} what="the uploads">
          {() =>
            found?.queue.length === 0 ? (
              <p className="muted">No records found</p>
            ) : (
              <div className={styles.queue} onScroll={onScroll}>
                {lost && !reading ? <p role="status">The upload of this link is not in the list any more.</p> : null}
                <DataTable<QueueItem>
                  label="Uploads"
                  rows={found?.queue ?? []}
                  idOf={({ uuid }) => uuid}
                  opened={at}
                  nameOf={(row) => `the upload of ${momentIn(country, zone, row.timestamp)}`}
                  columns={[
                    {
                      label: 'Upload Time',
                      cell: (row) =>
                        row.location_upload_time ? momentIn(country, zone, row.location_upload_time) : NO_VALUE,
                      sub: (row) =>
                        row.location_upload_time ? null : `requested ${momentIn(country, zone, row.timestamp)}`,
                    },
                    { label: 'Data Source', cell: ({ data_source }) => sourceName(data_source) },
                    { label: 'ETL State', cell: ({ etl_state }) => <Status word={statusWord(etl_state)} /> },
                  ]}
                  menu={(row) => [
                    {
                      label: 'Remove',
                      icon: Trash2,
                      danger: true,
                      run: () => remove.mutateAsync({ id, uuid: [row.uuid] }),
                      disabled: removalProblem(row.etl_state) ?? undefined,
                    },
                  ]}
                  expand={(row) => <UploadDetails pharmacy={id} zone={zone} item={row} />}
                />
              </div>
            )
          }
        </Loaded>
      )}
    </Dialog>
  )
}

/** Whether an upload is expected or being loaded, so that its state will change. */
function underWay(data: readonly { queue: readonly QueueItem[] }[] | undefined): boolean {
  const items = data?.flatMap(({ queue }) => queue) ?? []
  return items.some(({ etl_state }) => QUEUE_STATES.some((state) => state === etl_state))
}
