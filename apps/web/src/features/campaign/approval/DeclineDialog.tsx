import { campaignApproval as calls } from '@pillar/contract/campaign/campaign-approval'
import { useQueryClient } from '@tanstack/react-query'
import { refresh } from '../../../api/client.ts'
import { FormDialog } from '../../../kit/dialog/FormDialog.tsx'
import { TextAreaField } from '../../../kit/form/fields.tsx'
import type { ApprovalDialogProps } from './ApproveDialog.tsx'

/** Declines a campaign, with a reason for its author. */
export function DeclineDialog({ campaign, approval, onClose }: ApprovalDialogProps) {
  const client = useQueryClient()
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
      // Changed or decided in the meantime: there are no two versions to compare, but the page behind must show it.
      latest={async (mine) => {
        await refresh(client, calls.decline)
        return mine
      }}
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
