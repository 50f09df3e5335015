import { useEffect, useState } from 'react'
import { basePathOf } from '../../shared/paths.ts'
import { RefusedError } from '../../shared/refused.ts'
import { checkReset, type PortalInfo, resetPassword } from '../calls.ts'
import { Alert } from '../icons.tsx'
import { NewPassword } from './NewPassword.tsx'
import { SignInFrame } from './SignInFrame.tsx'

/** Long enough to read the sentence before the login page opens. */
const REDIRECT_MS = 2500
const login = () => `${basePathOf(window.location.pathname)}/login`

/** Sets a password with a mailed link, an invitation or a reset: both choose one. A dead link says so before anybody types. */
export function ResetPage({ info, token }: { info: PortalInfo | null; token: string }) {
  const [dead, setDead] = useState<string | null>(null)
  useEffect(() => {
    // Only a refusal by the server ends the page; without an answer, sending the form decides.
    checkReset({ reset_token: token }).catch((error: unknown) => {
      if (error instanceof RefusedError && (error.status === 404 || error.status === 422)) setDead(error.message)
    })
  }, [token])
  return (
    <SignInFrame info={info} title="Choose Password">
      {dead ? <DeadLink message={dead} /> : <ResetForm token={token} />}
    </SignInFrame>
  )
}

function DeadLink({ message }: { message: string }) {
  return (
    <div className="sheet">
      <h1>Choose your password</h1>
      <p className="lead">
        Links work once: a reset link for an hour, an invitation for 7 days. A newer link replaces an older one.
      </p>
      <div role="alert" className="refused">
        <Alert /> Warning: {message}
      </div>
      <a className="primary" href={`${login()}?forgot`}>
        Request a new link
      </a>
      <a className="back" href={login()}>
        Back to sign in
      </a>
    </div>
  )
}

function ResetForm({ token }: { token: string }) {
  return (
    <NewPassword
      title="Choose your password"
      lead="Choose a password of at least 15 characters. Several words in a row are easy to remember."
      send={async (entries) => {
        await resetPassword({ reset_token: token, ...entries })
        setTimeout(() => window.location.assign(login()), REDIRECT_MS)
      }}
      words={{
        password: 'Password',
        confirmation: 'Confirm Password',
        submit: ['Submit', 'Submitting...'],
        refused: 'Warning: ',
        sending: 'Your password is being reset...',
        done: 'Password successfully reset! Redirecting to Login...',
      }}
      foot={
        <a className="back" href={login()}>
          Back to sign in
        </a>
      }
    />
  )
}
