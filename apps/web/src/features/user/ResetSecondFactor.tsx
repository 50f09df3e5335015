import { contract } from '@pillar/contract'
import type { User } from '@pillar/contract/access/user'
import { FormDialog } from '../../kit/dialog/FormDialog.tsx'
import { TextField } from '../../kit/form/fields.tsx'
import { fullName } from './user-words.ts'

const CONSEQUENCE =
  'They are signed out everywhere at once. At the next sign-in they need only their password, and set up a second factor again if they must have one.'

/** Resets a user's lost second factor, with the reason. */
export function ResetSecondFactor({ user, onClose }: { user: User; onClose: () => void }) {
  const name = fullName(user)
  return (
    <FormDialog
      words={{
        ...{ title: 'Reset second factor', button: 'Reset…', busy: 'Resetting...', what: 'this reason' },
        done: `Second factor of ${name} reset`,
      }}
      call={contract.secondFactor.reset}
      ask={{
        ...{ title: `Reset the second factor of ${name}?`, consequence: CONSEQUENCE },
        ...{ button: 'Reset second factor', danger: true },
      }}
      initial={{ reason: '' }}
      input={({ reason }) => ({ uuid: user.uuid, reason })}
      check={({ reason }) => (reason.trim() === '' ? [{ field: 'reason', words: 'enter a reason' }] : [])}
      onClose={() => onClose()}
    >
      {(f) => (
        <>
          <p className="muted">
            Ask {name} for something only they can answer, on a number you know, before you reset.
          </p>
          <TextField
            {...f('reason', 'Reason')}
            maxLength={300}
            description="Stored in the audit and in the company’s activity log."
            data-autofocus
          />
        </>
      )}
    </FormDialog>
  )
}
