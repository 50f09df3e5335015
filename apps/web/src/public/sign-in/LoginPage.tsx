import { useState } from 'react'
import type { PortalInfo } from '../calls.ts'
import { ForgotForm } from './ForgotForm.tsx'
import { LoginForm } from './LoginForm.tsx'
import { SignInFrame } from './SignInFrame.tsx'

/** Sign-in, and asking for a reset link. */
export function LoginPage({ info }: { info: PortalInfo | null }) {
  const [forgot, setForgot] = useState<string | null>(null)
  return (
    <SignInFrame info={info} title="Login">
      {forgot === null ? (
        <LoginForm demo={info?.demo ?? false} onForgot={setForgot} />
      ) : (
        <ForgotForm name={forgot} onBack={() => setForgot(null)} />
      )}
    </SignInFrame>
  )
}
