import { Button } from '@mantine/core'
import type { ReplyOf } from '@pillar/contract'
import { financials } from '@pillar/contract/financials'
import { reportMail } from '@pillar/contract/report-mail'
import { REPORT_DAY, REPORT_WAIT } from '@pillar/domain/report/report-mail'
import { isolated, joined, ORDINALS } from '@pillar/domain/text/sentence'
import { toYmd } from '@pillar/domain/time/day'
import { MONTH_NAMES } from '@pillar/domain/time/locale'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { send, useRead, useWrite } from '../../api/client.ts'
import { Dialog } from '../../kit/dialog/Dialog.tsx'
import { FormDialog } from '../../kit/dialog/FormDialog.tsx'
import { Loaded, notLoaded } from '../../kit/display/Loaded.tsx'
import { SelectField } from '../../kit/form/fields.tsx'
import { RowActs } from '../../kit/list/acts.tsx'
import { useCountry } from '../../session/session.ts'
import { todayOf } from '../../shared/today.ts'
import styles from './ReportMail.module.css'

type Mails = ReplyOf<typeof reportMail.list>

const DAYS = ORDINALS.slice(REPORT_DAY.least - 1, REPORT_DAY.most).map((nth, at) => ({
  value: String(at + REPORT_DAY.least),
  label: `The ${nth} business day`,
}))

/** Who gets the one-page report by email every month, what it covers, and when. */
export function ReportMailDialog({ close }: { close: () => void }) {
  const read = useRead(reportMail.list, {})
  const [form, setForm] = useState<'add' | 'day' | null>(null)
  return (
    <Dialog
      opened
      size="M"
      title="Monthly report by email"
      onClose={close}
      foot={
        <>
          <Button onClick={close}>Close</Button>
          <Button variant="filled" disabled={!read.data} onClick={() => setForm('add')}>
            Add somebody…
          </Button>
        </>
      }
    >
      <Loaded read={read} what="the monthly reports">
        {(data) => (
          <>
            <p>
              Goes out on the {ORDINALS[data.business_day - 1]} business day of the new month, as soon as every
              pharmacy’s data reach the end of the month. It waits at most {REPORT_WAIT} business days longer, and then
              names who is late.{' '}
              <Button variant="subtle" size="compact-sm" onClick={() => setForm('day')}>
                Change the day…
              </Button>
            </p>
            <MailList data={data} />
            {form === 'add' ? <AddForm data={data} close={() => setForm(null)} /> : null}
            {form === 'day' ? <DayForm data={data} close={() => setForm(null)} /> : null}
          </>
        )}
      </Loaded>
    </Dialog>
  )
}

function MailList({ data }: { data: Mails }) {
  const remove = useWrite(reportMail.remove, { done: 'Monthly report ended' })
  if (data.mails.length === 0) return <p className="muted">Nobody gets it yet.</p>
  return (
    <ul className={styles.list}>
      {data.mails.map((mail) => (
        <li key={mail.id}>
          <span className={styles.words}>
            <b>{mail.is_me ? `${mail.reader_name} (you)` : mail.reader_name}</b>
            <span className="muted">
              {mail.pharmacy_name ?? 'Whole company'}
              {mail.last_month ? `, last sent for ${monthText(mail.last_month)}` : ''}
            </span>
          </span>
          <RowActs
            of={joined([mail.reader_name, mail.pharmacy_name ?? 'whole company'])}
            acts={[{ label: 'End', icon: Trash2, danger: true, run: () => remove.mutateAsync({ id: mail.id }) }]}
          />
        </li>
      ))}
    </ul>
  )
}

/** '2026-10' becomes 'October 2026'. */
const monthText = (month: string) => `${MONTH_NAMES[Number(month.slice(5)) - 1]} ${month.slice(0, 4)}`

function AddForm({ data, close }: { data: Mails; close: () => void }) {
  const { year, month } = toYmd(todayOf(useCountry()))
  const info = useRead(financials.initInfo, { year, month })
  const readers = data.readers.filter(({ stopped }) => !stopped)
  const names = readers.map(({ id, name, username }) => ({ value: id, label: `${isolated(name)} (${username})` }))
  const pharmacies = info.data?.pharmacies ?? []
  return (
    <FormDialog
      words={{
        title: 'Add somebody',
        button: 'Add',
        busy: 'Adding...',
        done: 'Monthly report added',
        what: 'the monthly report',
        blocked: ({ reader }: { reader: string }) => (reader === '' ? 'Choose who gets it' : ''),
      }}
      call={reportMail.add}
      initial={{ reader: '', pharmacy: '' }}
      input={({ reader, pharmacy }: { reader: string; pharmacy: string }) => ({
        reader_id: reader,
        pharmacy_id: pharmacy === '' ? null : pharmacy,
      })}
      onClose={close}
    >
      {(f) => (
        <>
          <SelectField
            {...f('reader', 'Who')}
            description="People at the company who see Financials, except those who have refused it."
            options={[{ value: '', label: 'Choose…' }, ...names]}
          />
          <SelectField
            {...f('pharmacy', 'Report of')}
            failed={notLoaded('the pharmacies', info)}
            options={[
              { value: '', label: 'Whole company' },
              ...pharmacies.map(({ pharmacy_id, pharmacy_name }) => ({ value: pharmacy_id, label: pharmacy_name })),
            ]}
          />
        </>
      )}
    </FormDialog>
  )
}

const dayOf = ({ business_day, version }: Mails) => ({ day: String(business_day), version })

function DayForm({ data, close }: { data: Mails; close: () => void }) {
  return (
    <FormDialog
      words={{ title: 'Change the day', button: 'Update', busy: 'Saving...', done: 'Day changed', what: 'the day' }}
      call={reportMail.saveDay}
      initial={dayOf(data)}
      input={({ day, version }) => ({ business_day: Number(day), version })}
      latest={async () => dayOf(await send(reportMail.list, {}))}
      onClose={close}
    >
      {(f) => <SelectField {...f('day', 'The report goes out on')} options={DAYS} />}
    </FormDialog>
  )
}
