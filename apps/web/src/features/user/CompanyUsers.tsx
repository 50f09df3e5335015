import { Button } from '@mantine/core'
import { contract } from '@pillar/contract'
import type { User } from '@pillar/contract/access/user'
import { UserPlus } from 'lucide-react'
import { useState } from 'react'
import { useRead } from '../../api/client.ts'
import { Icon } from '../../kit/display/Icon.tsx'
import { Status } from '../../kit/display/status.tsx'
import type { Column } from '../../kit/list/data-table.ts'
import { SubTable } from '../../kit/list/SubTable.tsx'
import { UserDialog } from './UserDialog.tsx'
import { fullName, stateOf } from './user-words.ts'
import { useUserActs } from './useUserActs.tsx'

const COLUMNS: readonly Column<User>[] = [
  { label: 'Name', cell: fullName },
  { label: 'Username', cell: ({ name }) => name },
  { label: 'Email', cell: ({ email }) => email },
  { label: 'Status', cell: (row) => <Status word={stateOf(row)} /> },
]

/** The users of one company, with the acts on each and a button to add one. */
export function CompanyUsers({ company, add = 'Add User' }: { company: { uuid: string; name: string }; add?: string }) {
  const users = useRead(contract.company.users, { id: company.uuid })
  const [edited, setEdited] = useState<User | 'new' | null>(null)
  const { acts, dialog } = useUserActs(setEdited)
  return (
    <>
      <SubTable
        title="Users"
        read={users}
        rows={users.data?.data}
        id="uuid"
        columns={COLUMNS}
        nameOf={fullName}
        menu={acts}
        actions={
          <Button size="xs" leftSection={<Icon of={UserPlus} size={14} />} onClick={() => setEdited('new')}>
            {add}
          </Button>
        }
      />
      {dialog}
      {edited ? (
        <UserDialog user={edited === 'new' ? null : edited} company={company} onClose={() => setEdited(null)} />
      ) : null}
    </>
  )
}
