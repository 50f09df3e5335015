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
import { Loaded } from '../../kit/display/Loaded.tsx'
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
      <Loaded read={read} what="row faults" paged={{ page, onPage: setPage }}>
        {({ faults, counted: found, current_page, page_count, per_page, total }) => (
          <>
            {found > total ? (
              <p className="muted">
                The first {total} are kept. {counted(found - total, 'more row was', 'more rows were')} faulty.
              </p>
            ) : null}
            <DataTable
              label="Row faults"
              rows={faults}
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
              page={current_page}
              pages={page_count}
              perPage={per_page}
              total={total}
              onPage={setPage}
            />
          </>
        )}
      </Loaded>
    </Dialog>
  )
}
