import { contract } from '@pillar/contract'
import type { MessageBatch } from '@pillar/contract/message/run-admin'
import { reasonProblems } from '@pillar/domain/message/batch-status'
import { counted } from '@pillar/domain/text/sentence'
import { FormDialog } from '../../kit/dialog/FormDialog.tsx'
import { TextField } from '../../kit/form/fields.tsx'
import { stopWords } from './message-info-words.ts'

/** Stops a batch's unsent messages; the head office's own log keeps the reason. */
export function StopBatch({ batch, onClose }: { batch: MessageBatch; onClose: () => void }) {
  const { batch_id, location_id } = batch
  return (
    <FormDialog
      words={{
        ...{ title: 'Stop sending', button: 'Stop sending', busy: 'Stopping...', done: '', what: 'this reason' },
      }}
      call={contract.runAdmin.stop}
      initial={{ reason: '' }}
      input={({ reason }) => ({ batch_id, location_id, reason })}
      check={({ reason }) => reasonProblems(reason)}
      done={({ left }) => `Stopped. ${counted(left, 'message', 'messages')} will not be sent.`}
      onClose={() => onClose()}
    >
      {(f) => (
        <>
          <p>{stopWords(batch)}</p>
          <TextField
            {...f('reason', 'Reason')}
            description={`${batch.company_name} sees this in its activity log.`}
            maxLength={300}
            data-autofocus
          />
        </>
      )}
    </FormDialog>
  )
}
