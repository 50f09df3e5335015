import { contract } from '@pillar/contract'
import { day } from '@pillar/domain/time/day'
import { formatNumber, formatPercent, formatSpan, NO_VALUE } from '@pillar/domain/time/locale'
import { fileNameOf } from '@pillar/domain/upload/upload-file'
import { useRead } from '../../api/client.ts'
import { momentIn } from '../../kit/display/dates.ts'
import { Failed, Loading } from '../../kit/display/states.tsx'
import { DataTable } from '../../kit/list/DataTable.tsx'
import { useCountry } from '../../session/session.ts'

interface UploadComparisonProps {
  pharmacy: string
  uuid: string
  zone: string
}

/** An upload compared with the last one completed before it: rows of each file, patients and days covered. */
export function UploadComparison({ pharmacy, uuid, zone }: UploadComparisonProps) {
  const country = useCountry()
  const read = useRead(contract.etl.comparison, { id: pharmacy, uuid })
  if (read.isLoading) return <Loading rows={3} />
  if (read.error || !read.data)
    return <Failed title="Could not compare the uploads" error={read.error} onRetry={() => void read.refetch()} />
  const { upload, previous, files } = read.data
  if (!previous) return <p className="muted">No upload of this data source was completed before this one.</p>
  const rows = [
    ...files.map((file) => ({
      label: `${fileNameOf(file.file_type)}, rows`,
      now: file.rows,
      before: file.previous_rows,
    })),
    { label: 'Patients with scripts', now: upload.patients, before: previous.patients },
    { label: 'Days covered', now: upload.days, before: previous.days },
  ]
  const number = (value: number | null) => (value === null ? NO_VALUE : formatNumber(country, value))
  const span = ({ first_day, last_day }: typeof upload) =>
    first_day && last_day ? formatSpan(country, day(first_day), day(last_day)) : 'no days read'
  return (
    <>
      <p className="muted">
        {previous.initial_upload === upload.initial_upload
          ? ''
          : 'One of the two is an initial upload, so fewer rows may be right. '}
        Compared with the upload of {momentIn(country, zone, previous.timestamp)}. This upload: {span(upload)}. That
        one: {span(previous)}.
      </p>
      <DataTable
        label="Compared with the last upload"
        rows={rows}
        idOf={({ label }) => label}
        columns={[
          { label: 'What', cell: ({ label }) => label },
          { label: 'This upload', num: true, cell: ({ now }) => number(now) },
          { label: 'The last one', num: true, cell: ({ before }) => number(before) },
          { label: 'Change', num: true, cell: ({ now, before }) => changeOf(now, before) },
        ]}
      />
    </>
  )

  function changeOf(now: number | null, before: number | null): string {
    if (now === null || before === null || before === 0) return NO_VALUE
    return `${now > before ? '+' : now < before ? '−' : ''}${formatPercent(country, Math.abs(now - before) / before)}`
  }
}
