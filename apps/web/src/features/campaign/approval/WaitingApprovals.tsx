import { campaignApproval as calls } from '@pillar/contract/campaign/campaign-approval'
import { ceilingWords } from '@pillar/domain/campaign/approval'
import { counted } from '@pillar/domain/text/sentence'
import type { Country } from '@pillar/domain/time/locale'
import { Link } from '@tanstack/react-router'
import { useRead } from '../../../api/client.ts'
import { dayOf } from '../../../kit/display/dates.ts'
import { IfNotRefreshed, notLoaded } from '../../../kit/display/Loaded.tsx'
import { Status } from '../../../kit/display/status.tsx'
import styles from './Approval.module.css'

/** Campaigns waiting for a second person's approval, those the reader may approve first; nothing if none is waiting. */
export function WaitingApprovals({ country }: { country: Country }) {
  const waiting = useRead(calls.waiting, {}, { staleTime: 0 })
  if (waiting.isError && !waiting.data)
    return (
      <div role="alert" className={styles.waiting}>
        {notLoaded('what waits for approval', waiting)}
      </div>
    )
  const campaigns = [...(waiting.data?.campaigns ?? [])].sort((a, b) => Number(b.for_you) - Number(a.for_you))
  if (campaigns.length === 0) return null
  const yours = campaigns.filter((one) => one.for_you).length
  return (
    <section className={styles.waiting} aria-label="Waiting for approval">
      <IfNotRefreshed read={waiting} what="what waits for approval" />
      <b>
        {yours > 0
          ? `${counted(yours, 'campaign waits', 'campaigns wait')} for your approval`
          : `${counted(campaigns.length, 'campaign waits', 'campaigns wait')} for approval by a second person`}
      </b>
      <ul>
        {campaigns.map(({ campaign_id: id, name, asked_by, asked_at, max_people, max_cents, for_you }) => (
          <li key={id}>
            {for_you ? <Status word="Needs approval" /> : <Status word="Waiting for approval" />}
            <Link to="/campaigns/$id" params={{ id }} search={{}}>
              {name}
            </Link>
            <span>
              {asked_by ?? 'Somebody'} asked on {dayOf(country, asked_at)} for{' '}
              {ceilingWords({ people: max_people, cents: max_cents }, country)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
