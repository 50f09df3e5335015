import { contract } from '@pillar/contract'
import type { FaultyPharmacy } from '@pillar/contract/upload/etl-faulty'
import { UPLOAD_NOTE_LIMIT } from '@pillar/domain/upload/upload-request'
import { NotebookPen, UserCheck } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { send, useRead, useWrite } from '../../api/client.ts'
import { FormDialog } from '../../kit/dialog/FormDialog.tsx'
import { notLoaded } from '../../kit/display/Loaded.tsx'
import { DayField, SelectField, TextField } from '../../kit/form/fields.tsx'
import type { Act } from '../../kit/list/acts.tsx'
import { restDay, restsUntil } from './faulty-words.ts'

const calls = contract.etl
const RESTS = [
  { value: 'no', label: 'Not snoozed' },
  { value: 'change', label: 'Until its state changes' },
  { value: 'date', label: 'Until a date' },
]

function valuesOf(row: FaultyPharmacy) {
  const until = restDay(row, new Date())
  const rest = until ? 'date' : row.snoozed_until_change ? 'change' : 'no'
  return { assigned_to: row.assigned_to?.uuid ?? '', note: row.note, rest, until, version: row.version }
}
type Values = ReturnType<typeof valuesOf>

/** The acts on a row of the work list, and the open dialog. */
export function useWorkActs(): { acts: (row: FaultyPharmacy) => readonly Act[]; dialog: ReactNode } {
  const [row, setRow] = useState<FaultyPharmacy | null>(null)
  const people = useRead(calls.people, {})
  const write = useWrite(calls.work, { done: 'Assigned to you', rereads: true })
  const assignToMe = async ({ id, version }: FaultyPharmacy) => {
    const { data } = people.data ?? (await send(calls.people, {}))
    const me = data.find((person) => person.me)
    await write.mutateAsync({ id, assigned_to: me?.uuid ?? null, version })
  }
  return {
    acts: (of) => [
      { label: 'Assign to me', icon: UserCheck, run: () => assignToMe(of) },
      { label: 'Assign, note or snooze', icon: NotebookPen, run: () => setRow(of) },
    ],
    dialog: row ? <WorkDialog row={row} onClose={() => setRow(null)} /> : null,
  }
}

interface WorkDialogProps {
  row: FaultyPharmacy
  onClose: () => void
}

/** Who is responsible for a pharmacy's uploads, what they found, and until when it is snoozed. */
function WorkDialog({ row, onClose }: WorkDialogProps) {
  const people = useRead(calls.people, {})
  const latest = async (): Promise<Values> => {
    const { etl_items } = await send(calls.faulty, { search_term: row.id })
    return valuesOf(etl_items[0] ?? row)
  }
  return (
    <FormDialog
      words={{ title: row.name, button: 'Update', busy: 'Updating...', done: 'Work list updated', what: 'these notes' }}
      call={calls.work}
      initial={valuesOf(row)}
      input={({ assigned_to, note, rest, until, version }) => ({
        ...{ id: row.id, note, version, assigned_to: assigned_to || null },
        snoozed_until: rest === 'date' && until ? restsUntil(row, until) : null,
        snoozed_until_change: rest === 'change',
      })}
      check={({ rest, until }) =>
        rest === 'date' && !until ? [{ field: 'until' as const, words: 'select the date until which it rests' }] : []
      }
      latest={latest}
      onClose={onClose}
    >
      {(f, { rest }) => (
        <>
          <p className="muted">{row.next_step}</p>
          <SelectField
            {...f('assigned_to', 'Assigned to')}
            options={optionsOf(people.data?.data ?? [], row.assigned_to)}
            failed={notLoaded('the support people', people)}
          />
          <TextField
            {...f('note', 'Note')}
            maxLength={UPLOAD_NOTE_LIMIT}
            description="Internal note. No patient details."
          />
          <SelectField {...f('rest', 'Snooze')} options={RESTS} />
          {rest === 'date' ? <DayField {...f('until', 'Until')} /> : null}
        </>
      )}
    </FormDialog>
  )
}

/** Nobody, the support people, and the present assignee if they are not among them. */
function optionsOf(people: readonly Named[], own: Named | null) {
  const other = own && people.every(({ uuid }) => uuid !== own.uuid) ? [own] : []
  return [
    { value: '', label: 'Nobody' },
    ...[...people, ...other].map(({ uuid, name }) => ({ value: uuid, label: name })),
  ]
}
interface Named {
  uuid: string
  name: string
}
