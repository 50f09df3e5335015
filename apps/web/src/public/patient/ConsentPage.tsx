import type { ConsentForm as Answers } from '@pillar/domain/consent/consent'
import { answerLines, consentWording } from '@pillar/domain/consent/consent-wording'
import { useState } from 'react'
import { ConsentForm } from './ConsentForm.tsx'
import { LinkPage } from './LinkPage.tsx'
import { PatientNotice } from './PatientFrame.tsx'
import { type Form, readForm } from './patient-calls.ts'
import { useNoFeedbackButton } from './useNoFeedbackButton.ts'

/** The page where a patient decides what a pharmacy may send. */
export function ConsentPage({ token, onProduct }: { token: string; onProduct: (name: string) => void }) {
  const [done, setDone] = useState<Answers | null>(null)
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
          <p>
            If you have already answered, there is nothing more to do. To change what your pharmacy sends you, or for a
            new link, call your pharmacy.
          </p>
        </PatientNotice>
      }
    >
      {(form, onGone) =>
        done ? <Submitted form={form} answers={done} /> : <ConsentForm form={form} onDone={setDone} onGone={onGone} />
      }
    </LinkPage>
  )
}

/** What the patient will get from now on, in the words of the questions. */
function Submitted({ form, answers }: { form: Form; answers: Answers }) {
  const applies = { health_outreach: form.health_outreach_consent, marketing: form.marketing_consent }
  const lines = consentWording(form.location.name, applies).sections.flatMap((section) => answerLines(section, answers))
  return (
    <PatientNotice title="Thank you" focus>
      <p>Your preferences have been successfully submitted. Thank you for your time.</p>
      <ul className="dots">
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <p>If you change your mind, call {form.location.name}.</p>
    </PatientNotice>
  )
}
