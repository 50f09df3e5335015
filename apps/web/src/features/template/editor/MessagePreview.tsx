import { ActionIcon, NativeSelect } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { contract, type ReplyOf } from '@pillar/contract'
import { ChevronLeft, ChevronRight, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { useRead } from '../../../api/client.ts'
import { Icon } from '../../../kit/display/Icon.tsx'
import { Failed, Loading, NothingYet } from '../../../kit/display/states.tsx'
import { useCountry } from '../../../session/session.ts'
import { missingWords } from '../template-words.ts'
import styles from './MessagePreview.module.css'
import { MessageTest } from './MessageTest.tsx'
import { previewCost } from './message-count.ts'

interface MessagePreviewProps {
  body: string
  subject: string | null
  sms: boolean
  email: boolean
}

type Preview = ReplyOf<typeof contract.template.preview>

const PAUSE_MS = 300

/** The message as a real patient of the selected pharmacy would get it, and a way to send it to oneself. */
export function MessagePreview({ body, subject, sms, email }: MessagePreviewProps) {
  const pharmacies = useRead(contract.location.pharmacies, {})
  const [chosen, setChosen] = useState<string | null>(null)
  const [patient, setPatient] = useState(0)
  const [text] = useDebouncedValue(body, PAUSE_MS)
  const [line] = useDebouncedValue(subject, PAUSE_MS)
  const pharmacy = chosen ?? pharmacies.data?.data[0]?.uuid ?? null
  const preview = useRead(
    contract.template.preview,
    { pharmacy_id: pharmacy ?? '', body: text, subject: line, patient },
    { enabled: pharmacy !== null && text.trim() !== '', keepPrevious: true },
  )
  if (pharmacies.error && !pharmacies.data) {
    const retry = () => void pharmacies.refetch()
    return <Failed title="Could not load pharmacies" error={pharmacies.error} onRetry={retry} />
  }
  if (pharmacies.data && pharmacy === null) {
    return <NothingYet title="No pharmacy yet">A preview needs a pharmacy with patients.</NothingYet>
  }
  if (text.trim() === '') {
    return <NothingYet title="Nothing to preview yet">Write the message first.</NothingYet>
  }
  const answer = preview.data
  return (
    <div className={styles.preview}>
      <div className={styles.who}>
        <NativeSelect
          label="As a patient of"
          value={pharmacy ?? ''}
          data={(pharmacies.data?.data ?? []).map(({ uuid, name }) => ({ value: uuid, label: name }))}
          onChange={(event) => {
            setChosen(event.currentTarget.value)
            setPatient(0)
          }}
        />
        {answer ? <Stepper answer={answer} patient={patient} onChange={setPatient} /> : null}
      </div>
      {preview.error ? (
        <Failed title="Could not load the preview" error={preview.error} onRetry={() => void preview.refetch()} />
      ) : answer ? (
        <div className={styles.shown} data-stale={preview.isPlaceholderData || undefined}>
          <Missing fields={answer.missing} />
          {sms ? <Text answer={answer} /> : null}
          {email ? <Mail answer={answer} /> : null}
          {sms || email ? null : <p className="muted">Turn on Email or SMS to see the message.</p>}
        </div>
      ) : (
        <Loading rows={3} words="Loading the preview..." />
      )}
      {pharmacy && (sms || email) ? (
        <MessageTest pharmacyId={pharmacy} body={body} subject={subject} sms={sms} email={email} />
      ) : null}
    </div>
  )
}

function Stepper(props: { answer: Preview; patient: number; onChange: (patient: number) => void }) {
  const { answer, patient, onChange } = props
  if (answer.patients === 0) return <span className={styles.patient}>This pharmacy has no patients yet</span>
  return (
    <span className={styles.patient}>
      <ActionIcon aria-label="Previous patient" disabled={patient === 0} onClick={() => onChange(patient - 1)}>
        <Icon of={ChevronLeft} />
      </ActionIcon>
      <span role="status">{answer.patient_name ?? 'Unnamed patient'}</span>
      <ActionIcon
        aria-label="Next patient"
        disabled={patient + 1 >= answer.patients}
        onClick={() => onChange(patient + 1)}
      >
        <Icon of={ChevronRight} />
      </ActionIcon>
    </span>
  )
}

function Missing({ fields }: { fields: readonly string[] }) {
  if (fields.length === 0) return null
  return (
    <p className={styles.missing}>
      <Icon of={TriangleAlert} size={14} />
      <span>{missingWords(fields)}</span>
    </p>
  )
}

function Text({ answer }: { answer: Preview }) {
  const country = useCountry()
  return (
    <figure className={styles.phone} aria-label="As a text">
      <div className={styles.bubble}>{answer.sms.text}</div>
      <figcaption>{previewCost(answer.sms, country)}</figcaption>
    </figure>
  )
}

function Mail({ answer }: { answer: Preview }) {
  return (
    <figure className={styles.mail} aria-label="As an email">
      <dl>
        <dt>From</dt>
        <dd>{answer.email.from}</dd>
        <dt>Subject</dt>
        <dd>{answer.email.subject || <span className="faint">No subject</span>}</dd>
      </dl>
      {/* Sandboxed: nothing in a message runs, and its links cannot leave this page. */}
      <iframe title="The email" sandbox="" srcDoc={answer.email.html} />
    </figure>
  )
}
