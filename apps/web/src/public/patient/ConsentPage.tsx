import type { ConsentForm as Answers } from '@pillar/domain/consent/consent'
import { answerLines, consentWording } from '@pillar/domain/consent/consent-wording'
import { useState } from 'react'
import type { Arrived } from './arrived.ts'
import { ConsentForm } from './ConsentForm.tsx'
import { LinkPage } from './LinkPage.tsx'
import { PatientNotice } from './PatientFrame.tsx'
import { type Form, readForm } from './patient-calls.ts'
import { useNoFeedbackButton } from './useNoFeedbackButton.ts'

/** The page where a patient decides what a pharmacy may send. */
export function ConsentPage({ token, onProduct }: { token: string; onProduct: (name: string) => void }) {
  const [done, setDone] = useState<Arrived<Answers> | null>(null)
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
        done ? <Submitted form={form} {...done} /> : <ConsentForm form={form} onDone={setDone} onGone={onGone} />
      }
    </LinkPage>
  )
}

/** What the patient will get from now on, in the words of the questions, and whether that is what they last chose. */
function Submitted({ form, answers, late }: Arrived<Answers> & { form: Form }) {
  const applies = { health_outreach: form.health_outreach_consent, marketing: form.marketing_consent }
  const { sections } = consentWording(form.location.name, applies)
  const lines = answers ? sections.flatMap((section) => answerLines(section, answers)) : []
  return (
    <PatientNotice title={late ? 'Your earlier answers count' : 'Thank you'} focus>
      <p>
        {late
          ? 'They arrived, although you saw no answer. What you chose since could not be saved: this link works once.'
          : 'Your preferences have been successfully submitted. Thank you for your time.'}
      </p>
      <ul className="dots">
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <p>
        {late
          ? `To change ${answers ? 'that' : 'them, or to hear which of them arrived'}, call ${form.location.name}.`
          : `If you change your mind, call ${form.location.name}.`}
      </p>
    </PatientNotice>
  )
}
