import { contract } from '@pillar/contract'
import type { User } from '@pillar/contract/access/user'
import { RESTORE_DAYS } from '@pillar/domain/company/removal'
import { CirclePlay, CircleSlash, LogOut, Mail, Pencil, ShieldOff, Trash2, Undo2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useWrite } from '../../api/client.ts'
import { toast } from '../../kit/display/toast.tsx'
import { type Act, start } from '../../kit/list/acts.tsx'
import { useSession } from '../../session/session.ts'
import { ResetSecondFactor } from './ResetSecondFactor.tsx'

const calls = contract.user

/** The acts on a user, for their row's menu, and the dialog of the selected act. @param edit opens the user's dialog */
export function useUserActs(edit: (user: User) => void): { acts: (user: User) => Act[]; dialog: ReactNode } {
  const { username } = useSession()
  const [reset, setReset] = useState<User | null>(null)
  const invite = useWrite(calls.invite, {
    ask: {
      title: 'Send an invitation?',
      consequence: 'It carries a one-time link to choose a password, for 7 days. Earlier links stop working.',
      button: 'Send invitation',
    },
    done: ({ message }) => message,
  })
  const disable = useWrite(calls.disable, {
    ask: {
      title: 'Disable this user?',
      consequence: 'They are signed out everywhere at once and cannot sign in until they are enabled again.',
      button: 'Disable user',
      danger: true,
    },
    done: 'User disabled',
  })
  const enable = useWrite(calls.enable, {
    ask: { title: 'Enable this user?', consequence: 'They can sign in again.', button: 'Enable user' },
    done: 'User enabled',
  })
  const end = useWrite(calls.endSessions, {
    ask: {
      title: 'End all sessions of this user?',
      consequence: 'They are signed out on every device at once, and can sign in again.',
      button: 'End sessions',
    },
    done: ({ ended }) =>
      ended === 0 ? 'No session was open' : `${ended} ${ended === 1 ? 'session' : 'sessions'} ended`,
  })
  const restore = useWrite(calls.restore, {
    ask: { title: 'Restore this user?', consequence: 'Their login and locations come back.', button: 'Restore user' },
    done: 'User restored',
  })
  const remove = useWrite(calls.remove, {
    ask: {
      title: 'Remove this user?',
      consequence: `Are you sure you want to remove this user? They are signed out at once. You can restore them for ${RESTORE_DAYS} days.`,
      button: 'Remove user',
      danger: true,
    },
  })
  const removed = async (uuid: string) => {
    const undo = { label: 'Undo', run: () => start({ run: () => restore.mutateAsync({ uuid }) }) }
    if (await remove.mutateAsync({ uuid })) toast('User removed', { action: undo })
  }
  const acts = (user: User): Act[] => {
    const { uuid, state } = user
    if (state === 'removed') return [{ label: 'Restore', icon: Undo2, run: () => restore.mutateAsync({ uuid }) }]
    const self = user.name === username ? 'Another support login has to do this for you' : undefined
    const waiting = state === 'invited' || state === 'invitation expired' || state === 'not invited'
    return [
      { label: 'Edit', icon: Pencil, run: () => edit(user) },
      ...(waiting ? [{ label: 'Send invitation', icon: Mail, run: () => invite.mutateAsync({ uuid }) }] : []),
      { label: 'End sessions', icon: LogOut, run: () => end.mutateAsync({ uuid }) },
      { label: 'Reset second factor', icon: ShieldOff, run: () => setReset(user) },
      state === 'disabled'
        ? { label: 'Enable', icon: CirclePlay, run: () => enable.mutateAsync({ uuid }) }
        : {
            label: 'Disable',
            icon: CircleSlash,
            danger: true,
            disabled: self,
            run: () => disable.mutateAsync({ uuid }),
          },
      { label: 'Remove', icon: Trash2, danger: true, disabled: self, run: () => removed(uuid) },
    ]
  }
  return { acts, dialog: reset ? <ResetSecondFactor user={reset} onClose={() => setReset(null)} /> : null }
}
