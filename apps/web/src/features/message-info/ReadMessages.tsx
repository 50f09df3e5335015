import { contract } from '@pillar/contract'
import type { MessageBatch } from '@pillar/contract/message/run-admin'
import type { ReplyOf } from '@pillar/contract/wire/call'
import { reasonProblems } from '@pillar/domain/message/batch-status'
import { type Country, formatMoney, formatNumber } from '@pillar/domain/time/locale'
import { FlaskConical } from 'lucide-react'
import { useState } from 'react'
import { useWrite } from '../../api/client.ts'
import { Dialog } from '../../kit/dialog/Dialog.tsx'
import { FormDialog } from '../../kit/dialog/FormDialog.tsx'
import { momentIn } from '../../kit/display/dates.ts'
import { Status } from '../../kit/display/status.tsx'
import { Tag } from '../../kit/display/Tag.tsx'
import { TextField } from '../../kit/form/fields.tsx'
import { Pager } from '../../kit/list/Pager.tsx'
import { wordsOf } from '../../shared/refused.ts'
import styles from './MessageInfo.module.css'
import { batchFacts, batchName, batchWord } from './message-info-words.ts'

type Opened = ReplyOf<typeof contract.runAdmin.read>
interface ReadMessagesProps {
  batch: MessageBatch
  country: Country
  onClose: () => void
}

/** Asks why, then shows the exact texts of a batch. The reason is kept in the company's own log. */
export function ReadMessages({ batch, country, onClose }: ReadMessagesProps) {
  const [opened, setOpened] = useState<{ reason: string; answer: Opened } | null>(null)
  const { batch_id, location_id } = batch
  if (opened) return <Messages batch={batch} country={country} {...opened} onClose={onClose} />
  return (
    <FormDialog
      words={{
        ...{ title: 'Why do you need to read these messages?', button: 'Read the messages', busy: 'Opening...' },
        ...{ done: '', what: 'this reason' },
      }}
      call={contract.runAdmin.read}
      initial={{ reason: '' }}
      input={({ reason }) => ({ batch_id, location_id, reason })}
      check={({ reason }) => reasonProblems(reason)}
      onClose={(answer, saved) => (answer && saved ? setOpened({ reason: saved.reason, answer }) : onClose())}
    >
      {(f) => (
        <>
          <p>
            Messages may hold health information. {batch.company_name} sees in its activity log that Pillar support read
            them, when, how many, and this reason.
          </p>
          <TextField
            {...f('reason', 'Reason')}
            description="A sentence or a ticket number."
            placeholder="Ticket 1182"
            maxLength={300}
            data-autofocus
          />
        </>
      )}
    </FormDialog>
  )
}

function Messages({ batch, country, reason, answer, onClose }: ReadMessagesProps & { reason: string; answer: Opened }) {
  const [shown, setShown] = useState(answer)
  const turn = useWrite(contract.runAdmin.read)
  const { batch_id, location_id } = batch
  const onPage = (page: number) =>
    turn.mutate({ batch_id, location_id, reason, page }, { onSuccess: (next) => setShown(next) })
  const number = (value: number) => formatNumber(country, value)
  return (
    <Dialog
      opened
      size="M"
      title={`Messages of ${batchName(batch)}`}
      error={turn.error ? `Could not open this page. ${wordsOf(turn.error)}` : null}
      onClose={onClose}
    >
      <p className="muted">{batchFacts(country, batch)}</p>
      <p>
        Selected <b>{number(shown.num_patients)}</b> · with a text <b>{number(shown.total)}</b> · cost{' '}
        <b>{formatMoney(batch.country, shown.cost, 2)}</b>
        {shown.sender ? (
          <>
            {' '}
            · sender <b>{shown.sender}</b>
          </>
        ) : null}
      </p>
      <section className={styles.template} aria-label={`Template ${shown.template_name}`}>
        <h3>Template {shown.template_name}</h3>
        {shown.subject ? <p className={styles.subject}>{shown.subject}</p> : null}
        <p className={styles.text}>{shown.body}</p>
      </section>
      <Why title="Held back" rows={shown.held_back} number={number} />
      <Why title="Failed" rows={shown.failed} number={number} />
      {shown.messages.length > 0 ? (
        <>
          <h3 className={styles.title}>As patients read them</h3>
          <ul className={styles.list} aria-label="Messages">
            {shown.messages.map((message, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: messages have no id here, and a page is replaced as a whole.
              <li key={at} className={styles.item}>
                <div className={styles.head}>
                  <Status word={batchWord(message.status)} />
                  {message.fake_patient ? (
                    <Tag tone="caution" icon={FlaskConical}>
                      Fake patient
                    </Tag>
                  ) : null}
                  <span className="muted">
                    {message.sent_at ? momentIn(country, batch.time_zone, message.sent_at) : 'Not sent'}
                    {message.why ? ` · ${message.why}` : ''}
                  </span>
                  <b className={styles.cost}>{formatMoney(batch.country, message.cost, 2)}</b>
                </div>
                {message.subject ? <p className={styles.subject}>{message.subject}</p> : null}
                <p className={styles.text}>{message.body}</p>
              </li>
            ))}
          </ul>
          <Pager
            country={country}
            page={shown.current_page}
            pages={shown.page_count}
            perPage={shown.per_page}
            total={shown.total}
            onPage={onPage}
          />
        </>
      ) : (
        <p className="muted">Nobody was sent a text, so there is none to read.</p>
      )}
    </Dialog>
  )
}

interface WhyProps {
  title: string
  rows: Opened['held_back']
  number: (value: number) => string
}

/** Reasons with their counts, which add up to the sum at the top; nothing if there are none. */
function Why({ title, rows, number }: WhyProps) {
  if (rows.length === 0) return null
  return (
    <dl className={styles.why}>
      <div>
        <dt>{title} because</dt>
        <dd>{number(rows.reduce((sum, { count }) => sum + count, 0))}</dd>
      </div>
      {rows.map(({ reason, text, count }) => (
        <div key={reason}>
          <dt>{text}</dt>
          <dd>{number(count)}</dd>
        </div>
      ))}
    </dl>
  )
}
