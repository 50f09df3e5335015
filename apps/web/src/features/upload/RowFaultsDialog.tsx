import { Button } from '@mantine/core'
import { contract } from '@pillar/contract'
import type { QueueItem } from '@pillar/contract/upload/etl'
import { counted } from '@pillar/domain/text/sentence'
import { NO_VALUE } from '@pillar/domain/time/locale'
import { fileNameOf } from '@pillar/domain/upload/upload-file'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { send, useRead } from '../../api/client.ts'
import { Dialog } from '../../kit/dialog/Dialog.tsx'
import { Icon } from '../../kit/display/Icon.tsx'
import { Failed, Loading } from '../../kit/display/states.tsx'
import { useFile } from '../../kit/display/useFile.ts'
import { DataTable } from '../../kit/list/DataTable.tsx'
import { Pager } from '../../kit/list/Pager.tsx'
import { useCountry } from '../../session/session.ts'

interface RowFaultsDialogProps {
  pharmacy: string
  item: QueueItem
  onClose: () => void
}

/** The rows of an upload that were not loaded: the position, the value, and the reason. */
export function RowFaultsDialog({ pharmacy, item: { uuid }, onClose }: RowFaultsDialogProps) {
  const country = useCountry()
  const [page, setPage] = useState(1)
  const read = useRead(contract.etl.faults, { id: pharmacy, uuid, page }, { keepPrevious: true })
  const { busy, save } = useFile(() => send(contract.etl.faultsCsv, { id: pharmacy, uuid }))
  const { data } = read
  const hidden = data ? data.counted - data.total : 0
  return (
    <Dialog
      opened
      size="M"
      title="Row faults"
      onClose={onClose}
      footLeft={<span className="muted">The company’s activity log shows that you looked.</span>}
      foot={
        <Button leftSection={<Icon of={Download} />} onClick={save} aria-disabled={busy}>
          Download CSV
        </Button>
      }
    >
      {read.isLoading ? (
        <Loading />
      ) : read.error ? (
        <Failed title="Could not load row faults" error={read.error} onRetry={() => void read.refetch()} />
      ) : (
        <>
          {hidden > 0 ? (
            <p className="muted">
              The first {data!.total} are kept. {counted(hidden, 'more row was', 'more rows were')} faulty.
            </p>
          ) : null}
          <DataTable
            label="Row faults"
            rows={data!.faults}
            idOf={({ file_type, line, column, reason }) => `${file_type} ${line} ${column} ${reason}`}
            columns={[
              { label: 'File', cell: ({ file_type }) => fileNameOf(file_type) },
              { label: 'Line', num: true, cell: ({ line }) => line },
              { label: 'Column', cell: ({ column }) => column || NO_VALUE },
              { label: 'Value', cell: ({ value }) => (value ? <code>{value}</code> : NO_VALUE) },
              { label: 'Reason', cell: ({ reason }) => reason },
            ]}
          />
          <Pager
            country={country}
            page={data!.current_page}
            pages={data!.page_count}
            perPage={data!.per_page}
            total={data!.total}
            onPage={setPage}
          />
        </>
      )}
    </Dialog>
  )
}
