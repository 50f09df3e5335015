import { Button } from '@mantine/core'
import { contract } from '@pillar/contract'
import type { Company, CompanyLocation } from '@pillar/contract/company/company-admin'
import { addressLine } from '@pillar/domain/pharmacy/address'
import { NO_VALUE } from '@pillar/domain/time/locale'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Import, Pencil, Plus, RotateCcw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useRead, useWrite } from '../../../api/client.ts'
import { dayOf } from '../../../kit/display/dates.ts'
import { Icon } from '../../../kit/display/Icon.tsx'
import { Status, statusWord } from '../../../kit/display/status.tsx'
import { toast } from '../../../kit/display/toast.tsx'
import { start } from '../../../kit/list/acts.tsx'
import { TwoLines } from '../../../kit/list/page/TwoLines.tsx'
import { linkInside } from '../../../kit/list/row-link.ts'
import { SubTable } from '../../../kit/list/SubTable.tsx'
import { useCountry } from '../../../session/session.ts'
import type { SettingsSearch } from '../../settings/settings-search.ts'
import { ImportDialog } from './ImportDialog.tsx'
import { LocationDetail } from './LocationDetail.tsx'
import { ModuleList } from './ModuleTags.tsx'
import { PharmacyDialog } from './PharmacyDialog.tsx'
import { sourceOf } from './pharmacy-words.ts'
import { RemovedPharmacies } from './RemovedPharmacies.tsx'
import { UploadHistory, useLocationActs } from './useLocationActs.tsx'

/** The pharmacies of a company, in its opened row; each opens to its own panel. */
export function PharmacyTable({ company }: { company: Company }) {
  const country = useCountry()
  const read = useRead(contract.company.locations, { id: company.uuid })
  const [edited, setEdited] = useState<CompanyLocation | 'new' | null>(null)
  const [importing, setImporting] = useState(false)
  const { actsOf, dialog } = useLocationActs(company.uuid)
  const remove = useRemove(read.data?.data ?? [])
  const { pharmacy } = useSearch({ strict: false }) as SettingsSearch
  return (
    <>
      <SubTable
        title="Pharmacies"
        read={read}
        rows={read.data?.data}
        id="uuid"
        columns={[
          { label: 'Name', cell: (row) => <TwoLines first={row.name} second={sourceOf(row)} /> },
          { label: 'Address', cell: (row) => addressLine(row) || NO_VALUE },
          { label: 'Modules', cell: ({ modules }) => <ModuleList modules={modules} /> },
          {
            label: 'Upload status',
            cell: (row) => (
              <TwoLines
                first={<Status word={statusWord(row.upload_status)} />}
                second={row.upload_time ? dayOf(country, row.upload_time) : ''}
              />
            ),
          },
          {
            label: 'Queue',
            cell: (row) => (row.queue_items === 0 ? NO_VALUE : <Status word={statusWord(row.queue_status)} />),
          },
        ]}
        nameOf={({ name }) => name}
        menu={(row) => [
          { label: 'Edit', icon: Pencil, run: () => setEdited(row) },
          ...actsOf(row),
          linkInside(company.uuid, { pharmacy: row.uuid }),
          { label: 'Remove', icon: Trash2, danger: true, run: () => remove(row) },
        ]}
        opened={pharmacy}
        expand={(row) => <LocationDetail location={row} acts={actsOf(row)} />}
        actions={
          <>
            <Button size="xs" leftSection={<Icon of={Plus} />} onClick={() => setEdited('new')}>
              Create Pharmacy
            </Button>
            <Button size="xs" leftSection={<Icon of={Import} />} onClick={() => setImporting(true)}>
              Import Pharmacy From Other Company
            </Button>
          </>
        }
      />
      <RemovedPharmacies company={company} />
      {dialog}
      <LinkedUpload company={company.uuid} rows={read.data?.data} />
      {importing ? <ImportDialog company={company} onClose={() => setImporting(false)} /> : null}
      {edited ? (
        <PharmacyDialog company={company} pharmacy={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />
      ) : null}
    </>
  )
}

interface LinkedUploadProps {
  company: string
  /** Undefined until loaded. */
  rows: readonly CompanyLocation[] | undefined
}

/** Opens the upload in the address, in its pharmacy's history. */
function LinkedUpload({ company, rows }: LinkedUploadProps) {
  const { find, pharmacy, upload } = useSearch({ strict: false }) as SettingsSearch
  const navigate = useNavigate()
  if (find !== company || !pharmacy || !rows) return null
  const row = rows.find(({ uuid }) => uuid === pharmacy)
  if (!row) return <p role="status">The pharmacy of this link was removed or belongs to another company now.</p>
  if (!upload) return null
  const close = () =>
    void navigate({ to: '.', search: ((now: object) => ({ ...now, upload: undefined })) as never, resetScroll: false })
  return <UploadHistory id={row.uuid} name={row.name} at={upload} onClose={close} />
}

/** Removes a pharmacy after a question, with undo in the toast. */
function useRemove(rows: readonly CompanyLocation[]) {
  const restore = useWrite(contract.locationAdmin.restore, { done: ({ name }) => `${name} restored` })
  const remove = useWrite(contract.locationAdmin.remove, {
    ask: ({ uuid }) => ({
      title: `Remove ${rows.find((row) => row.uuid === uuid)?.name ?? 'the pharmacy'}?`,
      consequence:
        'Are you sure you want to remove this location? Its key stops working at once. Its records stay, and it can be restored for 30 days.',
      button: 'Remove pharmacy',
      danger: true,
    }),
  })
  return async ({ uuid, name }: CompanyLocation) => {
    const done = await remove.mutateAsync({ uuid })
    const undo = { label: 'Undo', icon: RotateCcw, run: () => restore.mutateAsync({ uuid }) }
    if (done) toast(`${name} removed`, { action: { label: undo.label, run: () => start(undo) } })
  }
}
