import { Button } from '@mantine/core'
import { contract } from '@pillar/contract'
import type { CompanyLocation } from '@pillar/contract/company/company-admin'
import type { LocationKey } from '@pillar/contract/company/location-key'
import { NO_VALUE } from '@pillar/domain/time/locale'
import { CircleSlash, Eye, KeyRound } from 'lucide-react'
import { useState } from 'react'
import { useRead, useWrite } from '../../../api/client.ts'
import { CopyButton } from '../../../kit/display/CopyButton.tsx'
import { momentOf } from '../../../kit/display/dates.ts'
import { Icon } from '../../../kit/display/Icon.tsx'
import type { Column } from '../../../kit/list/data-table.ts'
import { SubTable } from '../../../kit/list/SubTable.tsx'
import { useCountry } from '../../../session/session.ts'
import { ReplaceKeyDialog } from './ReplaceKeyDialog.tsx'

const calls = contract.locationKey

/** A pharmacy's upload keys: each can be shown on request, replaced with overlap, and ended. An opened key is kept only here. */
export function KeyPanel({ location }: { location: CompanyLocation }) {
  const country = useCountry()
  const read = useRead(calls.list, { id: location.uuid })
  const [opened, setOpened] = useState<Readonly<Record<string, string>>>({})
  const [replacing, setReplacing] = useState(false)
  const show = useWrite(calls.show, {
    ask: {
      title: `Show the key of ${location.name}?`,
      consequence: 'Anyone who has this key can upload as this pharmacy. The company’s log records that you viewed it.',
      button: 'Show key',
    },
  })
  const end = useWrite(calls.end, {
    ask: {
      title: `End the old key of ${location.name}?`,
      consequence: 'Uploads with it are refused from now on. This can’t be undone.',
      button: 'End key',
      danger: true,
    },
    done: 'Key ended',
  })
  const open = async (key_id: string) => {
    const answer = await show.mutateAsync({ id: location.uuid, key_id })
    if (answer) setOpened((was) => ({ ...was, [key_id]: answer.key }))
  }
  const at = (moment: string | null, none: string) => (moment ? momentOf(country, moment) : none)
  const columns: readonly Column<LocationKey>[] = [
    { label: 'Key', cell: (row) => <KeyText row={row} opened={opened[row.key_id]} /> },
    { label: 'Made', cell: ({ created_at }) => at(created_at, NO_VALUE) },
    { label: 'Last used', cell: ({ last_used_at }) => at(last_used_at, 'Never') },
    {
      label: 'Ends',
      cell: ({ ends_at }) => (ends_at && isPast(ends_at) ? `Ended ${at(ends_at, '')}` : at(ends_at, 'When replaced')),
    },
  ]
  return (
    <>
      <SubTable
        title="Upload keys"
        read={read}
        rows={read.data?.data}
        id="key_id"
        columns={columns}
        nameOf={({ prefix }) => prefix ?? 'the key'}
        menu={(row) => {
          const over = row.ends_at && isPast(row.ends_at) ? 'This key has ended.' : undefined
          return [
            { label: 'Show', icon: Eye, run: () => open(row.key_id), disabled: over ?? hashed(row) },
            ...(row.ends_at
              ? [
                  {
                    ...{ label: 'End now', icon: CircleSlash, danger: true, disabled: over },
                    run: () => end.mutateAsync({ id: location.uuid, key_id: row.key_id }),
                  },
                ]
              : []),
          ]
        }}
        actions={
          <Button size="xs" leftSection={<Icon of={KeyRound} />} onClick={() => setReplacing(true)}>
            Replace key
          </Button>
        }
      />
      {replacing ? (
        <ReplaceKeyDialog
          location={location}
          onClose={(made) => {
            setReplacing(false)
            if (made) setOpened((was) => ({ ...was, [made.key_id]: made.key }))
          }}
        />
      ) : null}
    </>
  )
}

function KeyText({ row, opened }: { row: LocationKey; opened: string | undefined }) {
  if (opened)
    return (
      <>
        <code>{opened}</code> <CopyButton what="Key" text={opened} />
      </>
    )
  return row.prefix ? <code>{row.prefix}…</code> : <span className="muted">Only its hash is kept</span>
}

const isPast = (moment: string) => Date.parse(moment) <= Date.now()

const hashed = ({ prefix }: LocationKey) =>
  prefix === null
    ? 'Only the hash of this older key was kept, so it cannot be shown. Replace it to get one that can.'
    : undefined
