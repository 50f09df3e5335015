import { useEffect, useState } from 'react'
import { RefusedError } from '../shared/refused.ts'
import { ConsentForm } from './ConsentForm.tsx'
import { PatientFrame, PatientNotice } from './PatientFrame.tsx'
import { type Form, readForm } from './patient-calls.ts'
import { useNoFeedbackButton } from './useNoFeedbackButton.ts'

type Read =
  | { state: 'loading' }
  | { state: 'here'; form: Form }
  | { state: 'invalid' }
  | { state: 'failed'; message: string }

/** Where a patient says what a pharmacy may send. A link that does not work and a server that does not answer are told apart. */
export function ConsentPage({ token, onProduct }: { token: string; onProduct: (name: string) => void }) {
  const [read, setRead] = useState<Read>({ state: 'loading' })
  const [attempt, setAttempt] = useState(0)
  const [done, setDone] = useState(false)
  useNoFeedbackButton()
  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` asks again.
  useEffect(() => {
    setRead({ state: 'loading' })
    readForm({ id: token }).then(
      (form) => {
        setRead({ state: 'here', form })
        onProduct(form.product_name)
      },
      (error: Error) => setRead(readFailure(error)),
    )
  }, [token, attempt, onProduct])
  const form = read.state === 'here' ? read.form : null
  return (
    <PatientFrame location={form?.location ?? null} product={form?.product_name ?? null}>
      {read.state === 'loading' ? <PatientNotice title="Loading consent form..." /> : null}
      {read.state === 'invalid' ? (
        <PatientNotice title="Consent form is invalid / already submitted">
          <p>To change what your pharmacy sends you, please call the pharmacy.</p>
        </PatientNotice>
      ) : null}
      {read.state === 'failed' ? (
        <PatientNotice title="The form could not be loaded">
          <p>{read.message}</p>
          <button type="button" className="go" onClick={() => setAttempt(attempt + 1)}>
            Try again
          </button>
        </PatientNotice>
      ) : null}
      {form && !done ? <ConsentForm form={form} onDone={() => setDone(true)} /> : null}
      {done ? (
        <PatientNotice title="Thank you" focus>
          <p>Your preferences have been successfully submitted. Thank you for your time.</p>
        </PatientNotice>
      ) : null}
    </PatientFrame>
  )
}

/** The server's no to a link is the fixed state; anything else may pass, so it can be tried again. */
export function readFailure(error: Error): { state: 'invalid' } | { state: 'failed'; message: string } {
  const refused = error instanceof RefusedError ? error.status : 0
  if (refused === 404 || refused === 422) return { state: 'invalid' }
  return { state: 'failed', message: error.message }
}
