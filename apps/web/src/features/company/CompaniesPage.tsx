import { Button } from '@mantine/core'
import { contract } from '@pillar/contract'
import type { Company, ListedCompany } from '@pillar/contract/company/company-admin'
import { RESTORE_DAYS } from '@pillar/domain/company/removal'
import { capital, joined } from '@pillar/domain/text/sentence'
import { formatNumber, NO_VALUE } from '@pillar/domain/time/locale'
import { useSearch } from '@tanstack/react-router'
import {
  CircleCheck,
  MessageSquareText,
  MessagesSquare,
  Pencil,
  Plus,
  RotateCcw,
  Trash2,
  TriangleAlert,
  WandSparkles,
} from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useWrite } from '../../api/client.ts'
import { dayOf } from '../../kit/display/dates.ts'
import { Icon } from '../../kit/display/Icon.tsx'
import { Tag } from '../../kit/display/Tag.tsx'
import { toast } from '../../kit/display/toast.tsx'
import { type Act, start } from '../../kit/list/acts.tsx'
import { FilterChip } from '../../kit/list/chip/FilterChip.tsx'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { useList } from '../../kit/list/useList.ts'
import { useCountry } from '../../session/session.ts'
import { MessageInfoDialog } from '../message-info/MessageInfoDialog.tsx'
import { CompanyDetails } from './CompanyDetails.tsx'
import { CompanyDialog, FEATURES } from './CompanyDialog.tsx'
import { CompanySendingDialog } from './CompanySendingDialog.tsx'

/** The customers, each of which opens to its pharmacies and people. */
export function CompaniesPage({ tabs }: { tabs: ReactNode }) {
  const country = useCountry()
  const { removed } = useSearch({ strict: false }) as { removed?: string }
  const list = useList(contract.company.search, {
    ...{ id: 'uuid', one: 'company', many: 'companies', find: 'name' },
    filters: { removed: removed === 'yes' || undefined },
  })
  const [edited, setEdited] = useState<Company | 'new' | null>(null)
  const [messages, setMessages] = useState(false)
  const [sending, setSending] = useState<Company | null>(null)
  const figure = (count: number) => formatNumber(country, count || null)
  const { remove, restore } = useRemoval(list.rows)
  return (
    <>
      <ListPage
        title="Settings"
        tabs={tabs}
        list={list}
        columns={[
          {
            label: 'Company',
            sort: 'name',
            cell: ({ name }) => name,
            sub: ({ found_locations }) => joined(found_locations),
          },
          { label: 'Type', cell: ({ type }) => capital(type) },
          { label: 'Pharmacies', sort: 'locations', num: true, cell: (row) => figure(row.locations) },
          { label: 'Users', sort: 'logins', num: true, cell: (row) => figure(row.logins) },
          { label: 'Features', cell: (row) => <span style={WIDE}>{featuresOf(row)}</span> },
          { label: 'Uploads up to date', cell: (row) => <UpToDate uploads={row.uploads} /> },
          { label: 'Added', sort: 'created_at', num: true, cell: (row) => dayOf(country, row.created_at) },
        ]}
        empty="Create a company, then its pharmacies and users."
        actions={
          <>
            <Button variant="default" leftSection={<Icon of={MessagesSquare} />} onClick={() => setMessages(true)}>
              Message Info
            </Button>
            <Button leftSection={<Icon of={Plus} />} onClick={() => setEdited('new')}>
              Create Company
            </Button>
            <Button
              variant="filled"
              leftSection={<Icon of={WandSparkles} />}
              onClick={() => list.change({ account: 'new', step: 'company', page: list.page })}
            >
              Create Account
            </Button>
          </>
        }
        filters={<FilterChip field="removed" label="Removed" options={REMOVED} />}
        menu={(row) =>
          row.removed_at
            ? [{ label: 'Restore', icon: RotateCcw, run: () => restore(row) }]
            : [
                { label: 'Edit', icon: Pencil, run: () => setEdited(row) },
                { label: 'Sending rules', icon: MessageSquareText, run: () => setSending(row) },
                { label: 'Remove', icon: Trash2, danger: true, run: () => remove(row) },
              ]
        }
        expand={(row) =>
          row.removed_at ? (
            <p className="muted">Restore the company to see what it has.</p>
          ) : (
            <CompanyDetails company={row} />
          )
        }
      />
      {edited ? <CompanyDialog row={edited === 'new' ? null : edited} onClose={() => setEdited(null)} /> : null}
      {sending ? <CompanySendingDialog company={sending} onClose={() => setSending(null)} /> : null}
      {messages ? <MessageInfoDialog onClose={() => setMessages(false)} /> : null}
    </>
  )
}

/** On a phone a column is as narrow as its longest word, and the row of a company with every feature as high as half the screen. */
const WIDE = { display: 'block', width: 'max-content', maxWidth: 300 }

/** Removes a company after the question, which the toast can undo, and brings one back. */
function useRemoval(rows: readonly Company[]) {
  const back = useWrite(contract.company.restore, { done: ({ name }) => `${name} restored` })
  const gone = useWrite(contract.company.remove, {
    ask: ({ uuid }) => ({
      title: `Remove ${rows.find((row) => row.uuid === uuid)?.name ?? 'the company'}?`,
      consequence: `Are you sure you want to remove this company? Its logins can no longer sign in. Its records stay, and it can be restored for ${RESTORE_DAYS} days.`,
      button: 'Remove company',
      danger: true,
    }),
  })
  const restore = ({ uuid }: Company) => back.mutateAsync({ uuid })
  const remove = async (row: Company) => {
    const done = await gone.mutateAsync({ uuid: row.uuid })
    const undo: Act = { label: 'Undo', icon: RotateCcw, run: () => restore(row) }
    if (done) toast('Company removed', { action: { label: undo.label, run: () => start(undo) } })
  }
  return { remove, restore }
}

/** '41 of 44' pharmacies with expected uploads; a dash if none are expected. */
function UpToDate({ uploads: { expected, up_to_date } }: Pick<ListedCompany, 'uploads'>) {
  const country = useCountry()
  if (expected === 0) return NO_VALUE
  const all = up_to_date === expected
  return (
    <Tag tone={all ? 'good' : 'caution'} icon={all ? CircleCheck : TriangleAlert}>
      {formatNumber(country, up_to_date)} of {formatNumber(country, expected)}
    </Tag>
  )
}

const REMOVED = [{ value: 'yes', label: 'Removed' }] as const

const featuresOf = (row: Company) =>
  FEATURES.filter(({ name }) => row[name])
    .map(({ label }) => label)
    .join(', ') || NO_VALUE
