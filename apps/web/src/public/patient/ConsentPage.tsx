import { useState } from 'react'
import { ConsentForm } from './ConsentForm.tsx'
import { LinkPage } from './LinkPage.tsx'
import { PatientNotice } from './PatientFrame.tsx'
import { readForm } from './patient-calls.ts'
import { useNoFeedbackButton } from './useNoFeedbackButton.ts'

/** Where a patient says what a pharmacy may send. */
export function ConsentPage({ token, onProduct }: { token: string; onProduct: (name: string) => void }) {
  const [done, setDone] = useState(false)
  useNoFeedbackButton()
  return (
    <LinkPage
      token={token}
      read={readForm}
      onProduct={onProduct}
      loading="Loading consent form..."
      failed="The form could not be loaded"
      invalid={
        <PatientNotice title="Consent form is invalid / already submitted">
          <p>To change what your pharmacy sends you, please call the pharmacy.</p>
        </PatientNotice>
      }
    >
      {(form) =>
        done ? (
          <PatientNotice title="Thank you" focus>
            <p>Your preferences have been successfully submitted. Thank you for your time.</p>
          </PatientNotice>
        ) : (
          <ConsentForm form={form} onDone={() => setDone(true)} />
        )
      }
    </LinkPage>
  )
}
