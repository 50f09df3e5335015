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

/** The state of a campaign's approval by a second person. Templates may change elsewhere, so it is always read again. */
export const useApproval = (id: string) => useRead(calls.state, { id }, { staleTime: 0, enabled: id !== '' })

/** Whether the approval's note says why the campaign was held back. */
export const saysWhyHeld = (approval: CampaignApproval | undefined): boolean =>
  approval?.required === true && approval.state === 'held'

interface NoteProps {
  campaign: Campaign
  country: Country
}

/** A campaign's approval in words, with the available acts; nothing if the company does not require one. */
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
  /** With the approval as it was then, so that it never changes while somebody decides. */
  const [open, setOpen] = useState<{ to: 'ask' | 'approve' | 'decline'; approval: CampaignApproval } | null>(null)
  const begin = (to: 'ask' | 'approve' | 'decline') => setOpen({ to, approval })
  const props = { campaign, country, approval: open?.approval ?? approval, onClose: () => setOpen(null) }
  return (
    <div className={styles.buttons}>
      {!campaign.active && mayAsk(approval) ? (
        <Button size="xs" onClick={() => begin('ask')}>
          Ask for approval…
        </Button>
      ) : null}
      {approval.state === 'waiting' && approval.approver_problem === '' ? (
        <>
          <Button size="xs" onClick={() => begin('decline')}>
            Decline…
          </Button>
          <Button size="xs" variant="filled" onClick={() => begin('approve')}>
            Approve…
          </Button>
        </>
      ) : null}
      {open?.to === 'ask' ? <AskDialog {...props} /> : null}
      {open?.to === 'approve' && open.approval.content ? (
        <ApproveDialog {...props} content={open.approval.content} />
      ) : null}
      {open?.to === 'decline' ? <DeclineDialog {...props} /> : null}
    </div>
  )
}
