import { type ConsentForm as Answers, CHANNELS, formDefaults } from '@pillar/domain/consent/consent'
import { type ConsentSection, consentWording } from '@pillar/domain/consent/consent-wording'
import { type ReactNode, useRef, useState } from 'react'
import { phoneText } from '../../shared/phone.ts'
import { RefusedError } from '../../shared/refused.ts'
import { type Arrived, arrivedOf } from './arrived.ts'
import { PersonTick } from './PersonTick.tsx'
import { type Form, submitForm } from './patient-calls.ts'
import { Chevron, Lock, Mail, Sms } from './patient-icons.tsx'
import { useTickedForm } from './useTickedForm.ts'

interface ConsentFormProps {
  form: Form
  onDone: (arrived: Arrived<Answers>) => void
  onGone: (error: RefusedError) => void
}

/** At most four switches, the known contacts, the tick, Submit. */
export function ConsentForm({ form, onDone, onGone }: ConsentFormProps) {
  const applies = { health_outreach: form.health_outreach_consent, marketing: form.marketing_consent }
  const wording = consentWording(form.location.name, applies)
  const [answers, setAnswers] = useState<Answers>(() => formDefaults(applies))
  /** The answers of attempts that got no answer. */
  const unanswered = useRef<Answers[]>([])
  const { person, setPerson, sending, error, ready, submit } = useTickedForm(
    ({ state }) => state === 'checked',
    (captcha) =>
      submitForm({ id: form.consent_id, ...answers, captcha }).catch((thrown: unknown) => {
        if (thrown instanceof RefusedError && thrown.unknown) unanswered.current.push(answers)
        throw thrown
      }),
    () => onDone({ answers, late: false }),
    {
      onGone: (refused) =>
        unanswered.current.length > 0 ? onDone(arrivedOf(unanswered.current, answers)) : onGone(refused),
    },
  )
  return (
    <form onSubmit={submit} noValidate>
      <h1>{form.first_name ? `Choose what we send you, ${form.first_name}` : 'Choose what we send you'}</h1>
      <p>{wording.intro}</p>
      {wording.sections.map((section) => (
        <Section key={section.kind} section={section} answers={answers} onAnswers={setAnswers} />
      ))}
      <h2>Where we will send it</h2>
      <p>If this is wrong or missing, please call the pharmacy.</p>
      <Known
        label="Phone"
        value={form.phone_number === null ? null : phoneText(form.phone_number, form.location.country)}
      />
      <Known label="Email" value={form.email} />
      <PersonTick person={person} onPerson={setPerson} />
      <button type="submit" className="go" aria-disabled={!ready || sending} aria-describedby="missing">
        {sending ? 'Submitting...' : 'Submit'}
      </button>
      <p id="missing" className="missing">
        {ready ? '' : 'Tick “I am a person” to submit.'}
      </p>
      <div role="alert">{error ? <p className="refused">{error}</p> : null}</div>
      <p>{wording.final}</p>
    </form>
  )
}

const ICONS: Record<(typeof CHANNELS)[number], ReactNode> = { sms: <Sms />, email: <Mail /> }

function Section({
  section,
  answers,
  onAnswers,
}: {
  section: ConsentSection
  answers: Answers
  onAnswers: (answers: Answers) => void
}) {
  return (
    <section className="kind" aria-label={section.title}>
      <h2>{section.title}</h2>
      <details>
        <summary>
          <Chevron />
          <span>{section.question}</span>
        </summary>
        <p>{section.answer}</p>
      </details>
      {CHANNELS.map((channel) => {
        const field = `${section.kind}_${channel}_consent` as const
        const on = answers[field] === true
        return (
          <label key={channel} className="choice">
            {ICONS[channel]}
            <span className="grow">{section[channel]}</span>
            <b aria-hidden="true">{on ? 'Yes' : 'No'}</b>
            <input
              type="checkbox"
              role="switch"
              checked={on}
              aria-checked={on}
              onChange={(event) => onAnswers({ ...answers, [field]: event.currentTarget.checked })}
            />
          </label>
        )
      })}
    </section>
  )
}

/** The details the pharmacy has on record. Only the pharmacy changes them, not the holder of a link. */
function Known({ label, value }: { label: string; value: string | null }) {
  return (
    <label className="known">
      {label}
      <span>
        <Lock />
        <input value={value ?? ''} placeholder="Not on record" disabled />
      </span>
    </label>
  )
}
