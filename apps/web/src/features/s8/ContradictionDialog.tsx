import { contract } from '@pillar/contract'
import type { S8Attention } from '@pillar/contract/s8-row'
import { isolated } from '@pillar/domain/text/sentence'
import { formatNumber, NO_VALUE } from '@pillar/domain/time/locale'
import { useRead } from '../../api/client.ts'
import { Dialog } from '../../kit/dialog/Dialog.tsx'
import { ReadDialog } from '../../kit/dialog/ReadDialog.tsx'
import { momentIn } from '../../kit/display/dates.ts'
import { DataTable } from '../../kit/list/DataTable.tsx'
import { useCountry } from '../../session/session.ts'

/** Both versions of an entry that was sent twice with differences: the one the register keeps, and the later one. */
export function ContradictionDialog({ item, onClose }: { item: S8Attention; onClose: () => void }) {
  const country = useCountry()
  const { uuid, name, time_zone } = item.location
  const transaction_product_id = item.transaction_product_id ?? 0
  const read = useRead(contract.s8.contradiction, { location_uuid: uuid, transaction_product_id })
  const title = `Transaction ${transaction_product_id}, ${isolated(name)}`
  const quantity = (value: number | null) =>
    value === null ? NO_VALUE : formatNumber(country, value, value % 1 ? 2 : 0)
  return (
    <ReadDialog title={title} read={read} what="both versions" onClose={onClose}>
      {({ product_name, kept, sent }) => {
        const fields = [
          ['Received', (row: typeof kept) => momentIn(country, time_zone, row.received_at)],
          ['Date', (row: typeof kept) => momentIn(country, time_zone, row.date)],
          ['Product', (row: typeof kept) => row.product_name],
          ['Action', (row: typeof kept) => row.action],
          ['Name', (row: typeof kept) => row.name ?? NO_VALUE],
          ['Address', (row: typeof kept) => row.address ?? NO_VALUE],
          ['In', (row: typeof kept) => quantity(row.in)],
          ['Out', (row: typeof kept) => quantity(row.out)],
          ['Balance', (row: typeof kept) => quantity(row.stated_balance)],
          ['Reference #', (row: typeof kept) => row.reference_number ?? NO_VALUE],
          ['Pharmacist', (row: typeof kept) => row.pharmacist],
          ['Countersigned By', (row: typeof kept) => row.second_signer ?? NO_VALUE],
          ['Doctor', (row: typeof kept) => row.doctor ?? NO_VALUE],
          ['Note', (row: typeof kept) => row.note ?? NO_VALUE],
        ] as const
        const rows = fields.map(([label, of]) => ({ label, values: [kept, ...sent].map(of) }))
        return (
          <Dialog opened size="M" title={title} onClose={onClose}>
            <p>
              {product_name}. The register keeps the first version; what was sent later is evidence and changes nothing.
            </p>
            <DataTable
              label="Versions"
              rows={rows}
              idOf={({ label }) => label}
              isBad={({ label, values }) => label !== 'Received' && new Set(values).size > 1}
              columns={[
                { label: 'Field', cell: ({ label }) => label },
                { label: 'Kept', cell: ({ values }) => values[0] },
                ...sent.map((_one, at) => ({
                  label: sent.length === 1 ? 'Sent later' : `Sent later ${at + 1}`,
                  cell: ({ values }: (typeof rows)[number]) => values[at + 1],
                })),
              ]}
            />
          </Dialog>
        )
      }}
    </ReadDialog>
  )
}
