import { contract } from '@pillar/contract'
import type { CompanyLocation } from '@pillar/contract/company/company-admin'
import { KEY_OVERLAP_DAYS } from '@pillar/domain/upload/upload-key'
import { FormDialog } from '../../../kit/dialog/FormDialog.tsx'
import { SelectField } from '../../../kit/form/fields.tsx'

interface ReplaceKeyDialogProps {
  location: CompanyLocation
  /** Called with the new key once there is one. */
  onClose: (made?: { key_id: string; key: string }) => void
}

/** Creates a new upload key; the current one keeps working beside it for some days. */
export function ReplaceKeyDialog({ location, onClose }: ReplaceKeyDialogProps) {
  return (
    <FormDialog
      words={{
        ...{ title: 'Replace key', button: 'Replace', busy: 'Replacing...', done: 'Key replaced' },
        what: 'the new key',
      }}
      call={contract.locationKey.replace}
      ask={({ overlap_days }) => ({
        title: `Replace the key of ${location.name}?`,
        consequence:
          overlap_days === 0
            ? 'The current key stops working at once, so the pharmacy cannot upload until it has the new one.'
            : `The current key works for ${overlap_days === 1 ? '1 more day' : `${overlap_days} more days`}. Give the pharmacy the new one by then.`,
        button: 'Replace key',
      })}
      initial={{ overlap_days: String(KEY_OVERLAP_DAYS.standard) }}
      input={({ overlap_days }) => ({ id: location.uuid, overlap_days: Number(overlap_days) })}
      onClose={(made) => onClose(made)}
    >
      {(f) => (
        <SelectField {...f('overlap_days', 'The current key keeps working for')} options={OVERLAPS} data-autofocus />
      )}
    </FormDialog>
  )
}

const OVERLAPS = [
  { value: '7', label: '7 days' },
  { value: '14', label: '14 days' },
  { value: '30', label: '30 days' },
  { value: '1', label: '1 day' },
  { value: '0', label: '0 days: end it now' },
]
