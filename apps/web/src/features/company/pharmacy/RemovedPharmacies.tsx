import { contract } from '@pillar/contract'
import { RESTORE_DAYS } from '@pillar/domain/company/removal'
import { NO_VALUE } from '@pillar/domain/time/locale'
import { RotateCcw } from 'lucide-react'
import { useRead, useWrite } from '../../../api/client.ts'
import { momentOf } from '../../../kit/display/dates.ts'
import { SubTable } from '../../../kit/list/SubTable.tsx'
import { useCountry } from '../../../session/session.ts'

/** A company's removed pharmacies that can be restored; nothing if there are none. */
export function RemovedPharmacies({ company }: { company: { uuid: string } }) {
  const country = useCountry()
  const read = useRead(contract.locationAdmin.removed, { id: company.uuid })
  const restore = useWrite(contract.locationAdmin.restore, { done: ({ name }) => `${name} restored` })
  if (!read.error && !read.data?.data.length) return null
  return (
    <SubTable
      title={`Pharmacies removed in the last ${RESTORE_DAYS} days`}
      read={read}
      rows={read.data?.data}
      id="uuid"
      nameOf={({ name }) => name}
      columns={[
        { label: 'Name', cell: ({ name }) => name },
        { label: 'Place', cell: ({ town }) => town ?? NO_VALUE },
        { label: 'Removed', cell: ({ removed_at }) => momentOf(country, removed_at) },
      ]}
      menu={({ uuid }) => [{ label: 'Restore', icon: RotateCcw, run: () => restore.mutateAsync({ uuid }) }]}
    />
  )
}
