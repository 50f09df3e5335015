import { reportAdmin } from '@pillar/contract/message/report-admin'
import { isolated } from '@pillar/domain/text/sentence'
import { addMonths, formatDay } from '@pillar/domain/time/day'
import { useState } from 'react'
import { useRead } from '../../api/client.ts'
import { FormDialog } from '../../kit/dialog/FormDialog.tsx'
import type { Bound } from '../../kit/dialog/useFormDialog.ts'
import { Failed, Loading } from '../../kit/display/states.tsx'
import { DateField } from '../../kit/form/DateField.tsx'
import { SelectField } from '../../kit/form/fields.tsx'
import { useCountry } from '../../session/session.ts'
import { todayOf } from '../../shared/today.ts'
import { daysProblems } from './history-draft.ts'
import styles from './MessageHistory.module.css'

/** The pharmacy a report is about. */
export interface ReportDialogProps {
  pharmacy: { uuid: string; name: string }
  onClose: () => void
}

const WORDS = {
  button: 'Generate Report',
  busy: 'Generating...',
  done: 'Report Successfully Generated.',
  what: 'this report',
}
const MAIL = [{ field: 'email' as const, words: 'choose who gets the report by email' }]

/** Support's Message History Report of one pharmacy, mailed to somebody of its company. */
export function AdminMessageHistoryDialog({ pharmacy, onClose }: ReportDialogProps) {
  const country = useCountry()
  const [today] = useState(() => todayOf(country))
  const initial = { from: formatDay(addMonths(today, -1)), to: formatDay(today), email: '' }
  return (
    <FormDialog
      words={{ ...WORDS, title: 'Generate Message History Report' }}
      call={reportAdmin.messageHistory}
      initial={initial}
      input={(values) => ({ ...values, id: pharmacy.uuid })}
      check={(values) => [...daysProblems(values, today), ...(values.email === '' ? MAIL : [])]}
      onClose={() => onClose()}
    >
      {(f, values) => {
        const [from, to] = [f('from', 'From'), f('to', 'To')]
        return (
          <>
            <p className="muted">
              Every message {pharmacy.name} sent in these days, with patients’ names. The email holds a link that works
              once, within 24 hours, and not the file itself.
            </p>
            <div className={styles.dates}>
              <DateField {...from} value={values.from} onChange={from.onChange} onUnread={from.onChange} />
              <DateField {...to} value={values.to} onChange={to.onChange} onUnread={to.onChange} />
            </div>
            <RecipientField field={f('email', 'Email')} pharmacy={pharmacy.uuid} />
          </>
        )
      }}
    </FormDialog>
  )
}

/** A pharmacy's 60 Day Dispensing Report, mailed to somebody of its company. */
export function SixtyDayReportDialog({ pharmacy, onClose }: ReportDialogProps) {
  return (
    <FormDialog
      words={{ ...WORDS, title: '60 Day Dispensing Report' }}
      call={reportAdmin.doubleDispensing}
      initial={{ email: '' }}
      input={({ email }) => ({ ids: [pharmacy.uuid], email })}
      check={({ email }) => (email === '' ? MAIL : [])}
      onClose={() => onClose()}
    >
      {(f) => (
        <>
          <p className="muted">
            For each medicine that may be dispensed for 60 days: the scripts {pharmacy.name} dispensed in 12 months, how
            many are still at 30 days, and how many are at 60 already.
          </p>
          <RecipientField field={f('email', 'Email')} pharmacy={pharmacy.uuid} />
        </>
      )}
    </FormDialog>
  )
}

/** The recipient of the report, one of the people of the pharmacy's own company. */
function RecipientField({ field, pharmacy }: { field: Bound; pharmacy: string }) {
  const read = useRead(reportAdmin.recipients, { id: pharmacy })
  if (read.error) {
    return <Failed title="Could not load the company’s people" error={read.error} onRetry={() => void read.refetch()} />
  }
  if (!read.data) return <Loading rows={1} />
  const people = read.data.recipients
  return (
    <SelectField
      {...field}
      description={
        people.length === 0
          ? 'Nobody at this company can sign in yet. Add a user first.'
          : 'Only people of the pharmacy’s own company can be chosen.'
      }
      disabled={people.length === 0}
      options={[
        { value: '', label: 'Select' },
        ...people.map(({ name, email, contact }) => ({
          value: email,
          label: `${isolated(name)} · ${email}${contact ? ' (contact)' : ''}`,
        })),
      ]}
    />
  )
}
