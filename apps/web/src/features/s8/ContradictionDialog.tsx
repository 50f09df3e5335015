import { Button } from '@mantine/core'
import { contract } from '@pillar/contract'
import type { S8Attention } from '@pillar/contract/s8-row'
import { isolated } from '@pillar/domain/text/sentence'
import { formatNumber, NO_VALUE } from '@pillar/domain/time/locale'
import { useRef } from 'react'
import { useRead } from '../../api/client.ts'
import { Dialog } from '../../kit/dialog/Dialog.tsx'
import { ReadDialog } from '../../kit/dialog/ReadDialog.tsx'
import { momentIn } from '../../kit/display/dates.ts'
import { useScrollFocus } from '../../kit/display/useScrollFocus.ts'
import { useCountry } from '../../session/session.ts'
import styles from './S8.module.css'

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
        const differs = ({ label, values }: (typeof rows)[number]) => label !== 'Received' && new Set(values).size > 1
        const different = rows.filter(differs).map(({ label }) => label)
        return (
          <Dialog opened size="M" title={title} onClose={onClose} foot={<Button onClick={onClose}>Close</Button>}>
            <p>
              {product_name}. The register keeps the first version; what was sent later is kept as evidence and changes
              nothing.{' '}
              {different.length > 0
                ? `They differ in: ${different.join(', ')}.`
                : 'They differ in a detail that is not listed here.'}
            </p>
            <Versions
              heads={['Kept', ...sent.map((_one, at) => (sent.length === 1 ? 'Sent later' : `Sent later ${at + 1}`))]}
              rows={rows.map((row) => ({ ...row, differs: differs(row) }))}
            />
          </Dialog>
        )
      }}
    </ReadDialog>
  )
}

interface VersionsProps {
  heads: readonly string[]
  rows: readonly { label: string; values: readonly string[]; differs: boolean }[]
}

/** The versions side by side, close enough together to be compared on a phone. */
function Versions({ heads, rows }: VersionsProps) {
  const box = useRef<HTMLDivElement>(null)
  const scrolling = useScrollFocus(box, 'Versions')
  return (
    <div ref={box} className={styles.versions} {...scrolling}>
      <table aria-label="Versions">
        <thead>
          <tr>
            <td />
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ label, values, differs }) => (
            <tr key={label} data-differs={differs || undefined}>
              <th scope="row">{label}</th>
              {values.map((value, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a version is known by its place.
                <td key={at}>{value}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
