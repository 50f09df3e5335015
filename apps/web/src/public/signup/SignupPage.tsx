import { AU_STATES } from '@pillar/domain/company/pharmacy'
import {
  MARKETING_STATEMENT,
  REGISTERED,
  type SignupDraft,
  type SignupField,
  signupProblems,
} from '@pillar/domain/signup/signup'
import { softwareWarning } from '@pillar/domain/signup/signup-software'
import { pleaseSentence } from '@pillar/domain/text/sentence'
import { DISPENSING_SYSTEMS } from '@pillar/domain/upload/data-source'
import { useState } from 'react'
import { basePathOf } from '../../shared/paths.ts'
import { PatientNotice } from '../patient/PatientFrame.tsx'
import { PersonTick } from '../patient/PersonTick.tsx'
import { useTickedForm } from '../patient/useTickedForm.ts'
import { AddressSearch } from './AddressSearch.tsx'
import { Choice, Field, Tick } from './Field.tsx'
import { type PageInfo, submitSignup } from './signup-calls.ts'

const EMPTY: SignupDraft = {
  ...{ username: '', email: '', first_name: '', last_name: '', job_title: '', phone: '', pharmacy_name: '' },
  ...{ pharmacy_phone: '', sources: [], street_address: '', town: '', region: '', postcode: '' },
  ...{ country_name: 'Australia', privacy_statement: false },
}
const SOFTWARE = DISPENSING_SYSTEMS.map(({ key, name }) => ({ value: key, label: name }))
const STATES = AU_STATES.map((state) => ({ value: state, label: state }))

/** Signing up for the 60 Day Dispense Calculator. */
export function SignupPage({ info }: { info: PageInfo | null }) {
  const [done, setDone] = useState(false)
  if (!done) return <SignupForm info={info} onDone={() => setDone(true)} />
  return (
    <>
      <PatientNotice title="Check your email" focus>
        <p>{REGISTERED}</p>
      </PatientNotice>
      <p>The email comes within a few minutes. If it does not, look in your spam folder, then sign up again.</p>
      <a className="go" href={`${basePathOf(window.location.pathname)}/login`}>
        Return Home
      </a>
    </>
  )
}

