import { capital, listOf } from '@pillar/domain/text/sentence'
import {
  detailLabel,
  detailProblem,
  detailWords,
  SIGN_UP_FIELDS,
  type SignUpField,
} from '@pillar/domain/trial/agreement'
import { useRef, useState } from 'react'
import { newId } from '../../../shared/new-id.ts'
import { phoneText } from '../../../shared/phone.ts'
import { RefusedError } from '../../../shared/refused.ts'
import { TrialConsentText } from '../../../shared/trial/TrialConsentText.tsx'
import { arrivedOf } from '../arrived.ts'
import { PersonTick } from '../PersonTick.tsx'
import { type SignedUp, signUpForTrial, type TrialForm as Trial } from '../patient-calls.ts'
import { Lock } from '../patient-icons.tsx'
import { useTickedForm } from '../useTickedForm.ts'
import { RecruiterLogo } from './RecruiterLogo.tsx'

const FIELDS: Readonly<Record<SignUpField, { type?: 'tel' | 'email'; complete: string }>> = {
  first_name: { complete: 'given-name' },
  last_name: { complete: 'family-name' },
  phone_number: { type: 'tel', complete: 'tel' },
  email: { type: 'email', complete: 'email' },
  postcode: { complete: 'postal-code' },
}
const EMPTY: Readonly<Record<SignUpField, string>> = {
  ...{ first_name: '', last_name: '', phone_number: '', email: '', postcode: '' },
}

/** A patient who is signed up. `late`: with details sent earlier, so what they changed since was not sent. */
export type SignedUpNow = SignedUp & { late: boolean }

interface TrialFormProps {
  form: Trial
  onDone: (done: SignedUpNow) => void
  onGone: (error: RefusedError) => void
}

/** About the trial, the patient's details, what signing up means, and the button. */
export function TrialForm({ form, onDone, onGone }: TrialFormProps) {
  const [typed, setTyped] = useState(EMPTY)
  const missing = SIGN_UP_FIELDS.filter((field) => form[field] === null && typed[field].trim() === '')
  const { country } = form.location
  const wrong = SIGN_UP_FIELDS.filter(
    (field) => form[field] === null && detailProblem(field, typed[field], country) !== '',
  )
  const send = useSignUp(form, onDone)
  const { person, setPerson, sending, error, ready, submit } = useTickedForm(
    ({ state }) => state === 'checked' && missing.length === 0 && wrong.length === 0,
    (captcha) =>
      send(Object.fromEntries(SIGN_UP_FIELDS.map((field) => [field, form[field] ?? typed[field].trim()])), captcha),
    () => {},
    { onGone, first: missing[0] ?? wrong[0] },
  )
  return (
    <form onSubmit={submit} noValidate>
      <RecruiterLogo form={form} />
      <TrialConsentText text={form.consent_form} trial={form.trial} dots="dots" />
      <h2>Your details</h2>
      {SIGN_UP_FIELDS.some((field) => form[field] !== null) ? (
        <p>What your pharmacy knows is locked. If it is wrong, please call the pharmacy.</p>
      ) : null}
      {SIGN_UP_FIELDS.map((field) => (
        <Detail
          key={field}
          field={field}
          label={detailLabel(field, country)}
          known={field === 'phone_number' && form[field] ? phoneText(form[field], country) : form[field]}
          numeric={field === 'postcode' && country !== 'GB'}
          value={typed[field]}
          onChange={(value) => setTyped({ ...typed, [field]: value })}
        />
      ))}
      <p className="note">{form.note}</p>
      <PersonTick person={person} onPerson={setPerson} />
      <button type="submit" className="go" aria-disabled={!ready || sending} aria-describedby="missing">
        {sending ? 'Signing you up...' : 'Sign Up Now'}
      </button>
      <p id="missing" className="missing">
        {ready ? '' : wantedWords(form, missing, wrong, typed, person.state === 'checked')}
      </p>
      <div role="alert">{error ? <p className="refused">{error}</p> : null}</div>
    </form>
  )
}

type Details = Readonly<Record<string, string>>

/** Signs the patient up. After attempts without an answer the server answers the same page again, and says so. */
function useSignUp(form: Trial, onDone: TrialFormProps['onDone']) {
  const attempt = useRef(newId())
  const unanswered = useRef<Details[]>([])
  return async (details: Details, captcha: string | null) => {
    const about = { id: form.consent_id, form_version: form.consent_form.version, attempt: attempt.current }
    try {
      const done = await signUpForTrial({ ...about, ...details, captcha })
      onDone({ ...done, late: done.earlier && arrivedOf(unanswered.current, details).late })
    } catch (thrown) {
      if (thrown instanceof RefusedError && thrown.unknown) unanswered.current.push(details)
      throw thrown
    }
  }
}

function wantedWords(
  form: Trial,
  missing: readonly SignUpField[],
  wrong: readonly SignUpField[],
  typed: typeof EMPTY,
  ticked: boolean,
): string {
  const problems = wrong.map((field) => detailProblem(field, typed[field], form.location.country))
  return [...(missing.length > 0 || !ticked ? [missingWords(form, missing, ticked)] : []), ...problems].join(' ')
}

function missingWords({ location }: Trial, missing: readonly SignUpField[], ticked: boolean): string {
  const fields = missing.map((field) => detailWords(field, location.country))
  const fill = fields.length > 0 ? `fill in your ${listOf(fields)}` : ''
  const words = [fill, ticked ? '' : 'tick “I am a person”'].filter(Boolean).join(', and ')
  return `${capital(words)} to sign up.`
}

interface DetailProps {
  field: SignUpField
  label: string
  known: string | null
  numeric: boolean
  value: string
  onChange: (value: string) => void
}

/** One detail, locked if the pharmacy knows it. */
function Detail({ field, label, known, numeric, value, onChange }: DetailProps) {
  const { type = 'text', complete } = FIELDS[field]
  return (
    <label className="known" htmlFor={field}>
      {label}
      {known === null ? (
        <input
          id={field}
          className="entry"
          type={type}
          inputMode={numeric ? 'numeric' : undefined}
          autoComplete={complete}
          maxLength={200}
          required
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      ) : (
        <span>
          <Lock />
          <input id={field} value={known} disabled />
        </span>
      )}
    </label>
  )
}
