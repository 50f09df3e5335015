import { contract } from '@pillar/contract'
import type { Signup } from '@pillar/contract/company/signup-admin'
import { addressLine } from '@pillar/domain/pharmacy/address'
import { type SignupState, tellProblem } from '@pillar/domain/signup/signup'
import { softwareName, softwareNeed } from '@pillar/domain/signup/signup-software'
import { joined } from '@pillar/domain/text/sentence'
import { NO_VALUE } from '@pillar/domain/time/locale'
import { useSearch } from '@tanstack/react-router'
import {
  Building2,
  CircleCheck,
  CircleX,
  Clock,
  type LucideIcon,
  MailCheck,
  MailQuestionMark,
  TriangleAlert,
  X,
} from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useWrite } from '../../api/client.ts'
import { dayOf } from '../../kit/display/dates.ts'
import { Tag, type Tone } from '../../kit/display/Tag.tsx'
import { FilterChip } from '../../kit/list/chip/FilterChip.tsx'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { useList } from '../../kit/list/useList.ts'
import { useCountry } from '../../session/session.ts'
import { ApproveDialog } from './ApproveDialog.tsx'
import { RejectDialog } from './RejectDialog.tsx'

const STATES: Readonly<Record<SignupState, { label: string; tone: Tone; icon: LucideIcon }>> = {
  waiting: { label: 'Waiting for you', tone: 'caution', icon: Clock },
  unconfirmed: { label: 'Email not confirmed', tone: 'neutral', icon: MailQuestionMark },
  approved: { label: 'Account created', tone: 'good', icon: CircleCheck },
  rejected: { label: 'Rejected', tone: 'bad', icon: CircleX },
}
const SHOWN = (Object.keys(STATES) as SignupState[]).map((value) => ({ value, label: STATES[value].label }))

/** The queue of sign-ups from the calculator page: waiting ones, unless another state is selected. */
export function SignupsPage({ tabs }: { tabs: ReactNode }) {
  const country = useCountry()
  const { signup } = useSearch({ strict: false }) as { signup?: SignupState }
  const list = useList(contract.signupAdmin.search, {
    ...{ id: 'uuid', one: 'sign-up', many: 'sign-ups', sort: { field: 'created_at', order: 'asc' } },
    within: { state: signup ?? 'waiting' },
  })
  const [open, setOpen] = useState<{ act: 'approve' | 'reject'; row: Signup } | null>(null)
  const close = () => setOpen(null)
  const named = (uuid: string) => list.rows.find((row) => row.uuid === uuid)
  const tell = useWrite(contract.signupAdmin.tellSupported, {
    ask: ({ uuid }) => ({
      title: `Say that ${named(uuid)?.asked_for.map(softwareName).join(' and ') ?? 'their software'} is supported now?`,
      consequence: `${named(uuid)?.first_name ?? 'The person'} gets one email that says so.`,
      button: 'Send email',
    }),
    done: 'Email sent',
  })
  return (
    <>
      <ListPage
        title="Settings"
        tabs={tabs}
        list={list}
        columns={[
          { label: 'Pharmacy', sort: 'pharmacy_name', cell: (row) => row.pharmacy_name, sub: addressLine },
          { label: 'Phone', cell: (row) => <span style={{ whiteSpace: 'nowrap' }}>{row.pharmacy_phone}</span> },
          { label: 'Person', sort: 'name', cell: (row) => `${row.first_name} ${row.last_name}`, sub: personOf },
          {
            label: 'Dispensing software',
            cell: (row) => <Software row={row} />,
            sub: (row) =>
              row.supported_told_at && `told on ${dayOf(country, row.supported_told_at)} that it is supported`,
          },
          { label: 'State', cell: (row) => <State row={row} />, sub: (row) => outcomeOf(row) },
          { label: 'Signed up', sort: 'created_at', num: true, cell: (row) => dayOf(country, row.created_at) },
        ]}
        empty="Nobody is waiting. Sign-ups come from the public page /calculator, once their email address is confirmed."
        filters={<FilterChip field="signup" label="State" options={SHOWN} />}
        menu={(row) => [
          ...(row.state === 'waiting'
            ? [{ label: 'Create account', icon: Building2, run: () => setOpen({ act: 'approve', row }) }]
            : []),
          ...(tellProblem(row) === ''
            ? [{ label: 'Tell them it is supported', icon: MailCheck, run: () => tell.mutateAsync({ uuid: row.uuid }) }]
            : []),
          ...(row.state === 'waiting' || row.state === 'unconfirmed'
            ? [{ label: 'Reject', icon: X, danger: true, run: () => setOpen({ act: 'reject', row }) }]
            : []),
        ]}
      />
      {open?.act === 'approve' ? <ApproveDialog row={open.row} onClose={close} /> : null}
      {open?.act === 'reject' ? <RejectDialog row={open.row} onClose={close} /> : null}
    </>
  )
}

const personOf = (row: Signup) => joined([row.job_title, row.email, row.phone], ' · ')
const outcomeOf = ({ company, reason, decided_by }: Signup) =>
  joined([company?.name, reason, decided_by && `by ${decided_by}`], ' · ')

function State({ row }: { row: Signup }) {
  const { label, tone, icon } = STATES[row.state]
  return (
    <Tag tone={tone} icon={icon}>
      {label}
    </Tag>
  )
}

/** Names of the systems, with a note if one needs a form or is not supported. */
function Software({ row: { sources, supported_told_at } }: { row: Signup }) {
  const names = sources.map(softwareName).join(', ') || NO_VALUE
  const needs = [...new Set(sources.map(softwareNeed))]
  if (supported_told_at !== null || needs.every((need) => need === 'nothing')) return names
  return (
    <>
      {names}{' '}
      <Tag tone="caution" icon={TriangleAlert}>
        {needs.includes('not supported') ? 'Not supported yet' : 'Access form needed'}
      </Tag>
    </>
  )
}
