import { contract } from '@pillar/contract'
import type { Signup } from '@pillar/contract/company/signup-admin'
import { FormDialog } from '../../kit/dialog/FormDialog.tsx'
import { TextAreaField } from '../../kit/form/fields.tsx'

/** Turns a sign-up down. */
export function RejectDialog({ row, onClose }: { row: Signup; onClose: () => void }) {
  const emailed = row.state === 'waiting'
  return (
    <FormDialog
      words={{
        ...{ title: 'Reject sign-up', button: 'Reject', busy: 'Rejecting...', done: 'Sign-up rejected' },
        what: 'this reason',
      }}
      call={contract.signupAdmin.reject}
      ask={
        emailed
          ? `${row.first_name} ${row.last_name} gets an email with the reason. They may sign up again.`
          : 'The email address was never confirmed, so nobody is told.'
      }
      initial={{ reason: '' }}
      input={({ reason }) => ({ uuid: row.uuid, reason })}
      check={({ reason }) => (reason.trim() === '' ? [{ field: 'reason', words: 'enter a reason' }] : [])}
      onClose={() => onClose()}
    >
      {(f) => (
        <TextAreaField
          {...f('reason', 'Reason')}
          description={emailed ? `The email to ${row.email} quotes it word for word.` : 'It stays in this list.'}
          required
          data-autofocus
        />
      )}
    </FormDialog>
  )
}
