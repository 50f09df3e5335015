import { Button } from '@mantine/core'
import type { CohortForecast } from '@pillar/contract/campaign/cohort'
import { counted } from '@pillar/domain/text/sentence'
import type { Country } from '@pillar/domain/time/locale'
import { FlaskConical } from 'lucide-react'
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { Dialog } from '../../kit/dialog/Dialog.tsx'
import { ReauthFields, useReauthFields } from '../../kit/dialog/ReauthFields.tsx'
import { Icon } from '../../kit/display/Icon.tsx'
import { Failed, Loading } from '../../kit/display/states.tsx'
import { useCountry } from '../../session/session.ts'
import { RefusedError, wordsOf } from '../../shared/refused.ts'
import { Cost, Reasons } from '../cohort/CohortCount.tsx'
import { forecastWords, moneyOfCents, sendWords } from '../cohort/forecast-words.ts'
import { type CohortAnswer, type CohortAsk, useCohort } from '../cohort/useCohort.ts'
import { Warnings } from '../cohort/Warnings.tsx'
import { durationWords } from '../sending/time-words.ts'
import styles from './Activate.module.css'
import { nobodyWords, sendingWords } from './sending-words.ts'

interface ActivateDialogProps {
  name: string
  ask: CohortAsk
  /** The campaign's id; null if this creates it. */
  object: string | null
  /** Other changes: dates, and templates that are activated. */
  also: ReactNode
  /** Performs it with the password's grant and the number of messages on the button. */
  act: (grant: string, expected: number) => Promise<unknown>
  onClose: () => void
}

/** Before sending: who, how many, the cost, other changes, and the password, in one dialog. The button names the number. */
export function ActivateDialog({ name, ask, object, also, act, onClose }: ActivateDialogProps) {
  const id = useId()
  const country = useCountry()
  const answer = useCohort(ask)
  const fields = useReauthFields()
  const [busy, setBusy] = useState(false)
  const { ledger, counting } = answer
  const nobody = ledger !== null && ledger.messages === 0
  const ready = ledger !== null && !counting && !nobody
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (!ready || busy || fields.busy) return
    const grant = await fields.confirm('activate', object)
    if (!grant) return
    setBusy(true)
    try {
      await act(grant, ledger.messages)
    } catch (thrown) {
      fields.setError(wordsOf(thrown))
      // The cohort may have grown since, so the button must name the current number.
      if (thrown instanceof RefusedError && thrown.status === 409) answer.retry()
      setBusy(false)
    }
  }
  return (
    <Dialog
      opened
      size="confirm"
      title={`Send “${name}”?`}
      closable={!busy && !fields.busy}
      onClose={onClose}
      error={fields.error}
      footLeft={<span className="muted">{nobody ? 'Nobody would receive this' : 'You can stop it at any time.'}</span>}
      foot={
        <>
          <Button onClick={onClose} disabled={busy || fields.busy}>
            Back
          </Button>
          <Button type="submit" form={id} variant="filled" disabled={!ready} loading={busy || fields.busy}>
            {busy ? 'Activating...' : ready ? sendWords(ledger, country) : nobody ? 'Send' : 'Counting…'}
          </Button>
        </>
      }
    >
      <form id={id} className={styles.form} onSubmit={submit} noValidate>
        <Consequence answer={answer} country={country} />
        <div className={styles.also}>{also}</div>
        <ReauthFields state={fields} autoFocus />
      </form>
    </Dialog>
  )
}

/** What would be sent to whom and at what cost, with each text as a patient reads it. */
export function Consequence({ answer, country }: { answer: CohortAnswer; country: Country }) {
  const { ledger, error, counting, retry } = answer
  if (error && !counting) return <Failed title="Could not count who would receive it" error={error} onRetry={retry} />
  if (!ledger) return <Loading rows={2} words="Counting who would receive it…" />
  const ends = ledger.finishes_at === null ? null : Date.parse(ledger.finishes_at)
  const words = sendingWords(ledger, new Date(), country)
  return (
    <div className={counting ? styles.dimmed : undefined} aria-busy={counting}>
      <p className={styles.says} aria-live="polite">
        {words === null ? (
          nobodyWords(ledger.held_back, country)
        ) : (
          <>
            {words} It costs <b>{moneyOfCents(ledger.cents, country)}</b>
            {ends === null ? '.' : `; sending takes ${durationWords(ends - Date.parse(ledger.starts_at))}.`}
          </>
        )}
      </p>
      <Samples samples={ledger.samples} />
      {words === null
        ? null
        : forecastWords(ledger, country).map((line) => (
            <p key={line} className={styles.forecast}>
              {line}
            </p>
          ))}
      <Warnings pharmacies={ledger.pharmacies} />
      {ledger.simulated ? (
        <p className={styles.simulated}>
          <Icon of={FlaskConical} /> Test mode: no texts are sent, and nothing is charged.
        </p>
      ) : null}
      <details className={styles.more}>
        <summary>Who is held back, and what it costs</summary>
        <Reasons ledger={ledger} country={country} />
        <Cost ledger={{ ...ledger, simulated: false }} country={country} />
      </details>
    </div>
  )
}

/** The first message as a patient will read it; the others can be opened. */
function Samples({ samples }: { samples: CohortForecast['samples'] }) {
  const [first, ...others] = samples
  if (!first) return null
  return (
    <div className={styles.samples}>
      <Sample sample={first} />
      {others.length > 0 ? (
        <details className={styles.more}>
          <summary>{counted(others.length, 'other message', 'other messages')}</summary>
          {others.map((sample) => (
            <Sample key={`${sample.channel} ${sample.template_name} ${sample.text}`} sample={sample} />
          ))}
        </details>
      ) : null}
    </div>
  )
}

function Sample({ sample }: { sample: CohortForecast['samples'][number] }) {
  const { channel, template_name, patient_name, pharmacy_name, subject, text } = sample
  return (
    <figure className={styles.sample}>
      <blockquote>
        {subject ? <b>{subject}</b> : null}
        {text}
      </blockquote>
      <figcaption>
        {template_name}, {channel === 'sms' ? 'text' : 'email'}, as {patient_name} of {pharmacy_name} would read it
      </figcaption>
    </figure>
  )
}
