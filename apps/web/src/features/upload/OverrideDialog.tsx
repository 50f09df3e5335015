import { contract } from '@pillar/contract'
import { counted } from '@pillar/domain/text/sentence'
import { overrideReasonProblems, UPLOAD_NOTE_LIMIT } from '@pillar/domain/upload/upload-request'
import { FormDialog } from '../../kit/dialog/FormDialog.tsx'
import { TextField } from '../../kit/form/fields.tsx'

const CONSEQUENCE =
  'It is loaded without checking whether its rows have dropped, another system has sent the same days, or its ids now name other patients and scripts. Records missing from it may be removed, the same scripts from two systems count twice, and another pharmacy’s patients would replace this one’s.'

interface OverrideDialogProps {
  pharmacy: string
  uuid: string
  onClose: () => void
}

/** Forces an upload to be loaded, with the reason. */
export function OverrideDialog({ pharmacy, uuid, onClose }: OverrideDialogProps) {
  return (
    <FormDialog
      words={{
        ...{ title: 'Override', button: 'Override', busy: 'Overriding...', done: 'The upload will be loaded' },
        what: 'this reason',
      }}
      call={contract.etl.override}
      ask={{ title: 'Override this upload?', consequence: CONSEQUENCE, button: 'Override', danger: true }}
      initial={{ reason: '' }}
      input={({ reason }) => ({ id: pharmacy, uuid, reason })}
      check={overrideReasonProblems}
      done={({ later }) =>
        later === 0
          ? 'The upload will be loaded'
          : `The upload will be loaded. ${counted(later, 'upload was', 'uploads were')} loaded since. Their changes to the same rows will be undone.`
      }
      onClose={() => onClose()}
    >
      {(f) => (
        <>
          <p className="muted">{CONSEQUENCE}</p>
          <TextField
            {...f('reason', 'Reason')}
            maxLength={UPLOAD_NOTE_LIMIT}
            description="Stored in the company’s activity log."
            data-autofocus
          />
        </>
      )}
    </FormDialog>
  )
}
