import { contract } from '@pillar/contract'
import type { User } from '@pillar/contract/access/user'
import { NO_VALUE } from '@pillar/domain/time/locale'
import { useSearch } from '@tanstack/react-router'
import { Link2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { dayOf } from '../../kit/display/dates.ts'
import { Status } from '../../kit/display/status.tsx'
import { FilterChip } from '../../kit/list/chip/FilterChip.tsx'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { TwoLines } from '../../kit/list/page/TwoLines.tsx'
import { useEdited } from '../../kit/list/page/useEdited.tsx'
import { useList } from '../../kit/list/useList.ts'
import { useCountry } from '../../session/session.ts'
import type { SettingsSearch } from '../settings/settings-search.ts'
import { LinkDialog } from './LinkDialog.tsx'
import { UserDialog } from './UserDialog.tsx'
import { UserLocations } from './UserLocations.tsx'
import { birthOf, fullName, stateOf } from './user-words.ts'
import { useUserActs } from './useUserActs.tsx'

const SHOW = [
  { value: 'active', label: 'Active' },
  { value: 'waiting', label: 'Waiting for a password' },
  { value: 'disabled', label: 'Disabled' },
  { value: 'unlinked', label: 'Without a location' },
  { value: 'removed', label: 'Removed' },
] as const

/** Everybody who can sign in, over all companies; each opens to their pharmacies. */
export function UsersPage({ tabs }: { tabs: ReactNode }) {
  const country = useCountry()
  const { show } = useSearch({ strict: false }) as SettingsSearch
  const filters = { show }
  const list = useList(contract.user.search, { id: 'uuid', one: 'user', many: 'users', find: 'name', filters })
  const edited = useEdited<User>('Create User', (row, close) => <UserDialog user={row} onClose={close} />)
  const [linked, setLinked] = useState<{ users: readonly User[]; clear: () => void } | null>(null)
  const { acts, dialog } = useUserActs(edited.edit)
  return (
    <>
      <ListPage
        title="Settings"
        tabs={tabs}
        list={list}
        columns={[
          { label: 'Full Name', sort: 'name', cell: fullName },
          { label: 'Preferred Name', cell: (row) => row.person.personal_information.preferred_name ?? NO_VALUE },
          { label: 'Username', sort: 'username', cell: ({ name }) => name },
          {
            label: 'Email',
            sort: 'email',
            cell: ({ email, company }) => <TwoLines first={email} second={company.name} />,
          },
          { label: 'Status', cell: (row) => <Status word={stateOf(row)} /> },
          { label: 'DoB', num: true, cell: (row) => birthOf(country, row.person.personal_information.dob) },
          { label: 'Sex', cell: (row) => row.person.personal_information.sex ?? NO_VALUE },
          { label: 'Date Added', sort: 'created_at', num: true, cell: (row) => dayOf(country, row.person.created_at) },
        ]}
        empty="Create a user of a company."
        actions={edited.button}
        filters={<FilterChip field="show" label="Show" options={SHOW} />}
        menu={acts}
        expand={(row) => <UserLocations user={row} onLink={() => setLinked({ users: [row], clear: () => {} })} />}
        batch={({ rows, filter, clear }) => [
          {
            label: 'Link Location',
            icon: Link2,
            disabled: filter ? 'Select the users one by one to link them' : undefined,
            run: () => setLinked({ users: rows, clear }),
          },
        ]}
      />
      {dialog}
      {edited.dialog}
      {linked ? (
        <LinkDialog
          users={linked.users}
          onClose={(done) => {
            setLinked(null)
            if (done) linked.clear()
          }}
        />
      ) : null}
    </>
  )
}