function SignupForm({ info, onDone }: { info: PageInfo | null; onDone: () => void }) {
  const { draft, set, marketing, setMarketing, wrong, problem, form } = useSignup(onDone)
  const { person, setPerson, sending, error, ready, submit } = form
  const field = (name: Exclude<SignupField, 'sources' | 'privacy_statement'>) => ({
    id: name,
    value: draft[name],
    wrong: wrong.get(name),
    onChange: (value: string) => set({ [name]: value }),
  })
  const software = draft.sources[0] ?? ''
  const warning = softwareWarning(software)
  return (
    <form onSubmit={submit} noValidate>
      <h1>Sign up for the 60 Day Dispense Calculator</h1>
      <p>
        See what 60-day dispensing means for your pharmacy, from its own scripts. Free for community pharmacies in
        Australia, and supported by the Guild.
      </p>
      <h2>You</h2>
      <Field {...field('first_name')} label="First name" autoComplete="given-name" maxLength={100} />
      <Field {...field('last_name')} label="Last name" autoComplete="family-name" maxLength={100} />
      <Field {...field('job_title')} label="Job title" optional autoComplete="organization-title" maxLength={100} />
      <Field {...field('email')} label="Email" type="email" autoComplete="email" maxLength={254} />
      <Field {...field('phone')} label="Your phone" optional type="tel" autoComplete="tel" maxLength={40} />
      <Field
        {...field('username')}
        label="Username"
        hint="What you sign in with. It may be your email address."
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={254}
      />
      <h2>Your pharmacy</h2>
      <Field {...field('pharmacy_name')} label="Pharmacy name" autoComplete="organization" maxLength={200} />
      <Field {...field('pharmacy_phone')} label="Pharmacy phone" type="tel" autoComplete="off" maxLength={40} />
      <Choice
        id="sources"
        label="Dispensing software"
        options={SOFTWARE}
        value={software}
        wrong={wrong.get('sources')}
        onChange={(key) => set({ sources: key ? [key] : [] })}
      />
      <div role="status">{warning ? <p className="aside">{warning}</p> : null}</div>
      <h2>Address of the pharmacy</h2>
      <AddressSearch
        info={info}
        onChoose={({ street_address, ...place }) => set({ ...place, ...(street_address ? { street_address } : {}) })}
      />
      <Field {...field('street_address')} label="Street address" autoComplete="street-address" maxLength={200} />
      <Field {...field('town')} label="Suburb" autoComplete="address-level2" maxLength={200} />
      <Choice {...field('region')} label="State" options={STATES} />
      <Field
        {...field('postcode')}
        label="Postcode"
        inputMode="numeric"
        autoComplete="postal-code"
        onChange={(value) => set({ postcode: value.replaceAll(/\D/g, '') })}
      />
      <Field {...field('country_name')} label="Country" disabled />
      <h2>Before you sign up</h2>
      <Tick
        id="privacy_statement"
        on={draft.privacy_statement}
        onChange={(privacy_statement) => set({ privacy_statement })}
      >
        I have read and agree to the {/* In another tab, so that reading them does not empty the form. */}
        <a href="/Privacy_Policy.pdf" target="_blank" rel="noreferrer">
          Privacy Policy
        </a>{' '}
        and the{' '}
        <a href="/EULA.pdf" target="_blank" rel="noreferrer">
          End User License Agreement
        </a>
        .
      </Tick>
      <Tick id="email_marketing" on={marketing} onChange={setMarketing}>
        {MARKETING_STATEMENT}
      </Tick>
      <p className="hint">
        Guild data access is stated until July 1, 2023. Pharmacies that sign up now are left out of the Guild’s figures
        unless they ask to be in.
      </p>
      <PersonTick person={person} onPerson={setPerson} />
      <button type="submit" className="go" aria-disabled={!ready || sending} aria-describedby="missing">
        {sending ? 'Signing you up...' : 'Sign Up'}
      </button>
      <p id="missing" className="missing">
        {ready ? '' : missingWords(draft.privacy_statement, person.state === 'checked')}
      </p>
      <div role="alert">{problem || error ? <p className="refused">{problem || error}</p> : null}</div>
    </form>
  )
}

function missingWords(agreed: boolean, ticked: boolean): string {
  const words = [agreed ? [] : 'agree to the Privacy Policy', ticked ? [] : 'tick “I am a person”'].flat()
  return pleaseSentence(words).replace('Please a', 'A').replace('Please t', 'T').replace(/\.$/, ' to sign up.')
}

/** The form's entries, problems and sending. */
function useSignup(onDone: () => void) {
  const [draft, setDraft] = useState(EMPTY)
  const [marketing, setMarketing] = useState(true)
  const [problem, setProblem] = useState('')
  const [wrong, setWrong] = useState<ReadonlyMap<SignupField, string>>(new Map())
  const set = (changes: Partial<SignupDraft>) => {
    setDraft((was) => ({ ...was, ...changes }))
    setWrong((was) => new Map([...was].filter(([field]) => !(field in changes))))
  }
  const form = useTickedForm(
    ({ state }) => draft.privacy_statement && state === 'checked',
    (captcha) => submitSignup({ ...draft, sources: [...draft.sources], email_marketing: marketing, captcha }),
    onDone,
    { first: draft.privacy_statement ? undefined : 'privacy_statement' },
  )
  const submit: typeof form.submit = async (event) => {
    event.preventDefault()
    const found = form.ready ? signupProblems(draft) : []
    setWrong(new Map(found.map(({ field, words }) => [field, pleaseSentence([words])])))
    setProblem(pleaseSentence(found.map(({ words }) => words)))
    const [first] = found
    if (first) document.getElementById(first.field)?.focus()
    else await form.submit(event)
  }
  return { draft, set, marketing, setMarketing, wrong, problem, form: { ...form, submit } }
}
