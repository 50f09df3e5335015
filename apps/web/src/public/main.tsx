import '../tokens.css'
import '../base.css'
import './public.css'
import './form.css'
import './factor.css'
import './outbox.css'
import { StrictMode, useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { reportError, watchErrors } from '../shared/report-error.ts'
import { watchScheme } from '../shared/scheme.ts'
import { type PortalInfo, readPortalInfo } from './calls.ts'
import { OutboxPage } from './OutboxPage.tsx'
import { PublicNotFound } from './PublicNotFound.tsx'
import { publicPageOf } from './route.ts'
import { ChangePage } from './sign-in/ChangePage.tsx'
import { FactorPage } from './sign-in/factor/FactorPage.tsx'
import { LoginPage } from './sign-in/LoginPage.tsx'
import { ResetPage } from './sign-in/ResetPage.tsx'

watchErrors()
watchScheme()

/** This installation's names and contacts; null until they arrive, and for good if they cannot be read. */
function usePortalInfo(): { info: PortalInfo | null; settled: boolean } {
  const [state, setState] = useState<{ info: PortalInfo | null; settled: boolean }>({ info: null, settled: false })
  useEffect(() => {
    readPortalInfo({}).then(
      (info) => setState({ info, settled: true }),
      () => setState({ info: null, settled: true }),
    )
  }, [])
  return state
}

function PublicPages() {
  const { info, settled } = usePortalInfo()
  const page = publicPageOf(window.location.pathname)
  if (page.name === 'login') return <LoginPage info={info} />
  if (page.name === 'change') return <ChangePage info={info} />
  if (page.name === 'factor') return <FactorPage info={info} />
  if (page.name === 'reset') return <ResetPage info={info} token={page.token} />
  if (page.name === 'outbox') {
    // Only the answer says whether there is an outbox, so nothing is shown before.
    if (!settled) return null
    if (info?.outbox) return <OutboxPage info={info} />
  }
  return <PublicNotFound info={info} />
}

createRoot(document.getElementById('root')!, { onCaughtError: reportError }).render(
  <StrictMode>
    <PublicPages />
  </StrictMode>,
)
