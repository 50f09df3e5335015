import { useEffect, useState } from 'react'
import { Mark } from '../shared/Mark.tsx'
import { Contacts } from './Contacts.tsx'
import type { PortalInfo } from './calls.ts'
import { ForgotForm } from './ForgotForm.tsx'
import { LoginForm } from './LoginForm.tsx'
import { PillarDrawing } from './PillarDrawing.tsx'

/** Sign-in: form left, drawing right, contacts at the foot. */
export function LoginPage({ info }: { info: PortalInfo | null }) {
  const [forgot, setForgot] = useState<string | null>(null)
  const product = info?.product_name ?? 'Pillar'
  useEffect(() => {
    document.title = `Login - ${product}`
  }, [product])
  return (
    <div className="login">
      <main>
        <div className="brand">
          <Mark size={28} />
          <b>{product}</b>
        </div>
        {forgot === null ? (
          <LoginForm demo={info?.demo ?? false} onForgot={setForgot} />
        ) : (
          <ForgotForm name={forgot} onBack={() => setForgot(null)} />
        )}
        {info ? <Contacts info={info} /> : <footer className="contacts" />}
      </main>
      <PillarDrawing />
    </div>
  )
}
