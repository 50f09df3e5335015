import { Button } from '@mantine/core'
import { type FakePatient, fakePatient } from '@pillar/contract/message/fake-patient-admin'
import { counted, joined } from '@pillar/domain/text/sentence'
import { type Country, NO_VALUE } from '@pillar/domain/time/locale'
import { FlaskConical, Plus, Trash2, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { useRead, useWrite } from '../../api/client.ts'
import { Dialog } from '../../kit/dialog/Dialog.tsx'
import { Icon } from '../../kit/display/Icon.tsx'
import { Loaded } from '../../kit/display/Loaded.tsx'
import { Tag } from '../../kit/display/Tag.tsx'
import { RowActs } from '../../kit/list/acts.tsx'
import { FakePatientForm } from './FakePatientForm.tsx'
import styles from './FakePatients.module.css'
import { OwnContacts } from './OwnContacts.tsx'
import { TestSend } from './TestSend.tsx'

export interface FakePatientsDialogProps {
  pharmacy: { uuid: string; name: string; country: Country }
  onClose: () => void
}

/** Fake patients of one pharmacy: the list, whom tests reach, and a test. */
export function FakePatientsDialog({ pharmacy, onClose }: FakePatientsDialogProps) {
  const [adding, setAdding] = useState(false)
  const read = useRead(fakePatient.list, { id: pharmacy.uuid })
  const rows = read.data?.fake_patient_list ?? []
  const remove = useWrite(fakePatient.remove, {
    ask: {
      title: 'Remove fake patient?',
      consequence: 'Are you sure you want to remove this fake patient?',
      button: 'Remove',
      danger: true,
    },
    done: 'Fake patient successfully removed.',
  })
  return (
    <Dialog opened size="M" title={`Fake patients: ${pharmacy.name}`} onClose={onClose}>
      <p className={styles.banner} role="note">
        <Icon of={TriangleAlert} />
        <span>
          <b>Not real people</b> They are in no figure, report or real campaign. Tests reach only numbers and addresses
          that support has confirmed as its own.
        </span>
      </p>
      <section className={styles.section} aria-label="Fake patients">
        <header>
          <h3>Fake patients</h3>
          <span className="muted">{read.data ? rows.length : ''}</span>
          <Button size="xs" leftSection={<Icon of={Plus} size={14} />} onClick={() => setAdding(true)}>
            Add fake patient
          </Button>
        </header>
        <Loaded read={read} what="fake patients" rows={2}>
          {() =>
            rows.length === 0 ? (
              <p className="muted">No records found</p>
            ) : (
              <ul className={styles.list} aria-label="Fake patients">
                {rows.map((row) => (
                  <FakePatientItem
                    key={row.id}
                    row={row}
                    onRemove={() => remove.mutateAsync({ id: pharmacy.uuid, patient_ids: [row.id] })}
                  />
                ))}
              </ul>
            )
          }
        </Loaded>
      </section>
      <OwnContacts />
      <TestSend pharmacy={pharmacy} patients={rows.length} />
      {adding ? <FakePatientForm pharmacy={pharmacy} onClose={() => setAdding(false)} /> : null}
    </Dialog>
  )
}

function FakePatientItem({ row, onRemove }: { row: FakePatient; onRemove: () => unknown }) {
  const name = `${row.first_name} ${row.last_name}`
  const facts = [
    `ID ${row.id}`,
    ...[row.sex, row.age === null || row.age === undefined ? null : `aged ${row.age}`],
    `adherence ${row.adherence_level}, loyalty ${row.loyalty_level}`,
    `${row.leaked_scripts} of ${counted(row.total_scripts, 'script', 'scripts')} leaked`,
  ].filter(Boolean)
  return (
    <li className={styles.item}>
      <div className={styles.head}>
        <b>{name}</b>
        <Tag tone="caution" icon={FlaskConical}>
          Fake patient
        </Tag>
        <span className={styles.acts}>
          <RowActs acts={[{ label: 'Remove', icon: Trash2, danger: true, run: onRemove }]} of={name} />
        </span>
      </div>
      <span className="muted">{joined(facts, ' · ')}</span>
      <span>
        {reachWords('SMS', row.mobile, row.sms_reachable, row.sms_nocontact_reason != null)} ·{' '}
        {reachWords('Email', row.email, row.email_reachable, row.email_nocontact_reason != null)}
      </span>
    </li>
  )
}

/** 'SMS +61412000111', or why a test does not reach them there. */
function reachWords(channel: string, contact: string, reachable: boolean, held: boolean): string {
  if (contact === '') return `${channel} ${NO_VALUE}`
  if (held) return `${channel} ${contact}, held back in tests`
  return reachable ? `${channel} ${contact}` : `${channel} ${contact}, confirmation has ended`
}
