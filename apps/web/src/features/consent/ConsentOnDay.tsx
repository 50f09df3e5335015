import { Button } from '@mantine/core'
import type { contract, ReplyOf } from '@pillar/contract'
import type { CompanyLocation } from '@pillar/contract/company/company-admin'
import { choiceText, consentPlace } from '@pillar/domain/consent/consent-as-of'
import { isolated } from '@pillar/domain/text/sentence'
import { Printer } from 'lucide-react'
import { Dialog } from '../../kit/dialog/Dialog.tsx'
import { momentIn } from '../../kit/display/dates.ts'
import { Icon } from '../../kit/display/Icon.tsx'
import { Status } from '../../kit/display/status.tsx'
import { useCountry } from '../../session/session.ts'
import { batchWord } from '../message-info/message-info-words.ts'
import styles from './ConsentOnDay.module.css'

/** The values as typed. */
export type ConsentAsked = Record<'number' | 'last_name' | 'day' | 'reason', string>
export type ConsentFound = ReplyOf<typeof contract.consentAdmin.asOf>

interface ConsentOnDayProps {
  pharmacy: CompanyLocation
  asked: ConsentAsked
  answer: ConsentFound
  onClose: () => void
}

/** The answer for a complaint or a regulator, to read and print. */
export function ConsentOnDay({ pharmacy, asked, answer, onClose }: ConsentOnDayProps) {
  const country = useCountry()
  const moment = (at: string) => momentIn(country, answer.time_zone, at)
  const entries = new Map(answer.entries.map((entry) => [entry.id, entry]))
  const entryOf = (id: string | null) => (id === null ? undefined : entries.get(id))
  const from = ({ at, source }: ConsentFound['entries'][number]) => `${moment(at)}, ${source}`
  return (
    <Dialog
      opened
      size="M"
      title={`Consent of patient ${asked.number.trim()}`}
      onClose={onClose}
      foot={
        <Button variant="filled" onClick={onClose}>
          Close
        </Button>
      }
    >
      <div className={styles.top}>
        <p>
          {asked.last_name.trim()}, patient {asked.number.trim()} of <b>{pharmacy.name}</b>, as of{' '}
          <b>{moment(answer.as_of)}</b>
        </p>
        {/* Here rather than in the foot, because keyboard scrolling needs a stop inside the scrolling area. */}
        <Button leftSection={<Icon of={Printer} />} onClick={() => window.print()}>
          Print
        </Button>
      </div>
      <dl className={styles.choices} aria-label="Choices">
        {answer.choices.map(({ channel, kind, choice, entry, since }) => {
          const [words, began] = [entryOf(entry), entryOf(since)]
          return (
            <div key={`${channel} ${kind}`}>
              <dt>{consentPlace(channel, kind)}</dt>
              <dd>
                <b>{choiceText(choice, kind)}</b>
                {words && began ? (
                  <>
                    <span className="muted">Since {from(began)}</span>
                    {words === began ? null : <span className="muted">In the words of {from(words)}</span>}
                  </>
                ) : null}
              </dd>
            </div>
          )
        })}
      </dl>
      <h3 className={styles.title}>All entries until then, with their words</h3>
      {answer.entries.length === 0 ? (
        <p className="muted">The patient had never said anything.</p>
      ) : (
        <ul className={styles.list} aria-label="Entries">
          {answer.entries.map((entry) => (
            <li key={entry.id}>
              <b>{entry.says}</b>
              <span className="muted">{from(entry)}</span>
              {entry.wording ? <q className={styles.words}>{entry.wording}</q> : null}
            </li>
          ))}
        </ul>
      )}
      <h3 className={styles.title}>Sent in the 30 days before</h3>
      {answer.messages.length === 0 ? (
        <p className="muted">Nothing was sent.</p>
      ) : (
        <ul className={styles.list} aria-label="Messages">
          {answer.messages.map(({ at, channel, status, sent_by, template, rule, entry }, index) => {
            const allowed = entryOf(entry)
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: messages have no id here, and never change.
              <li key={index}>
                <span className={styles.head}>
                  <b>{channel === 'sms' ? 'SMS' : 'Email'}</b> {moment(at)} <Status word={batchWord(status)} />
                </span>
                <span>
                  {isolated(sent_by)}, template {isolated(template)}
                </span>
                <span className="muted">
                  {rule ?? 'Why it was allowed was not recorded'}
                  {allowed ? `. Entry of ${from(allowed)}` : ''}
                </span>
              </li>
            )
          })}
        </ul>
      )}
      <p className={`muted ${styles.title}`}>
        Times are the pharmacy’s local time ({answer.time_zone}). An opt-out in the dispensing system has the time of
        the upload that first showed it. This is the consent kept by {pharmacy.name}; other pharmacies keep their own.
      </p>
    </Dialog>
  )
}
