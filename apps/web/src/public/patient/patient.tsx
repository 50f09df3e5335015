import '../../tokens.css'
import '../../base.css'
import './patient.css'
import './form.css'
import './trial/trial.css'
import { StrictMode, useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { reportError, watchErrors } from '../../shared/report-error.ts'
import { watchScheme } from '../../shared/scheme.ts'
import { ConsentPage } from './ConsentPage.tsx'
import { DownloadPage } from './DownloadPage.tsx'
import { PatientFrame, PatientNotice } from './PatientFrame.tsx'
import { PATIENT_TITLES } from './patient-calls.ts'
import { patientPageOf } from './patient-route.ts'
import { TrialPage } from './trial/TrialPage.tsx'
import { WithdrawPage } from './trial/WithdrawPage.tsx'
import { UnsubscribePage } from './UnsubscribePage.tsx'

watchErrors()
watchScheme()

function PatientPages() {
  const [product, setProduct] = useState('Pillar')
  const page = patientPageOf(window.location.pathname)
  const title = page ? PATIENT_TITLES[page.name === 'withdraw' ? 'clinicaltrial' : page.name] : 'Page not found'
  useEffect(() => {
    document.title = `${title} - ${product}`
  }, [title, product])
  if (page?.name === 'consent') return <ConsentPage token={page.token} onProduct={setProduct} />
  if (page?.name === 'clinicaltrial') return <TrialPage token={page.token} onProduct={setProduct} />
  if (page?.name === 'withdraw') return <WithdrawPage token={page.token} onProduct={setProduct} />
  if (page?.name === 'unsubscribe') return <UnsubscribePage token={page.token} onProduct={setProduct} />
  if (page?.name === 'download-file')
    return <DownloadPage token={page.token} product={product} onProduct={setProduct} />
  return (
    <PatientFrame location={null} product={null}>
      <PatientNotice title="Invalid URL">
        <p>Please open the link in the message again, or call the pharmacy.</p>
      </PatientNotice>
    </PatientFrame>
  )
}

createRoot(document.getElementById('root')!, { onCaughtError: reportError }).render(
  <StrictMode>
    <PatientPages />
  </StrictMode>,
)
