import { Button } from '@mantine/core'
import { type Country, formatNumber } from '@pillar/domain/locale'
import { counted, listOf } from '@pillar/domain/sentence'
import { FlaskConical } from 'lucide-react'
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { Dialog } from '../../kit/dialog/Dialog.tsx'
import { ReauthFields, useReauthFields } from '../../kit/dialog/ReauthFields.tsx'
import { Icon } from '../../kit/display/Icon.tsx'
import { Failed, Loading } from '../../kit/display/states.tsx'
import { useCountry } from '../../session/session.ts'
import { RefusedError, wordsOf } from '../../shared/refused.ts'
import styles from './Activate.module.css'
import { Cost, Reasons } from './CohortCount.tsx'
import { durationWords, foretoldWords, messageWords, moneyOfCents, sendWords, timeWords } from './campaign-words.ts'
import { Unverified } from './Unverified.tsx'
import { type CohortAnswer, type CohortAsk, useCohort } from './useCohort.ts'

interface ActivateDialogProps {
  name: string
  ask: CohortAsk
  /** The campaign's id; null for one that is made by this. */
  object: string | null
  /** What else changes: dates, templates switched on. */
  also: ReactNode
  /** Does it with the password's grant and the number of messages the button named. */
  act: (grant: string, expected: number) => Promise<unknown>
  onClose: () => void
}

/** Before sending: who, how many, what it costs, what else changes, and the password, in one dialog. The button carries it. */
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
      // The cohort may have grown since: the button must name what it is now.
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

function Consequence({ answer, country }: { answer: CohortAnswer; country: Country }) {
  const { ledger, error, counting, retry } = answer
  if (error && !counting) return <Failed title="Could not count who would receive it" error={error} onRetry={retry} />
  if (!ledger) return <Loading rows={2} words="Counting who would receive it…" />
  const starts = new Date(ledger.starts_at)
  const ends = ledger.finishes_at === null ? null : Date.parse(ledger.finishes_at)
  const messages = messageWords(ledger, country)
  const pharmacies = ledger.pharmacies.filter(({ will_receive }) => will_receive > 0).length
  const people = `${formatNumber(country, ledger.will_receive)} ${ledger.will_receive === 1 ? 'patient' : 'patients'}`
  return (
    <div className={counting ? styles.dimmed : undefined} aria-busy={counting}>
      <p className={styles.says} aria-live="polite">
        {messages === null ? (
          `Nobody would receive this: all ${formatNumber(country, ledger.held_back)} who match are held back.`
        ) : (
          <>
            {people} of {counted(pharmacies, 'pharmacy', 'pharmacies')} get {messages} from{' '}
            {timeWords(ledger.starts_at, new Date(), country)}. {formatNumber(country, ledger.held_back)}{' '}
            {ledger.held_back === 1 ? 'is' : 'are'} held back. It costs <b>{moneyOfCents(ledger.cents, country)}</b>
            {ends === null ? '' : ` and takes ${durationWords(ends - starts.getTime())}`}.
          </>
        )}
      </p>
      {messages === null
        ? null
        : foretoldWords(ledger, country).map((words) => (
            <p key={words} className={styles.foretold}>
              {words}
            </p>
          ))}
      <Unverified pharmacies={ledger.pharmacies} />
      {ledger.simulated ? (
        <p className={styles.simulated}>
          <Icon of={FlaskConical} /> Texts go to the built-in simulator: no phone gets one, and nothing is charged.
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

/** 'Sent with 2 templates: Repeat ready and Second notice. A template that is off is turned on.' */
export function sentWithWords(names: readonly string[]): string {
  return `Sent with ${counted(names.length, 'template', 'templates')}: ${listOf(names)}. A template that is off is turned on.`
}
