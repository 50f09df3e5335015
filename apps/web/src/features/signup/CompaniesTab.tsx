import { contract } from '@pillar/contract'
import type { ReactNode } from 'react'
import { useRead } from '../../api/client.ts'
import { ListTabs } from '../../kit/list/page/ListTabs.tsx'
import { CompaniesPage } from '../company/CompaniesPage.tsx'
import { SignupsPage } from './SignupsPage.tsx'

/** The customers, and the sign-ups from the public page. */
export function CompaniesTab({ tabs }: { tabs: ReactNode }) {
  const { data, isError } = useRead(contract.signupAdmin.search, { state: 'waiting' })
  const waiting = data?.waiting ?? (isError ? 'could not count' : 0)
  return (
    <ListTabs
      {...{ tabs, tab: 0, label: 'Accounts and sign-ups' }}
      lists={[
        { name: 'accounts', label: 'Accounts', page: CompaniesPage },
        { name: 'signups', label: waiting === 0 ? 'Sign-ups' : `Sign-ups (${waiting})`, page: SignupsPage },
      ]}
    />
  )
}
