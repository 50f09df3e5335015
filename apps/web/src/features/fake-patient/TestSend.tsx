import { Button, NativeSelect } from '@mantine/core'
import { fakePatient } from '@pillar/contract/message/fake-patient-admin'
import { counted } from '@pillar/domain/text/sentence'
import { Send } from 'lucide-react'
import { useState } from 'react'
import { useRead, useWrite } from '../../api/client.ts'
import { Icon } from '../../kit/display/Icon.tsx'
import { Failed } from '../../kit/display/states.tsx'
import { start } from '../../kit/list/acts.tsx'
import styles from './FakePatients.module.css'

interface TestSendProps {
  pharmacy: { uuid: string; name: string }
  /** The number of fake patients. */
  patients: number
}

/** Sends a campaign's messages to the fake patients, through the ledger that real patients' messages go through. */
export function TestSend({ pharmacy, patients }: TestSendProps) {
  const read = useRead(fakePatient.campaigns, { id: pharmacy.uuid })
  const [campaign, setCampaign] = useState('')
  const campaigns = read.data?.campaigns ?? []
  const send = useWrite(fakePatient.test, {
    ask: {
      title: 'Send a test?',
      consequence: `Messages of this campaign go to ${counted(patients, 'fake patient', 'fake patients')} of ${pharmacy.name} now. Texts are charged. No real patient gets one.`,
      button: 'Send test',
    },
    done: ({ queued, held_back }) =>
      `${counted(queued, 'test message', 'test messages')} on the way, ${held_back} held back. See Message Info for what happened to them.`,
  })
  const why =
    patients === 0
      ? 'Add a fake patient first'
      : campaigns.length === 0
        ? 'This pharmacy has no campaign to test'
        : campaign === ''
          ? 'Choose a campaign'
          : undefined
  return (
    <section className={styles.section} aria-label="Test">
      <header>
        <h3>Test a campaign</h3>
      </header>
      {read.error ? (
        <Failed title="Could not load campaigns" error={read.error} onRetry={() => void read.refetch()} />
      ) : (
        <div className={styles.test}>
          <NativeSelect
            label="Campaign"
            value={campaign}
            onChange={(event) => setCampaign(event.currentTarget.value)}
            data={[
              { value: '', label: 'Select' },
              ...campaigns.map(({ campaign_id, name }) => ({ value: campaign_id, label: name })),
            ]}
          />
          <Button
            leftSection={<Icon of={Send} />}
            disabled={why !== undefined}
            title={why}
            onClick={() =>
              start({
                ...{ label: 'Send test', icon: Send },
                run: () => send.mutateAsync({ id: pharmacy.uuid, campaign_id: campaign }),
              })
            }
          >
            Send test
          </Button>
          {why ? <span className="muted">{why}</span> : null}
        </div>
      )}
    </section>
  )
}
