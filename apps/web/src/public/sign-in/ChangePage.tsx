import type { LoginAnswer } from '@pillar/contract/access/session'
import { useEffect, useRef, useState } from 'react'
import { clearMarker, hasMarker, keepEnding, keepSignedInAt } from '../../shared/marker.ts'
import { basePathOf } from '../../shared/paths.ts'
import { RefusedError } from '../../shared/refused.ts'
import { changePassword, logout, type PortalInfo, refresh } from '../calls.ts'
import { Alert } from '../icons.tsx'
import { addressAfter } from './after-sign-in.ts'
import { NewPassword } from './NewPassword.tsx'
import { PasswordField } from './PasswordField.tsx'
import { SignInFrame } from './SignInFrame.tsx'

/** Long enough to read the sentence before the portal opens. */
const REDIRECT_MS = 1500

function toLogin(ending: 'expired' | 'signed-out'): void {
  // A visitor who has not signed in has no session that could have expired.
  if (hasMarker()) keepEnding(ending)
  clearMarker()
  window.location.replace(`${basePathOf(window.location.pathname)}/login`)
}

/** A token from the session's cookie, and its owner. Visitors who are not signed in are sent to the login page. */
async function openSession(): Promise<LoginAnswer> {
  try {
    return await refresh({})
  } catch (error) {
    if (error instanceof RefusedError && error.expired) toLogin('expired')
    throw error
  }
}

/** A signed-in person replaces their password; if somebody else set it, they must do so first. */
export function ChangePage({ info }: { info: PortalInfo | null }) {
  const [who, setWho] = useState<LoginAnswer | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  useEffect(() => {
    openSession().then(setWho, (error: unknown) =>
      setFailure(error instanceof RefusedError && !error.expired ? error.message : null),
    )
  }, [])
  return (
    <SignInFrame info={info} title="Change Password">
      {who ? (
        <ChangeForm who={who} />
      ) : (
        <form onSubmit={(event) => event.preventDefault()}>
          {failure ? (
            <>
              <div role="alert" className="refused">
                <Alert /> {failure}
              </div>
              <button type="button" className="primary" onClick={() => window.location.reload()}>
                Try again
              </button>
            </>
          ) : null}
        </form>
      )}
    </SignInFrame>
  )
}

const WORDS = {
  password: 'New password',
  confirmation: 'Confirm new password',
  submit: ['Change password', 'Changing...'],
  refused: '',
  sending: 'Your password is being changed...',
  done: 'Password changed. Opening the portal...',
} as const

function ChangeForm({ who }: { who: LoginAnswer }) {
  const [current, setCurrent] = useState('')
  const first = useRef<HTMLInputElement>(null)
  useEffect(() => first.current?.focus(), [])
  const send = async (entries: { password: string; password_confirmation: string }) => {
    try {
      // The page may have been open for longer than a token lasts.
      const { access_token } = await openSession()
      const answer = await changePassword({ current_password: current, ...entries }, access_token)
      keepSignedInAt(Date.now())
      setTimeout(() => window.location.assign(addressAfter(answer)), REDIRECT_MS)
    } catch (error) {
      // The fields of the new password show their own problems.
      first.current?.focus()
      throw error
    }
  }
  const leave = async () => {
    if (!who.must_change_password) return window.location.assign(addressAfter(who))
    await logout({}).catch(() => null)
    toLogin('signed-out')
  }
  const why = who.must_change_password
    ? 'Someone else chose your password. Before you go on, choose your own: '
    : 'Choose one of '
  return (
    <NewPassword
      title="Choose a new password"
      lead={`${why}at least 15 characters. Several words in a row are easy to remember.`}
      send={send}
      words={WORDS}
      foot={
        <button type="button" className="link back" onClick={leave}>
          {who.must_change_password ? 'Sign out' : 'Back to the portal'}
        </button>
      }
    >
      {/* For password managers, which otherwise store the new password without a name. */}
      <input type="text" name="username" autoComplete="username" value={who.username} readOnly hidden />
      <PasswordField
        ref={first}
        label="Current password"
        value={current}
        onChange={setCurrent}
        autoComplete="current-password"
      />
    </NewPassword>
  )
}
