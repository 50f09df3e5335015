import { basePathOf } from '../../shared/paths.ts'
import { type PortalInfo, resetPassword } from '../calls.ts'
import { NewPassword } from './NewPassword.tsx'
import { SignInFrame } from './SignInFrame.tsx'

/** Long enough to read the sentence before the login page comes. */
const REDIRECT_MS = 2500
const login = () => `${basePathOf(window.location.pathname)}/login`

/** Chooses a new password with a mailed link. */
export function ResetPage({ info, token }: { info: PortalInfo | null; token: string }) {
  return (
    <SignInFrame info={info} title="Reset Password">
      <NewPassword
        title="Reset password"
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
    </SignInFrame>
  )
}
