import { useState } from 'react'
import { phoneLink, phoneText } from '../../../shared/phone.ts'
import { LinkPage } from '../LinkPage.tsx'
import { PatientNotice } from '../PatientFrame.tsx'
import { PersonTick } from '../PersonTick.tsx'
import { readWithdrawal, type Withdrawal, withdraw } from '../patient-calls.ts'
import { mayLeave } from '../person.ts'
import { useTickedForm } from '../useTickedForm.ts'

/** The page where a patient withdraws from a clinical trial. The captcha never prevents withdrawing. */
export function WithdrawPage({ token, onProduct }: { token: string; onProduct: (name: string) => void }) {
  const [done, setDone] = useState(false)
  return (
    <LinkPage
      token={token}
      read={readWithdrawal}
      onProduct={onProduct}
      loading="Loading..."
      failed="The page could not be loaded"
      invalid={
        <PatientNotice title="Invalid URL">
          <p>Part of the link may be missing. Call your pharmacy, and ask them to withdraw you from the study.</p>
        </PatientNotice>
      }
    >
      {(form) => {
        if (!done && !form.withdrawn) return <WithdrawForm id={token} form={form} onDone={() => setDone(true)} />
        return (
          <PatientNotice title="You have withdrawn" focus={done}>
            <p>
              You have withdrawn from the {form.trial} study. {form.recruiter} no longer sees your details here.
            </p>
            {form.enrolled ? <Enrolled form={form} /> : null}
            <p>Your care at {form.location.name} stays the same.</p>
          </PatientNotice>
        )
      }}
    </LinkPage>
  )
}

function WithdrawForm({ id, form, onDone }: { id: string; form: Withdrawal; onDone: () => void }) {
  const { person, setPerson, sending, error, ready, submit } = useTickedForm(
    mayLeave,
    (captcha) => withdraw({ id, captcha }),
    onDone,
  )
  return (
    <form onSubmit={submit} noValidate>
      <h1>Withdraw from the {form.trial} study</h1>
      <p>
        {form.recruiter} will no longer see the details you gave, and they are erased. Your care at {form.location.name}{' '}
        stays the same.
      </p>
      {form.enrolled ? <Enrolled form={form} /> : null}
      <PersonTick person={person} onPerson={setPerson} leaving />
      <button type="submit" className="go" aria-disabled={!ready || sending} aria-describedby="missing">
        {sending ? 'Withdrawing...' : 'Withdraw'}
      </button>
      <p id="missing" className="missing">
        {person.state === 'failed'
          ? 'You can withdraw without the check.'
          : ready
            ? null
            : 'Tick “I am a person” to withdraw.'}
      </p>
      <div role="alert">{error ? <p className="refused">{error}</p> : null}</div>
    </form>
  )
}

/** Once somebody has joined a study, only the recruiter can end it. */
function Enrolled({ form }: { form: Withdrawal }) {
  return (
    <p className="note">
      You have already joined the study itself. To leave it, call {form.recruiter}:{' '}
      <a href={phoneLink(form.recruiter_phone)}>{phoneText(form.recruiter_phone, form.location.country)}</a>
    </p>
  )
}
