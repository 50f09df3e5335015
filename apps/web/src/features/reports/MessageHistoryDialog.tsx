import { Button } from '@mantine/core'
import { report } from '@pillar/contract/report'
import { addMonths, formatDay } from '@pillar/domain/day'
import { counted } from '@pillar/domain/sentence'
import { CircleCheck } from 'lucide-react'
import { useState } from 'react'
import { useRead, useWrite } from '../../api/client.ts'
import { Dialog } from '../../kit/dialog/Dialog.tsx'
import { Icon } from '../../kit/display/Icon.tsx'
import { Failed, Loading, NothingYet } from '../../kit/display/states.tsx'
import { DateField } from '../../kit/form/DateField.tsx'
import { localToday } from '../../shared/today.ts'
import { ContactList } from './ContactList.tsx'
import { blockedBy, datesProblem } from './history-draft.ts'
import styles from './MessageHistory.module.css'

/** Makes each chosen pharmacy's message history and mails it to that pharmacy's contact. */
export function MessageHistoryDialog({ onClose }: { onClose: () => void }) {
  const [today] = useState(localToday)
  const [from, setFrom] = useState(() => formatDay(addMonths(today, -1)))
  const [to, setTo] = useState(() => formatDay(today))
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set())
  const contacts = useRead(report.contacts, {})
  const make = useWrite(report.messageHistory)
  const wrongDates = datesProblem(from, to, today)
  const nobody = contacts.data?.pharmacies.every(({ contact }) => contact === null) ?? false
  const blocked = blockedBy(picked.size, wrongDates, nobody)

  if (make.isSuccess) return <Done said={make.data.message} pharmacies={picked.size} onClose={onClose} />
  return (
    <Dialog
      opened
      onClose={onClose}
      closable={!make.isPending}
      title="Generate Message History Report"
      size="M"
      error={make.error?.message ?? null}
      footLeft={picked.size > 0 ? <span className="muted">{picked.size} selected</span> : null}
      foot={
        <>
          {blocked ? (
            <span className="muted" id="history-blocked">
              {blocked}
            </span>
          ) : null}
          <Button
            variant="filled"
            disabled={blocked !== ''}
            aria-describedby={blocked ? 'history-blocked' : undefined}
            loading={make.isPending}
            onClick={() => make.mutate({ from, to, ids: [...picked] })}
          >
            Generate Report
          </Button>
        </>
      }
    >
      <p className="muted">
        Every message sent in these days, as a file for each pharmacy. The pharmacy’s contact gets an e-mail with a link
        that works once, within 24 hours.
      </p>
      <div className={styles.dates}>
        <DateField
          label="From"
          value={from}
          error={wrongDates !== '' && (from === '' || to !== '')}
          onChange={setFrom}
        />
        <DateField label="To" value={to} error={wrongDates !== '' && to === ''} onChange={setTo} />
      </div>
      {contacts.data ? (
        contacts.data.pharmacies.length === 0 ? (
          <NothingYet title="No pharmacies yet">They appear here once your pharmacies are connected.</NothingYet>
        ) : (
          <ContactList pharmacies={contacts.data.pharmacies} picked={picked} onChange={setPicked} />
        )
      ) : contacts.isError ? (
        <Failed title="Could not load the pharmacies" error={contacts.error} onRetry={() => void contacts.refetch()} />
      ) : (
        <Loading rows={6} />
      )}
    </Dialog>
  )
}

function Done({ said, pharmacies, onClose }: { said: string; pharmacies: number; onClose: () => void }) {
  return (
    <Dialog
      opened
      onClose={onClose}
      title="Generate Message History Report"
      size="M"
      foot={
        <Button variant="filled" onClick={onClose} data-autofocus>
          Close
        </Button>
      }
    >
      <p className={styles.done} role="status">
        <Icon of={CircleCheck} size={18} /> <b>{said}</b>
      </p>
      <p className="muted">
        {counted(pharmacies, 'pharmacy', 'pharmacies')}: each contact gets an e-mail with a link that works once, within
        24 hours.
      </p>
    </Dialog>
  )
}
