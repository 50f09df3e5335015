import { Button } from '@mantine/core'
import type { Campaign } from '@pillar/contract/campaign/campaign'
import { type CampaignApproval, campaignApproval as calls } from '@pillar/contract/campaign/campaign-approval'
import { counted, listOf } from '@pillar/domain/text/sentence'
import type { Country } from '@pillar/domain/time/locale'
import { type FormEvent, Fragment, useId, useState } from 'react'
import { useSend } from '../../../api/client.ts'
import { Dialog } from '../../../kit/dialog/Dialog.tsx'
import { ReauthFields, useReauthFields } from '../../../kit/dialog/ReauthFields.tsx'
import { toast } from '../../../kit/display/toast.tsx'
import { wordsOf } from '../../../shared/refused.ts'
import { filterWords } from '../../cohort/cohort-draft.ts'
import { useCohort } from '../../cohort/useCohort.ts'
import { Consequence } from '../ActivateDialog.tsx'
import { askOf, daysOf } from '../campaign-ask.ts'
import { todayOf } from '../form/useCampaignForm.ts'
import styles from './Approval.module.css'
import { limitWords } from './approval-words.ts'

export interface ApprovalDialogProps {
  campaign: Campaign
  country: Country
  approval: CampaignApproval
  onClose: () => void
}

/** Before somebody approves: what would be sent to whom, each text, what it costs, the limits they agree to, and the password. */
export function ApproveDialog({ campaign, country, approval, onClose }: ApprovalDialogProps) {
  const id = useId()
  const answer = useCohort(askOf(campaign, daysOf(campaign, todayOf(country))))
  const fields = useReauthFields()
  const sendNow = useSend()
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
    }
  }
  return (
    <Dialog
      opened
      size="confirm"
      title={`Approve “${campaign.name}”?`}
      closable={!waits}
      onClose={onClose}
      error={fields.error}
      footLeft={<span className="muted">Nothing is sent until it is activated.</span>}
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
        <Consequence answer={answer} country={country} />
        <Facts campaign={campaign} country={country} approval={approval} />
        <ReauthFields state={fields} autoFocus />
      </form>
    </Dialog>
  )
}

/** The pharmacies by name; of many the first few and how many more. */
function namesWords({ locations }: Campaign): string {
  const names = locations.map(({ location_name }) => location_name)
  const more = names.length - 5
  return listOf(more > 0 ? [...names.slice(0, 5), counted(more, 'other', 'others')] : names)
}

function Facts({ campaign, country, approval }: Omit<ApprovalDialogProps, 'onClose'>) {
  return (
    <dl className={styles.facts}>
      <dt>Asked by</dt>
      <dd>{approval.asked_by ?? 'Somebody'}</dd>
      {filterWords(campaign.filters, country).map(({ label, value }) => (
        <Fragment key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
      <dt>Pharmacies</dt>
      <dd>{namesWords(campaign)}</dd>
      <dt>You agree to</dt>
      <dd>{limitWords(approval, country)}. Beyond that, or once anything is changed, nothing is sent.</dd>
    </dl>
  )
}
