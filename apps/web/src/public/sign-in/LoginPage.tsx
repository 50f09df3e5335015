import { useState } from 'react'
import type { PortalInfo } from '../calls.ts'
import { ForgotForm } from './ForgotForm.tsx'
import { LoginForm } from './LoginForm.tsx'
import { SignInFrame } from './SignInFrame.tsx'

/** `/login?forgot` opens the form for a reset link at once. */
const asksForLink = () => (new URLSearchParams(window.location.search).has('forgot') ? '' : null)

/** Signing in, and requesting a reset link. */
export function LoginPage({ info }: { info: PortalInfo | null }) {
  const [forgot, setForgot] = useState<string | null>(asksForLink)
  return (
    <SignInFrame info={info} title="Sign in">
      {forgot === null ? (
        <LoginForm demo={info?.demo ?? false} onForgot={setForgot} />
      ) : (
        <ForgotForm name={forgot} onBack={() => setForgot(null)} />
      )}
    </SignInFrame>
  )
}
