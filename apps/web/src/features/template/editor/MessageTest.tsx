import { Button, TextInput } from '@mantine/core'
import { contract } from '@pillar/contract'
import { CircleAlert, CircleCheck, Send } from 'lucide-react'
import { useState } from 'react'
import { useWrite } from '../../../api/client.ts'
import { Icon } from '../../../kit/display/Icon.tsx'
import { Segments } from '../../../kit/form/Segments.tsx'
import styles from './MessagePreview.module.css'

interface MessageTestProps {
  pharmacyId: string
  body: string
  subject: string | null
  sms: boolean
  email: boolean
}

/** Sends the message to oneself, never to a patient: a text to a mobile, an email to the login's own address. */
export function MessageTest({ pharmacyId, body, subject, sms, email }: MessageTestProps) {
  const [picked, setPicked] = useState<'sms' | 'email'>('sms')
  const [mobile, setMobile] = useState('')
  const [missing, setMissing] = useState(false)
  const test = useWrite(contract.template.test)
  const channel = sms && email ? picked : sms ? 'sms' : 'email'
  const send = () => {
    const lacks = channel === 'sms' && mobile.trim() === ''
    setMissing(lacks)
    if (lacks || test.isPending) return
    test.mutate({ pharmacy_id: pharmacyId, channel, body, subject, mobile: channel === 'sms' ? mobile.trim() : null })
  }
  return (
    <section className={styles.test} aria-label="Test message">
      <h3>Send yourself a test</h3>
      <div role="status">
        {test.data ? (
          <p className={styles.said}>
            <Icon of={CircleCheck} />
            {test.data.simulated
              ? `Test mode: the message to ${test.data.sent_to} was prepared but not sent.`
              : `Sent to ${test.data.sent_to}.`}
          </p>
        ) : null}
        {test.error ? (
          <p className={styles.said} data-failed>
            <Icon of={CircleAlert} /> The test was not sent. {test.error.message}
          </p>
        ) : null}
      </div>
      <div className={styles.row}>
        {sms && email ? (
          <Segments
            label="Test as"
            options={[
              { value: 'sms', label: 'Text' },
              { value: 'email', label: 'Email' },
            ]}
            value={picked}
            onChange={setPicked}
          />
        ) : null}
        {channel === 'sms' ? (
          <TextInput
            label="Your mobile"
            inputMode="tel"
            autoComplete="tel"
            maxLength={40}
            value={mobile}
            error={missing ? 'Please enter a mobile number.' : undefined}
            onChange={(event) => setMobile(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return
              // Sends the test without saving the template whose form contains it.
              event.preventDefault()
              send()
            }}
          />
        ) : null}
        <Button size="lg" leftSection={<Icon of={Send} size={15} />} onClick={send} loading={test.isPending}>
          {channel === 'sms' ? 'Send a test text' : 'Send a test email to my address'}
        </Button>
      </div>
    </section>
  )
}
