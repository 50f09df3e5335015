import { UNSUBSCRIBE_TITLE, unsubscribeWording } from '@pillar/domain/consent-wording'
import { type FormEvent, useEffect, useState } from 'react'
import { RefusedError } from '../shared/refused.ts'
import { readFailure } from './ConsentPage.tsx'
import { PatientFrame, PatientNotice } from './PatientFrame.tsx'
import { type Person, PersonTick, UNCHECKED } from './PersonTick.tsx'
import { readUnsubscribe, type UnsubscribeAnswer, unsubscribe } from './patient-calls.ts'

type Read =
  | { state: 'loading' }
  | { state: 'here'; form: UnsubscribeAnswer }
  | { state: 'invalid' }
  | { state: 'failed'; message: string }

/** Ends a pharmacy's e-mail. The way out is never barred: where the check cannot run, the page goes without it. */
export function UnsubscribePage({ token, onProduct }: { token: string; onProduct: (name: string) => void }) {
  const [read, setRead] = useState<Read>({ state: 'loading' })
  const [attempt, setAttempt] = useState(0)
  const [done, setDone] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` asks again.
  useEffect(() => {
    setRead({ state: 'loading' })
    readUnsubscribe({ id: token }).then(
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
      {read.state === 'loading' ? <PatientNotice title="Loading..." /> : null}
      {read.state === 'invalid' ? (
        <PatientNotice title="Invalid URL">
          <p>Please open the link in the email again, or call the pharmacy.</p>
        </PatientNotice>
      ) : null}
      {read.state === 'failed' ? (
        <PatientNotice title="The page could not be loaded">
          <p>{read.message}</p>
          <button type="button" className="go" onClick={() => setAttempt(attempt + 1)}>
            Try again
          </button>
        </PatientNotice>
      ) : null}
      {form?.opt_out_status ? (
        <PatientNotice title={UNSUBSCRIBE_TITLE}>
          <p>You have already unsubscribed from email communications.</p>
          <p>If you would like email again, please contact {form.location.name}.</p>
        </PatientNotice>
      ) : null}
      {form && !form.opt_out_status && !done ? (
        <UnsubscribeForm id={form.notification_id} pharmacy={form.location.name} onDone={() => setDone(true)} />
      ) : null}
      {form && done ? (
        <PatientNotice title={UNSUBSCRIBE_TITLE} focus>
          <p>
            Thank you for updating your preferences. You have successfully unsubscribed from email communications. We're
            sorry to see you go.
          </p>
          <p>If you would like email again later, please contact {form.location.name}.</p>
        </PatientNotice>
      ) : null}
    </PatientFrame>
  )
}

function UnsubscribeForm({ id, pharmacy, onDone }: { id: string; pharmacy: string; onDone: () => void }) {
  const [person, setPerson] = useState<Person>(UNCHECKED)
  const [sending, setSending] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const { agreement, including } = unsubscribeWording(pharmacy)
  const ready = person.state === 'checked' || person.state === 'failed'
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (sending) return
    if (!ready) {
      document.getElementById('person')?.focus()
      return
    }
    setSending(true)
    setError(null)
    try {
      await unsubscribe({ id, captcha: person.solution })
      onDone()
    } catch (thrown) {
      setError(thrown instanceof RefusedError ? thrown.message : 'Something went wrong on this page. Please try again.')
      setSending(false)
      setPerson(person.solution === null ? person : UNCHECKED)
    }
  }
  return (
    <form onSubmit={submit} noValidate>
      <h1>{UNSUBSCRIBE_TITLE}</h1>
      <p>{agreement}</p>
      <ul className="dots">
        {including.map((one) => (
          <li key={one}>{one}</li>
        ))}
      </ul>
      <PersonTick person={person} onPerson={setPerson} />
      <button type="submit" className="go" aria-disabled={!ready || sending} aria-describedby="missing">
        {sending ? 'Unsubscribing...' : 'Unsubscribe'}
      </button>
      <p id="missing" className="missing">
        {person.state === 'failed' ? 'You can unsubscribe without the check.' : null}
        {ready ? null : 'Tick “I am a person” to unsubscribe.'}
      </p>
      <div role="alert">{error ? <p className="refused">{error}</p> : null}</div>
      <p>This takes effect at once. It does not change SMS: reply STOP to any SMS to end those.</p>
    </form>
  )
}
