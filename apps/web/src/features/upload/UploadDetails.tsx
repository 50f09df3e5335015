import { Button } from '@mantine/core'
import { contract } from '@pillar/contract'
import type { QueueItem } from '@pillar/contract/upload/etl'
import { formatNumber, NO_VALUE } from '@pillar/domain/time/locale'
import { removalProblem } from '@pillar/domain/upload/upload-request'
import { overrideProblem } from '@pillar/domain/upload/upload-state'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useWrite } from '../../api/client.ts'
import { CopyButton } from '../../kit/display/CopyButton.tsx'
import { momentIn } from '../../kit/display/dates.ts'
import { DataTable } from '../../kit/list/DataTable.tsx'
import { useCountry } from '../../session/session.ts'
import { sourceName } from './faulty-words.ts'
import { OverrideDialog } from './OverrideDialog.tsx'
import { RowFaultsDialog } from './RowFaultsDialog.tsx'
import styles from './Upload.module.css'
import { UploadComparison } from './UploadComparison.tsx'

interface UploadDetailsProps {
  pharmacy: string
  zone: string
  item: QueueItem
}

/** Everything known about an upload, its files, and the acts on it. */
export function UploadDetails({ pharmacy, zone, item }: UploadDetailsProps) {
  const country = useCountry()
  const [shown, setShown] = useState<'faults' | 'comparison' | 'override' | null>(null)
  const close = () => setShown(null)
  const blocked = overrideProblem(item.etl_state)
  const remove = useWrite(contract.etl.remove, {
    ask: {
      title: 'Confirm File Deletion',
      consequence: 'Are you sure you want to remove this file?',
      button: 'Remove file',
      danger: true,
    },
    done: 'File removed',
  })
  return (
    <>
      <div className={styles.acts}>
        {item.faults > 0 ? (
          <Button size="xs" onClick={() => setShown('faults')}>
            Row faults ({formatNumber(country, item.faults)})
          </Button>
        ) : null}
        <Button size="xs" onClick={() => setShown(shown === 'comparison' ? null : 'comparison')}>
          Compare with the last upload
        </Button>
        <Button size="xs" disabled={blocked !== null} title={blocked ?? undefined} onClick={() => setShown('override')}>
          Override
        </Button>
      </div>
      {shown === 'comparison' ? <UploadComparison pharmacy={pharmacy} uuid={item.uuid} zone={zone} /> : null}
      <Facts zone={zone} item={item} />
      <h4 className={styles.label}>Files</h4>
      {item.files.length === 0 ? (
        <p className="muted">No records found</p>
      ) : (
        <DataTable
          label="Files"
          rows={item.files}
          idOf={({ id }) => id}
          nameOf={({ file_type }) => file_type}
          columns={[
            { label: 'Type', cell: ({ file_type }) => file_type },
            { label: 'ID', cell: ({ id }) => <code>{id}</code> },
            { label: 'Path', cell: ({ file_path }) => <code>{file_path}</code> },
          ]}
          menu={(file) => [
            {
              label: 'Remove',
              icon: Trash2,
              danger: true,
              run: () => remove.mutateAsync({ id: pharmacy, uuid: [file.id] }),
              disabled: removalProblem(item.etl_state) ?? undefined,
            },
          ]}
        />
      )}
      {shown === 'faults' ? <RowFaultsDialog pharmacy={pharmacy} item={item} onClose={close} /> : null}
      {shown === 'override' ? <OverrideDialog pharmacy={pharmacy} uuid={item.uuid} onClose={close} /> : null}
    </>
  )
}

function Facts({ zone, item }: Pick<UploadDetailsProps, 'zone' | 'item'>) {
  const country = useCountry()
  const time = (moment: string | null) => (moment ? momentIn(country, zone, moment) : NO_VALUE)
  const yes = (value: boolean) => (value ? 'Yes' : 'No')
  const facts: [string, string][] = [
    ['ETL State', item.etl_state],
    ['ETL Completed', yes(item.etl_completed)],
    ['Start Time', time(item.etl_start_time)],
    ['Stop Time', time(item.etl_stop_time)],
    ['Upload Time', time(item.location_upload_time)],
    ['Last Updated', time(item.last_updated)],
    ['Server Timestamp', time(item.server_timestamp)],
    ['Timestamp', time(item.timestamp)],
    ['Initial Upload', yes(item.initial_upload)],
    ['Support Initiated', yes(item.support_initiated)],
    ['Data Source', sourceName(item.data_source)],
    ...(item.support_initiated ? requestFacts(item, time) : []),
  ]
  return (
    <dl className={styles.facts}>
      {facts.map(([label, value]) => (
        <Fact key={label} label={label} value={value} />
      ))}
      <dt>UUID</dt>
      <dd className={styles.wide}>
        <code>{item.uuid}</code> <CopyButton text={item.uuid} what="UUID" />
      </dd>
      <dt>Notes</dt>
      <dd className={styles.wide}>{item.notes || NO_VALUE}</dd>
    </dl>
  )
}

const requestFacts = (item: QueueItem, time: (moment: string | null) => string): [string, string][] => [
  ['Requested by', item.requested_by ?? NO_VALUE],
  ['Requested from', time(item.requested_from)],
  ['Requested to', time(item.requested_to)],
]

const Fact = ({ label, value }: { label: string; value: string }) => (
  <>
    <dt>{label}</dt>
    <dd>{value}</dd>
  </>
)
