import { Button } from '@mantine/core'
import { contract } from '@pillar/contract'
import type { Referral } from '@pillar/contract/trial/referral'
import { fromYmd } from '@pillar/domain/time/day'
import { formatDate, NO_VALUE } from '@pillar/domain/time/locale'
import { INVITED_BY_HEAD } from '@pillar/domain/trial/referral'
import { useSearch } from '@tanstack/react-router'
import { Download, RotateCw } from 'lucide-react'
import { send, useRead } from '../../api/client.ts'
import { MailLink } from '../../frame/MailLink.tsx'
import { Icon } from '../../kit/display/Icon.tsx'
import { Loaded } from '../../kit/display/Loaded.tsx'
import { StaleNote } from '../../kit/display/states.tsx'
import { useFile } from '../../kit/display/useFile.ts'
import { DaysChip } from '../../kit/list/chip/DaysChip.tsx'
import type { Column } from '../../kit/list/data-table.ts'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { useList } from '../../kit/list/useList.ts'
import { useCountry, useSession } from '../../session/session.ts'
import { phoneLink, phoneText } from '../../shared/phone.ts'
import { todayOf } from '../../shared/today.ts'
import styles from './Referral.module.css'
import { ReferralHistory } from './ReferralHistory.tsx'
import { ReferralSums } from './ReferralSums.tsx'
import { ReferralSwitch } from './ReferralSwitch.tsx'
import type { ReferralSearch } from './referral-search.ts'
import { rangesOf } from './referral-words.ts'

/** Patients who signed up for a recruiter's trials: who, when, and with what outcome. */
export function ReferralsPage() {
  const country = useCountry()
  const { recruiter } = useSession()
  const { from, to } = useSearch({ strict: false }) as ReferralSearch
  const list = useList(contract.referral.list, {
    ...{ id: 'consent_id', one: 'referral', many: 'referrals', none: 'No records found' },
    filters: { start_date: from, end_date: to },
    sort: { field: 'referral_date', order: 'desc' },
    privateFind: true,
  })
  const sums = useRead(contract.referral.summary, list.filter, { keepPrevious: true })
  const order = list.sort ? { sort_field: list.sort.field, sort_order: list.sort.order } : {}
  const file = useFile(() => send(contract.referral.export, { ...list.filter, ...order } as typeof list.filter))
  const refresh = () => {
    list.retry()
    void sums.refetch()
  }
  return (
    <ListPage
      title="Referrals Dashboard"
      list={list}
      columns={useColumns()}
      empty="Patients appear here once they have signed up."
      tabs={
        <>
          <Loaded read={sums} what="the sums" rows={1} words="">
            {(shown) =>
              shown.sees_nobody ? (
                <StaleNote>{shown.sees_nobody}</StaleNote>
              ) : (
                <ReferralSums sums={shown} country={country} />
              )
            }
          </Loaded>
          <h2 className={styles.heading}>
            {recruiter ? `${recruiter.recruiter_provider_name} - ` : ''}Clinical Trials Referrals
          </h2>
        </>
      }
      filters={<DaysChip ranges={rangesOf(todayOf(country))} unset="last year" />}
      actions={
        <>
          <Button leftSection={<Icon of={RotateCw} />} loading={list.stale} onClick={refresh}>
            Refresh
          </Button>
          <Button leftSection={<Icon of={Download} />} loading={file.busy} onClick={file.save}>
            Export CSV
          </Button>
        </>
      }
      expand={(row) => <ReferralHistory consentId={row.consent_id} />}
    />
  )
}

/** The specification's columns, in its order and words. */
function useColumns(): readonly Column<Referral>[] {
  const country = useCountry()
  return [
    {
      label: 'Referral Date',
      sort: 'referral_date',
      cell: ({ referral_date }) => formatDate(country, dayOf(referral_date)),
    },
    { label: 'Patient First Name', wrap: true, sort: 'first_name', cell: ({ first_name }) => first_name },
    { label: 'Patient Last Name', wrap: true, sort: 'last_name', cell: ({ last_name }) => last_name },
    {
      label: 'Phone',
      sort: 'phone_number',
      cell: ({ phone_number }) => (
        <a className={styles.phone} href={phoneLink(phone_number)}>
          {phoneText(phone_number, country)}
        </a>
      ),
    },
    {
      label: 'Email',
      sort: 'email',
      cell: ({ email }) => <MailLink className={styles.email} email={email} />,
    },
    { label: 'Post Code', sort: 'postcode', cell: ({ postcode }) => postcode },
    {
      label: 'Trial',
      sort: 'trial_name',
      cell: ({ trial_name }) => (
        <span className={styles.trial} title={trial_name}>
          {trial_name}
        </span>
      ),
    },
    {
      label: INVITED_BY_HEAD,
      wrap: true,
      sort: 'communication_type',
      cell: ({ communication_type }) => communication_type || NO_VALUE,
    },
    { label: 'Enrolled', sort: 'enrolled', cell: (row) => <ReferralSwitch row={row} field="enrolled" /> },
    {
      label: 'Contacted',
      sort: 'recruiter_contacted',
      cell: (row) => <ReferralSwitch row={row} field="recruiter_contacted" />,
    },
  ]
}

/** '22/11/2026' as a day. */
function dayOf(text: string) {
  const [date = 1, month = 1, year = 1970] = text.split('/').map(Number)
  return fromYmd(year, month, date)
}
