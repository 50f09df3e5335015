import { campaignApproval as calls } from '@pillar/contract/campaign/campaign-approval'
import { FormDialog } from '../../../kit/dialog/FormDialog.tsx'
import { TextAreaField } from '../../../kit/form/fields.tsx'
import type { ApprovalDialogProps } from './ApproveDialog.tsx'

/** Says no to a campaign, with the reason its author reads. */
export function DeclineDialog({ campaign, approval, onClose }: ApprovalDialogProps) {
  return (
    <FormDialog
      words={{
        ...{ title: `Decline “${campaign.name}”`, button: 'Decline', busy: 'Declining...' },
        ...{ done: 'Campaign declined', what: 'your reason' },
      }}
      call={calls.decline}
      initial={{ reason: '' }}
      input={({ reason }) => ({ id: campaign.campaign_id, hash: approval.hash ?? '', reason })}
      check={({ reason }) => (reason.trim() ? [] : [{ field: 'reason', words: 'say why' }])}
      onClose={() => onClose()}
    >
      {(f) => (
        <TextAreaField
          {...f('reason', 'Reason')}
          description={`${approval.asked_by ?? 'Its author'} reads it. Nothing is sent.`}
        />
      )}
    </FormDialog>
  )
}
