import { contract } from '@pillar/contract'
import type { SequenceEvent } from '@pillar/contract/sequence/sequence-admin'
import { SEQUENCE_EVENTS, sequenceEventProblems, type SequenceEvent as Value } from '@pillar/domain/campaign/sequence'
import { Pencil } from 'lucide-react'
import type { ReactNode } from 'react'
import { send } from '../../api/client.ts'
import { FormDialog } from '../../kit/dialog/FormDialog.tsx'
import { creating, editing } from '../../kit/dialog/form-words.ts'
import { SelectField, TextField } from '../../kit/form/fields.tsx'
import type { Column } from '../../kit/list/data-table.ts'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { useEdited } from '../../kit/list/page/useEdited.tsx'
import { useList } from '../../kit/list/useList.ts'

const calls = contract.sequenceEvent

const COLUMNS: readonly Column<SequenceEvent>[] = [
  { label: 'Event', sort: 'name', cell: ({ name }) => name },
  { label: 'Starts when', sort: 'value', cell: ({ value }) => SEQUENCE_EVENTS[value] },
  { label: 'Sequences', sort: 'sequences', num: true, cell: ({ sequences }) => sequences },
  { label: 'Recommended sequences', num: true, cell: (row) => row.recommended_sequences },
]

/** The events that sequences start with. */
export function SequenceEvents({ tabs }: { tabs: ReactNode }) {
  const list = useList(calls.list, { id: 'event_id', one: 'sequence event', many: 'sequence events' })
  const edited = useEdited<SequenceEvent>('Create Event', (row, close) => <EventDialog row={row} onClose={close} />)
  return (
    <>
      <ListPage
        title="Settings"
        tabs={tabs}
        list={list}
        columns={COLUMNS}
        empty="Create an event, then sequences can start with it."
        actions={edited.button}
        menu={(row) => [{ label: 'Edit', icon: Pencil, run: () => edited.edit(row) }]}
      />
      {edited.dialog}
    </>
  )
}

const valuesOf = (row: SequenceEvent | null) =>
  row
    ? { name: row.name, value: row.value as Value | '', version: row.version }
    : { name: '', value: '' as Value | '', version: 0 }

/** A sequence event, or a new one (no row). */
export function EventDialog({ row, onClose }: { row: SequenceEvent | null; onClose: () => void }) {
  const id = row?.event_id
  return (
    <FormDialog
      words={
        row
          ? editing('sequence event', 'Sequence Event Edited Successfully')
          : creating('sequence event', 'Sequence Event Created Successfully')
      }
      call={row ? calls.edit : calls.create}
      initial={valuesOf(row)}
      input={({ value, ...values }) => ({ ...values, event_id: id ?? '', value: value || null })}
      check={({ name, value }) => sequenceEventProblems({ name, value: value || null })}
      latest={async () => valuesOf(await send(calls.info, { event_id: id ?? '' }))}
      onClose={onClose}
    >
      {(f) => (
        <>
          <TextField {...f('name', 'Event')} required data-autofocus />
          <SelectField
            {...f('value', 'Description')}
            description="What happens to a patient that starts the sequence."
            required
            options={[
              { value: '', label: 'Select' },
              ...Object.entries(SEQUENCE_EVENTS).map(([value, label]) => ({ value, label })),
            ]}
          />
        </>
      )}
    </FormDialog>
  )
}
