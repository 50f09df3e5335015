import type { Challenge } from '@pillar/contract/message/consent'
import { CAPTCHA_SECONDS } from '@pillar/domain/consent/captcha'
import { useEffect, useRef, useState } from 'react'
import { solve } from './captcha-solver.ts'
import { type Captcha, readChallenge } from './patient-calls.ts'
import { type Person, UNCHECKED } from './person.ts'
import { VendorTick } from './VendorTick.tsx'

/** Time reserved for sending the form. */
const EARLY_MS = 30_000

/** When each challenge arrived, by a timer that goes on steadily: a visitor's clock may be wrong by hours. */
const arrivals = new Map<string, number>()

async function newCaptcha(): Promise<Captcha> {
  const answer = await readChallenge({})
  if (answer.challenge) arrivals.set(answer.challenge.signature, performance.now())
  return answer
}

/** Milliseconds for which a challenge and its solution still count. */
const leftOf = ({ signature }: Challenge) =>
  CAPTCHA_SECONDS * 1000 - (performance.now() - (arrivals.get(signature) ?? performance.now()))

interface PersonTickProps {
  person: Person
  onPerson: (person: Person) => void
  /** On a page where somebody leaves: an installation without a check asks for no tick. */
  leaving?: true
}

/**
 * “I am a person”: one tick, no puzzle. The server says which check this installation uses. Without one the tick is still asked of whoever agrees
 * to something: a mail system's scanner that opens links and presses a button would otherwise agree in the patient's name.
 */
export function PersonTick({ person, onPerson, leaving }: PersonTickProps) {
  const [captcha, setCaptcha] = useState<Captcha | null>(null)
  const tell = useRef(onPerson)
  tell.current = onPerson
  useEffect(() => {
    newCaptcha().then(
      (answer) => {
        setCaptcha(answer)
        if (answer.vendor === 'none' && leaving) tell.current({ state: 'checked', solution: null })
      },
      // The tick repeats the request, and then shows what is wrong.
      () => {},
    )
  }, [leaving])
  if (captcha?.vendor === 'none' && leaving) return null
  if (captcha && captcha.vendor !== 'altcha' && captcha.vendor !== 'none' && captcha.site_key) {
    return <VendorTick vendor={captcha.vendor} siteKey={captcha.site_key} person={person} onPerson={onPerson} />
  }
  return <OwnTick first={captcha} person={person} onPerson={onPerson} />
}

const NOTES: Record<Person['state'], string> = {
  unchecked: 'Tick this box. There is no puzzle.',
  checking: 'One moment…',
  checked: 'Checked, thank you',
  failed: 'The check did not work. Please tick again.',
}

function OwnTick({
  first,
  person,
  onPerson,
}: {
  first: Captcha | null
  person: Person
  onPerson: (person: Person) => void
}) {
  const fresh = useRef<Captcha | null>(null)
  const [over, setOver] = useState(false)
  const tell = useRef(onPerson)
  tell.current = onPerson
  useEffect(() => {
    fresh.current = first
  }, [first])
  useEffect(() => {
    if (person.state !== 'checked' || person.solution === null) return
    const { challenge } = JSON.parse(atob(person.solution)) as { challenge: Challenge }
    const over = () => {
      setOver(true)
      tell.current(UNCHECKED)
    }
    const timer = setTimeout(over, leftOf(challenge) - EARLY_MS)
    return () => clearTimeout(timer)
  }, [person])

  const tick = async (ticked: boolean) => {
    setOver(false)
    if (!ticked) return onPerson(UNCHECKED)
    onPerson({ state: 'checking', solution: null })
    try {
      const given = fresh.current?.vendor === 'none' || usable(fresh.current) ? fresh.current : await newCaptcha()
      // Each works only once.
      fresh.current = null
      if (given?.vendor === 'none') return tell.current({ state: 'checked', solution: null })
      const challenge = usable(given)
      if (!challenge) throw new Error('There is no challenge.')
      tell.current({ state: 'checked', solution: await solve(challenge) })
    } catch {
      tell.current({ state: 'failed', solution: null })
    }
  }
  return (
    <label className={person.state === 'failed' ? 'person wrong' : 'person'}>
      <input
        type="checkbox"
        id="person"
        checked={person.state === 'checked' || person.state === 'checking'}
        // Not disabled while it is checked, which would lose the keyboard's focus.
        aria-busy={person.state === 'checking'}
        onChange={(event) => {
          if (person.state !== 'checking') void tick(event.currentTarget.checked)
        }}
        aria-describedby="person-note"
      />
      <span>
        I am a person
        <small id="person-note" aria-live="polite">
          {over && person.state === 'unchecked' ? 'Your tick ran out. Please tick again.' : NOTES[person.state]}
        </small>
      </span>
    </label>
  )
}

/** The challenge in an answer, while enough time remains to solve it and send the form. */
function usable(captcha: Captcha | null): Challenge | null {
  const challenge = captcha?.challenge ?? null
  return challenge && leftOf(challenge) > 4 * EARLY_MS ? challenge : null
}
