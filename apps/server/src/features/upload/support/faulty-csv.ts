import type { FaultyPharmacy } from '@pillar/contract/upload/etl-faulty'
import { safeCell } from '@pillar/domain/text/csv-safe'
import { SOURCE_NAMES } from '@pillar/domain/upload/data-source'
import { csvText } from '../../../api/answer/csv-text.ts'

const HEADS = [
  ...['Pharmacy', 'Company', 'Data source', 'Status', 'Notes of the upload', 'Next step'],
  ...[
    'Last upload (UTC)',
    'Last good one (UTC)',
    'Business days silent',
    'Requested (UTC)',
    'Requested by',
    'Added (UTC)',
  ],
  ...['Assigned to', 'Note', 'Rests until (UTC)', 'Rests until its state changes', 'UUID'],
]

/** The list of faulty uploads as a file; no cell works as a formula. */
export function faultyCsv(rows: readonly FaultyPharmacy[]): string {
  const lines = rows.map((row) =>
    [
      ...[row.name, row.company.name, row.data_source && (SOURCE_NAMES[row.data_source] ?? row.data_source)],
      ...[row.status, row.notes, row.next_step, row.upload_time, row.last_successful_upload_on, row.silent_days],
      ...[row.requested_at, row.requested_by, row.added_at, row.assigned_to?.name, row.note, row.snoozed_until],
      ...[row.snoozed_until_change ? 'yes' : '', row.id],
    ].map(safeCell),
  )
  return csvText([HEADS, ...lines], { bom: true, record_delimiter: '\r\n' })
}
