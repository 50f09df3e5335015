import '../tokens.css'
import '../base.css'
import './patient.css'
import { StrictMode, useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { watchScheme } from '../shared/scheme.ts'
import { ConsentPage } from './ConsentPage.tsx'
import { readPortalInfo } from './calls.ts'
import { DownloadPage } from './DownloadPage.tsx'
import { PatientFrame, PatientNotice } from './PatientFrame.tsx'
import { PATIENT_TITLES } from './patient-calls.ts'
import { patientPageOf } from './patient-route.ts'
import { UnsubscribePage } from './UnsubscribePage.tsx'

watchScheme()

function PatientPages() {
  const [product, setProduct] = useState('Pillar')
  const page = patientPageOf(window.location.pathname)
  useEffect(() => {
    readPortalInfo({}).then(
      (info) => setProduct(info.product_name),
      // Only the name in the last line hangs on it.
      () => {},
    )
  }, [])
  const title = page ? PATIENT_TITLES[page.name] : 'Page not found'
  useEffect(() => {
    document.title = `${title} - ${product}`
  }, [title, product])
  if (page?.name === 'consent') return <ConsentPage token={page.token} product={product} />
  if (page?.name === 'unsubscribe') return <UnsubscribePage token={page.token} product={product} />
  if (page?.name === 'download-file') return <DownloadPage token={page.token} product={product} />
  return (
    <PatientFrame location={null} product={product}>
      <PatientNotice title="Invalid URL">
        <p>Please open the link in the message again, or call the pharmacy.</p>
      </PatientNotice>
    </PatientFrame>
  )
}

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <PatientPages />
  </StrictMode>,
)
