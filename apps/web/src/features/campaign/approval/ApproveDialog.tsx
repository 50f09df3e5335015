import { Button } from '@mantine/core'
import type { Campaign } from '@pillar/contract/campaign/campaign'
import { type CampaignApproval, campaignApproval as calls } from '@pillar/contract/campaign/campaign-approval'
import { type Day, formatDay } from '@pillar/domain/time/day'
import type { Country } from '@pillar/domain/time/locale'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { refresh, useSend } from '../../../api/client.ts'
import { Dialog } from '../../../kit/dialog/Dialog.tsx'
import { ReauthFields, useReauthFields } from '../../../kit/dialog/ReauthFields.tsx'
import { toast } from '../../../kit/display/toast.tsx'
import { RefusedError, wordsOf } from '../../../shared/refused.ts'
import { todayOf } from '../../../shared/today.ts'
import { type CohortAsk, useCohort } from '../../cohort/useCohort.ts'
import { Consequence } from '../ActivateDialog.tsx'
import { daysOf } from '../campaign-ask.ts'
import styles from './Approval.module.css'
import { ApprovalFacts, ApprovalTexts, type Content } from './ApprovalFacts.tsx'
import { limitWords } from './approval-words.ts'

export interface ApprovalDialogProps {
  campaign: Campaign
  country: Country
  approval: CampaignApproval
  onClose: () => void
}

/** The content as the question for its cohort count. */
function askOf(
  { filters, pharmacies, texts, holdout_percent, ...dates }: Content,
  campaign_id: string,
  today: Day,
): CohortAsk {
  const days = daysOf({ ...dates, ended_early: false }, today)
  return {
    ...{ filters, campaign_id, pharmacies: pharmacies.map(({ location_id }) => location_id) },
    templates: texts.map((text) => ({ ...text, template_recommendation_id: null })),
    start_date: formatDay(days.start),
    end_date: days.end === null ? null : formatDay(days.end),
    no_holdout: holdout_percent === null,
  }
}

/**
 * Before somebody approves: what would be sent to whom, each text, the cost, the limits they agree to, and the password. All of it comes from
 * what the returned hash covers, not from the cache of other reads.
 */
export function ApproveDialog({
  campaign,
  country,
  approval,
  content,
  onClose,
}: ApprovalDialogProps & { content: Content }) {
  const id = useId()
  const answer = useCohort(askOf(content, campaign.campaign_id, todayOf(country)))
  const fields = useReauthFields()
  const sendNow = useSend()
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const waits = busy || fields.busy
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (waits || !answer.ledger) return
    const grant = await fields.confirm('activate', campaign.campaign_id)
    if (!grant) return
    setBusy(true)
    try {
      await sendNow(calls.approve, { id: campaign.campaign_id, hash: approval.hash ?? '' }, grant)
      toast('Campaign approved')
      onClose()
    } catch (thrown) {
      fields.setError(wordsOf(thrown))
      setBusy(false)
      // Changed, or decided by somebody else: the page behind now shows the current state.
      if (thrown instanceof RefusedError && thrown.code === 'conflict') await refresh(client, calls.approve)
    }
  }
  return (
    <Dialog
      opened
      size="confirm"
      title={`Approve “${content.name}”?`}
      closable={!waits}
      onClose={onClose}
      error={fields.error}
      foot={
        <>
          <Button onClick={onClose} disabled={waits}>
            Back
          </Button>
          <Button type="submit" form={id} variant="filled" disabled={!answer.ledger} loading={waits}>
            Approve {limitWords(approval, country)}
          </Button>
        </>
      }
    >
      <form id={id} className={styles.form} onSubmit={submit} noValidate>
        {/* Read first: a field further down would be pushed under the foot while people are counted. */}
        <div tabIndex={-1} data-autofocus>
          <Consequence answer={answer} country={country} />
        </div>
        <ApprovalTexts texts={content.texts} />
        <ApprovalFacts approval={approval} content={content} country={country} />
        <ReauthFields state={fields} />
      </form>
    </Dialog>
  )
}
