import { Button } from '@mantine/core'
import { contract } from '@pillar/contract'
import type { ClinicalTrial } from '@pillar/contract/trial/trial-admin'
import { day } from '@pillar/domain/time/day'
import { type Country, formatDate, formatNumber, NO_VALUE } from '@pillar/domain/time/locale'
import { useSearch } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Icon } from '../../kit/display/Icon.tsx'
import { Status } from '../../kit/display/status.tsx'
import { ACTIVE, activeOf } from '../../kit/list/chip/active.ts'
import { FilterChip } from '../../kit/list/chip/FilterChip.tsx'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { useList } from '../../kit/list/useList.ts'
import { useCountry } from '../../session/session.ts'
import { RecruiterDialog } from '../recruiter/RecruiterDialog.tsx'
import { TrialDetails } from './TrialDetails.tsx'
import { type Opened, TrialDialogs } from './TrialDialogs.tsx'
import { useTrialActs } from './useTrialActs.ts'

/** Clinical trials: each opens to its figures and its pharmacies. */
export function TrialsPage({ tabs }: { tabs: ReactNode }) {
  const country = useCountry()
  const { status } = useSearch({ strict: false }) as { status?: string }
  const list = useList(contract.clinicalTrial.search, {
    ...{ id: 'trial_id', one: 'clinical trial', many: 'clinical trials', find: 'name' },
    filters: { active: activeOf(status) },
  })
  const [opened, open] = useState<Opened | null>(null)
  const [recruiter, setRecruiter] = useState(false)
  const acts = useTrialActs(open)
  const count = (value: number) => formatNumber(country, value)
  return (
    <>
      <ListPage
        title="Settings"
        tabs={tabs}
        list={list}
        columns={[
          { label: 'Trial', sort: 'name', cell: ({ name }) => name },
          { label: 'Status', sort: 'active', cell: ({ active }) => <Status word={active ? 'Active' : 'Inactive'} /> },
          { label: 'Recruiter', sort: 'recruiter', cell: (row) => row.recruiter.name },
          { label: 'Dates', sort: 'start_date', cell: (row) => datesOf(country, row) },
          { label: 'Eligible', num: true, cell: (row) => count(row.totals.total_eligible) },
          { label: 'Contacted', num: true, cell: (row) => count(row.totals.total_contacted) },
          { label: 'Referred', num: true, cell: (row) => count(row.totals.total_referred) },
          { label: 'Opted out', num: true, cell: (row) => count(row.totals.total_optout) },
        ]}
        empty="Create a recruiter and a provider, then a trial."
        actions={
          <>
            <Button onClick={() => setRecruiter(true)}>Create Recruiter / Provider</Button>
            <Button leftSection={<Icon of={Plus} />} variant="filled" onClick={() => open({ dialog: 'create' })}>
              Create Trial
            </Button>
          </>
        }
        filters={<FilterChip field="status" label="Status" options={ACTIVE} />}
        menu={acts}
        expand={(row) => <TrialDetails trial={row} open={open} />}
      />
      <TrialDialogs opened={opened} open={open} />
      {recruiter ? <RecruiterDialog row={null} onClose={() => setRecruiter(false)} /> : null}
    </>
  )
}

/** '3 Aug 2026 – 31 Mar 2027'; a trial without an end has no second date. */
function datesOf(country: Country, { start_date, end_date }: ClinicalTrial): string {
  const text = (date: string) => formatDate(country, day(date))
  if (!start_date && !end_date) return NO_VALUE
  if (!end_date) return `From ${text(start_date ?? '')}`
  return `${start_date ? `${text(start_date)} – ` : 'Until '}${text(end_date)}`
}
