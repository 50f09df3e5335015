import { Button } from '@mantine/core'
import { contract } from '@pillar/contract'
import type { User } from '@pillar/contract/access/user'
import type { UserLocation } from '@pillar/contract/access/user-link-admin'
import { addressLine } from '@pillar/domain/pharmacy/address'
import { NO_VALUE } from '@pillar/domain/time/locale'
import { Link2, Unlink } from 'lucide-react'
import { useRead, useWrite } from '../../api/client.ts'
import { Icon } from '../../kit/display/Icon.tsx'
import { NotRefreshed } from '../../kit/display/states.tsx'
import { Tag } from '../../kit/display/Tag.tsx'
import type { Column } from '../../kit/list/data-table.ts'
import { SubTable } from '../../kit/list/SubTable.tsx'
import styles from './User.module.css'

const COLUMNS: readonly Column<UserLocation>[] = [
  { label: 'Name', cell: ({ name }) => name },
  { label: 'Address', cell: (row) => addressLine(row) || NO_VALUE },
  { label: 'Role', cell: ({ owner }) => (owner ? <Tag tone="outline">Owner</Tag> : NO_VALUE) },
]

/** The contents of a user's opened row: the pharmacies they are linked to, by company. */
export function UserLocations({ user, onLink }: { user: User; onLink: () => void }) {
  const read = useRead(contract.userLink.locations, { id: user.uuid })
  const unlink = useWrite(contract.userLink.unlink, {
    ask: {
      title: 'Unlink Location',
      consequence: 'Are you sure you want to unlink this location?',
      button: 'Unlink',
      danger: true,
    },
    done: 'Location unlinked',
  })
  const groups = byCompany(read.data?.data ?? [])
  const link =
    user.state === 'removed' ? null : (
      <Button size="xs" leftSection={<Icon of={Link2} size={14} />} onClick={onLink}>
        Link Location
      </Button>
    )
  if (groups.length === 0)
    return <SubTable title="Locations" read={read} rows={[]} id="uuid" columns={COLUMNS} actions={link} />
  return (
    <>
      <header className={styles.head}>
        <h3>Locations</h3>
        <span className="muted">{read.data?.data.length}</span>
        {link}
      </header>
      {read.error ? <NotRefreshed what="locations" error={read.error} onRetry={() => void read.refetch()} /> : null}
      {groups.map(({ name, rows }) => (
        <SubTable
          key={name}
          title={name}
          rows={rows}
          id="uuid"
          columns={COLUMNS}
          nameOf={(row) => row.name}
          menu={(row) => [
            {
              label: 'Unlink',
              icon: Unlink,
              run: () => unlink.mutateAsync({ login_id: user.uuid, location_id: row.uuid }),
            },
          ]}
        />
      ))}
    </>
  )
}

/** The server has sorted them by company. */
function byCompany(rows: readonly UserLocation[]): { name: string; rows: UserLocation[] }[] {
  const groups = new Map<string, { name: string; rows: UserLocation[] }>()
  for (const row of rows) {
    const group = groups.get(row.company.uuid) ?? { name: row.company.name, rows: [] }
    groups.set(row.company.uuid, { ...group, rows: [...group.rows, row] })
  }
  return [...groups.values()]
}
