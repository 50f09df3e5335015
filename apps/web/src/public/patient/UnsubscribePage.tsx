import { endedWords, unsubscribeTitle, unsubscribeWording } from '@pillar/domain/consent/consent-wording'
import { useState } from 'react'
import { LinkPage } from './LinkPage.tsx'
import { PatientNotice } from './PatientFrame.tsx'
import { PersonTick } from './PersonTick.tsx'
import { readUnsubscribe, type UnsubscribeAnswer, unsubscribe } from './patient-calls.ts'
import { mayLeave } from './person.ts'
import { useTickedForm } from './useTickedForm.ts'

/**
 * Stops a pharmacy's email, or its texts, through the message the link came with. Nothing ever blocks opting out: if the captcha of the email page
 * cannot run, the page continues without it; for texts there is no check at all, and one press is enough.
 */
export function UnsubscribePage({ token, onProduct }: { token: string; onProduct: (name: string) => void }) {
  const [done, setDone] = useState(false)
  return (
    <LinkPage
      token={token}
      read={readUnsubscribe}
      onProduct={onProduct}
      loading="Loading..."
      failed="The page could not be loaded"
      invalid={
        <PatientNotice title="Invalid URL">
          <p>
            Part of the link may be missing. Open it again from the message, or call your pharmacy and ask them to stop
            the messages.
          </p>
        </PatientNotice>
      }
    >
      {(form) => {
        const { channel, location } = form
        if (form.opt_out_status) {
          return (
            <PatientNotice title={unsubscribeTitle(channel)}>
              <p>You have already unsubscribed from {endedWords(channel)}.</p>
              <p>
                If you would like {NOUNS[channel]} again, please contact {location.name}.
              </p>
            </PatientNotice>
          )
        }
        if (!done) return <UnsubscribeForm form={form} onDone={() => setDone(true)} />
        return (
          <PatientNotice title={unsubscribeTitle(channel)} focus>
            <p>
              Thank you for updating your preferences. You have successfully unsubscribed from {endedWords(channel)}.
              We're sorry to see you go.
            </p>
            <p>
              If you would like {NOUNS[channel]} again later, please contact {location.name}.
            </p>
          </PatientNotice>
        )
      }}
    </LinkPage>
  )
}

const NOUNS = { sms: 'texts', email: 'email' } as const
const EFFECT = {
  sms: "This takes effect at once, for everyone whose texts go to your number. You'll still get emails. To stop them, use the link in any email.",
  email: "This takes effect at once. You'll still get texts. To stop them, follow the instructions in any text.",
} as const

function UnsubscribeForm({ form, onDone }: { form: UnsubscribeAnswer; onDone: () => void }) {
  const { notification_id: id, channel, location } = form
  const { agreement, including } = unsubscribeWording(location.name, channel)
  const asked = channel === 'email'
  const { person, setPerson, sending, error, ready, submit } = useTickedForm(
    (person) => !asked || mayLeave(person),
    (captcha) => unsubscribe({ id, captcha }),
    onDone,
  )
  return (
    <form onSubmit={submit} noValidate>
      <h1>{unsubscribeTitle(channel)}</h1>
      <p>{agreement}</p>
      <ul className="dots">
        {including.map((one) => (
          <li key={one}>{one}</li>
        ))}
      </ul>
      {asked ? <PersonTick person={person} onPerson={setPerson} leaving /> : null}
      <button type="submit" className="go" aria-disabled={!ready || sending} aria-describedby="missing">
        {sending ? 'Unsubscribing...' : 'Unsubscribe'}
      </button>
      <p id="missing" className="missing">
        {person.state === 'failed'
          ? 'You can unsubscribe without the check.'
          : ready
            ? null
            : 'Tick “I am a person” to unsubscribe.'}
      </p>
      <div role="alert">{error ? <p className="refused">{error}</p> : null}</div>
      <p>{EFFECT[channel]}</p>
    </form>
  )
}
