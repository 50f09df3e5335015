import { report } from '@pillar/contract/message/report'
import { addMonths, formatDay } from '@pillar/domain/time/day'
import { useState } from 'react'
import { type ReadOf, useRead } from '../../api/client.ts'
import { FormDialog } from '../../kit/dialog/FormDialog.tsx'
import { Failed, Loading, NothingYet } from '../../kit/display/states.tsx'
import { DateField } from '../../kit/form/DateField.tsx'
import { useCountry } from '../../session/session.ts'
import { todayOf } from '../../shared/today.ts'
import { ContactList } from './ContactList.tsx'
import { blockedBy, daysProblems, type HistoryValues, type ReportPharmacy } from './history-draft.ts'
import styles from './MessageHistory.module.css'

const WORDS = {
  title: 'Generate Message History Report',
  button: 'Generate Report',
  busy: 'Generating...',
  done: 'Report Successfully Generated.',
  what: 'this report',
}

/** Makes each selected pharmacy's message history and mails it to that pharmacy's contact. */
export function MessageHistoryDialog({ onClose }: { onClose: () => void }) {
  const country = useCountry()
  const [today] = useState(() => todayOf(country))
  const contacts = useRead(report.contacts, {})
  const nobody = contacts.data?.pharmacies.every(({ contact }) => contact === null) ?? false
  const initial: HistoryValues = { from: formatDay(addMonths(today, -1)), to: formatDay(today), ids: [] }
  return (
    <FormDialog
      size="M"
      words={{ ...WORDS, blocked: (values) => blockedBy(values, today, nobody) }}
      call={report.messageHistory}
      initial={initial}
      input={(values) => values}
      check={(values) => daysProblems(values, today)}
      onClose={() => onClose()}
    >
      {(f, values) => {
        const wrong = daysProblems(values, today)[0]?.field
        const [from, to, ids] = [f('from', 'From'), f('to', 'To'), f('ids', 'Pharmacies')]
        return (
          <>
            <p className="muted">
              Every message sent in these days, as a file for each pharmacy. The pharmacy’s contact gets an email with a
              link that works once, within 24 hours.
            </p>
            <div className={styles.dates}>
              <DateField
                {...from}
                value={values.from}
                onChange={from.onChange}
                onUnread={from.onChange}
                error={wrong === 'from'}
              />
              <DateField
                {...to}
                value={values.to}
                onChange={to.onChange}
                onUnread={to.onChange}
                error={wrong === 'to'}
              />
            </div>
            <Contacts read={contacts} picked={values.ids} onChange={ids.onChange} />
          </>
        )
      }}
    </FormDialog>
  )
}

interface ContactsProps {
  read: ReadOf<{ pharmacies: ReportPharmacy[] }>
  picked: readonly string[]
  onChange: (ids: string[]) => void
}

/** Selects the pharmacies for the reports, or says why none can be selected. */
function Contacts({ read, picked, onChange }: ContactsProps) {
  if (read.isError && !read.data) {
    return <Failed title="Could not load the pharmacies" error={read.error} onRetry={() => void read.refetch()} />
  }
  if (!read.data) return <Loading rows={6} />
  const { pharmacies } = read.data
  if (pharmacies.length === 0) {
    return <NothingYet title="No pharmacies yet">Support adds them.</NothingYet>
  }
  return <ContactList pharmacies={pharmacies} picked={new Set(picked)} onChange={(ids) => onChange([...ids])} />
}
