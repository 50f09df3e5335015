import { Button } from '@mantine/core'
import type { Campaign } from '@pillar/contract/campaign/campaign'
import { type CampaignApproval, campaignApproval as calls } from '@pillar/contract/campaign/campaign-approval'
import type { Country } from '@pillar/domain/time/locale'
import { useState } from 'react'
import { useRead } from '../../../api/client.ts'
import { IfNotRefreshed } from '../../../kit/display/Loaded.tsx'
import { Failed } from '../../../kit/display/states.tsx'
import { Status } from '../../../kit/display/status.tsx'
import styles from './Approval.module.css'
import { ApproveDialog } from './ApproveDialog.tsx'
import { AskDialog } from './AskDialog.tsx'
import { approvalStatus, approvalWords, mayAsk } from './approval-words.ts'
import { DeclineDialog } from './DeclineDialog.tsx'

/** Where the approval of a campaign by a second person stands; templates may change elsewhere, so it is always read anew. */
export const useApproval = (id: string) => useRead(calls.state, { id }, { staleTime: 0, enabled: id !== '' })

interface NoteProps {
  campaign: Campaign
  country: Country
}

/** The approval of a campaign in words, with what can be done about it; nothing where the company asks for none. */
export function ApprovalNote({ campaign, country, place }: NoteProps & { place: 'page' | 'dialog' }) {
  const approval = useApproval(campaign.campaign_id)
  if (approval.isError && !approval.data)
    return <Failed title="Could not load the approval" error={approval.error} onRetry={() => void approval.refetch()} />
  if (!approval.data?.required || (campaign.active && approval.data.state === 'none')) return null
  return (
    <section className={`${styles.note} ${styles[place]}`} aria-label="Approval">
      <IfNotRefreshed read={approval} what="the approval" />
      <Status word={approvalStatus(approval.data)} />
      <p aria-live="polite">{approvalWords(approval.data, country)}</p>
      <Buttons campaign={campaign} country={country} approval={approval.data} />
    </section>
  )
}

function Buttons({ campaign, country, approval }: NoteProps & { approval: CampaignApproval }) {
  const [open, setOpen] = useState<'ask' | 'approve' | 'decline' | null>(null)
  const props = { campaign, country, approval, onClose: () => setOpen(null) }
  return (
    <div className={styles.buttons}>
      {!campaign.active && mayAsk(approval) ? (
        <Button size="xs" onClick={() => setOpen('ask')}>
          Ask for approval…
        </Button>
      ) : null}
      {approval.state === 'waiting' && approval.approver_problem === '' ? (
        <>
          <Button size="xs" onClick={() => setOpen('decline')}>
            Decline…
          </Button>
          <Button size="xs" variant="filled" onClick={() => setOpen('approve')}>
            Approve…
          </Button>
        </>
      ) : null}
      {open === 'ask' ? <AskDialog {...props} /> : null}
      {open === 'approve' && approval.content ? <ApproveDialog {...props} content={approval.content} /> : null}
      {open === 'decline' ? <DeclineDialog {...props} /> : null}
    </div>
  )
}
