import '../../tokens.css'
import '../../base.css'
import '../patient/patient.css'
import '../patient/form.css'
import './signup.css'
import { StrictMode, useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { reportError, watchErrors } from '../../shared/report-error.ts'
import { watchScheme } from '../../shared/scheme.ts'
import { ConfirmPage } from './ConfirmPage.tsx'
import { SignupFrame } from './SignupFrame.tsx'
import { SignupPage } from './SignupPage.tsx'
import { linkToken, type PageInfo, readPage } from './signup-calls.ts'

watchErrors()
watchScheme()

/** The form, or the page behind a mailed link. Both still work without the installation's details. */
function Pages() {
  const [info, setInfo] = useState<PageInfo | null>(null)
  useEffect(() => {
    readPage({}).then(setInfo, () => {})
  }, [])
  const product = info?.product_name ?? 'Pillar'
  useEffect(() => {
    document.title = `Calculator - ${product}`
  }, [product])
  const token = linkToken(window.location.pathname)
  return (
    <SignupFrame info={info}>
      {token === null ? <SignupPage info={info} /> : <ConfirmPage token={token} info={info} />}
    </SignupFrame>
  )
}

createRoot(document.getElementById('root')!, { onCaughtError: reportError }).render(
  <StrictMode>
    <Pages />
  </StrictMode>,
)
