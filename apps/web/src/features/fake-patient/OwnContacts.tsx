import { Button } from '@mantine/core'
import { fakePatient } from '@pillar/contract/message/fake-patient-admin'
import { CONTACT_CODE } from '@pillar/domain/message/fake-patient'
import { useState } from 'react'
import { useRead } from '../../api/client.ts'
import { FormDialog } from '../../kit/dialog/FormDialog.tsx'
import { dayOf } from '../../kit/display/dates.ts'
import { Loaded } from '../../kit/display/Loaded.tsx'
import { Tag } from '../../kit/display/Tag.tsx'
import { SelectField, TextField } from '../../kit/form/fields.tsx'
import { useCountry } from '../../session/session.ts'
import styles from './FakePatients.module.css'

type Waiting = { contact_id: string; contact: string }

/** The numbers and addresses the support person has confirmed as their own, and a way to confirm another. */
export function OwnContacts() {
  const country = useCountry()
  const read = useRead(fakePatient.contacts, {})
  const [asking, setAsking] = useState(false)
  const [waiting, setWaiting] = useState<Waiting | null>(null)
  return (
    <section className={styles.section} aria-label="Your own numbers and addresses">
      <header>
        <h3>Your own numbers and addresses</h3>
        <Button size="xs" onClick={() => setAsking(true)}>
          Confirm a number or address
        </Button>
      </header>
      <Loaded read={read} what="your numbers" rows={1}>
        {({ contacts: rows }) =>
          rows.length === 0 ? (
            <p className="muted">None yet. Fake patients can be reached only where you have confirmed it is you.</p>
          ) : (
            <ul className={styles.contacts} aria-label="Confirmed by you">
              {rows.map((row) => (
                <li key={row.contact_id}>
                  <span>{row.contact}</span>
                  {row.confirmed ? (
                    <Tag tone="good">Confirmed until {dayOf(country, row.expires_at)}</Tag>
                  ) : (
                    <>
                      <Tag tone="caution">{row.expires_at ? 'Expired' : 'Not confirmed'}</Tag>
                      <Button size="xs" variant="subtle" onClick={() => setWaiting(row)}>
                        Enter the code
                      </Button>
                    </>
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      {asking ? (
        <AskCode
          onClose={(next) => {
            setAsking(false)
            setWaiting(next ?? null)
          }}
        />
      ) : null}
      {waiting ? <EnterCode key={waiting.contact_id} contact={waiting} onClose={() => setWaiting(null)} /> : null}
    </section>
  )
}

function AskCode({ onClose }: { onClose: (next?: Waiting) => void }) {
  return (
    <FormDialog
      words={{
        ...{ title: 'Confirm a number or address', button: 'Send code', busy: 'Sending...', done: 'Code sent.' },
        what: 'this number',
      }}
      call={fakePatient.askCode}
      initial={{ channel: 'sms' as 'sms' | 'email', contact: '' }}
      input={(values) => values}
      check={({ contact }) =>
        contact.trim() === '' ? [{ field: 'contact', words: 'enter your own mobile number or email address' }] : []
      }
      onClose={(answer) => onClose(answer)}
    >
      {(f, { channel }) => (
        <>
          <p className="muted">
            We send a code of {CONTACT_CODE.digits} digits there. Use your own phone or mailbox only: nobody else is to
            get tests.
          </p>
          <SelectField
            {...f('channel', 'By')}
            options={[
              { value: 'sms', label: 'SMS' },
              { value: 'email', label: 'Email' },
            ]}
          />
          <TextField {...f('contact', channel === 'sms' ? 'Mobile number' : 'Email address')} data-autofocus />
        </>
      )}
    </FormDialog>
  )
}

function EnterCode({ contact, onClose }: { contact: Waiting; onClose: () => void }) {
  const [wrong, setWrong] = useState(0)
  const left = CONTACT_CODE.tries - wrong
  return (
    <FormDialog
      key={wrong}
      words={{
        ...{ title: 'Enter the code', button: 'Confirm', busy: 'Confirming...', done: '', what: 'this code' },
      }}
      call={fakePatient.confirmCode}
      initial={{ code: '' }}
      input={({ code }) => ({ contact_id: contact.contact_id, code })}
      check={({ code }) => (code.trim() === '' ? [{ field: 'code', words: 'enter the code' }] : [])}
      // The dialog itself reports a wrong code.
      done={(answer) => (answer.confirmed ? `${answer.contact} is confirmed as yours.` : '')}
      onClose={(answer) => (answer && !answer.confirmed ? setWrong(wrong + 1) : onClose())}
    >
      {(f) => (
        <>
          <p className="muted">
            Sent to {contact.contact}. The code works for {CONTACT_CODE.minutes} minutes.
          </p>
          {wrong > 0 ? (
            <p role="alert">
              That code is wrong. {left > 0 ? `${left} ${left === 1 ? 'try' : 'tries'} left.` : 'Ask for a new one.'}
            </p>
          ) : null}
          <TextField {...f('code', 'Code')} inputMode="numeric" maxLength={20} data-autofocus />
        </>
      )}
    </FormDialog>
  )
}
