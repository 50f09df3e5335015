import { registeredText } from '@pillar/domain/trial/agreement'
import { useEffect, useState } from 'react'
import { LinkPage } from '../LinkPage.tsx'
import { PatientNotice } from '../PatientFrame.tsx'
import { readTrial, type TrialForm as Trial } from '../patient-calls.ts'
import { useNoFeedbackButton } from '../useNoFeedbackButton.ts'
import { RecruiterLogo } from './RecruiterLogo.tsx'
import { type SignedUpNow, TrialForm } from './TrialForm.tsx'

/** Long enough to read the result, and to stop the redirect. */
const REDIRECT_MS = 6000

/** The page where a patient invited to a clinical trial reads about it and signs up. */
export function TrialPage({ token, onProduct }: { token: string; onProduct: (name: string) => void }) {
  const [done, setDone] = useState<SignedUpNow | null>(null)
  useNoFeedbackButton()
  return (
    <LinkPage
      token={token}
      read={readTrial}
      onProduct={onProduct}
      loading="Loading consent form..."
      failed="The form could not be loaded"
      invalid={
        <PatientNotice title="Consent form is invalid / already submitted">
          <p>
            If you have already signed up, there is nothing more to do. To withdraw, use the link you got when you
            signed up. For anything else, call your pharmacy.
          </p>
        </PatientNotice>
      }
      foot={(form) => <RecruiterFoot form={form} />}
    >
      {(form, onGone) =>
        done ? (
          <Registered done={done} pharmacy={form.location.name} />
        ) : (
          <TrialForm form={form} onDone={setDone} onGone={onGone} />
        )
      }
    </LinkPage>
  )
}

function RecruiterFoot({ form }: { form: Trial }) {
  return (
    <div className="recruiter-foot">
      <RecruiterLogo form={form} />
      <a href={form.recruiter_privacy_policy} target="_blank" rel="noreferrer">
        Privacy policy of {form.recruiter}
      </a>
    </div>
  )
}

function Registered({ done, pharmacy }: { done: SignedUpNow; pharmacy: string }) {
  const next = done.redirect_url?.startsWith('https://') ? done.redirect_url : null
  const [stays, setStays] = useState(false)
  useEffect(() => {
    if (!next || stays) return
    const timer = setTimeout(() => window.location.assign(next), REDIRECT_MS)
    return () => clearTimeout(timer)
  }, [next, stays])
  return (
    <>
      <PatientNotice title="You are signed up" focus>
        <p>{registeredText(done.trial)}</p>
        {done.late ? (
          <p>
            Your earlier details count. They arrived, although you saw no answer. What you changed since was not sent:
            if it matters, call {pharmacy}.
          </p>
        ) : null}
      </PatientNotice>
      {next ? (
        <div className="onward">
          <p>{stays ? 'The survey waits for you here:' : 'You are taken to the survey in a few seconds.'}</p>
          <a className="go" href={next} rel="noreferrer">
            Go to the survey
          </a>
          {stays ? null : (
            <button type="button" className="quiet" onClick={() => setStays(true)}>
              Stay on this page
            </button>
          )}
        </div>
      ) : null}
      <h2>If you change your mind</h2>
      <p>You can withdraw at any time with this link. Please keep it.</p>
      <p>
        <a className="keep" href={done.withdraw_url}>
          {done.withdraw_url}
        </a>
      </p>
    </>
  )
}
