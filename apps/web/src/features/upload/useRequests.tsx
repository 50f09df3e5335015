import { Button } from '@mantine/core'
import { contract, type ReplyOf } from '@pillar/contract'
import { counted } from '@pillar/domain/text/sentence'
import { type ReactNode, useState } from 'react'
import { useWrite } from '../../api/client.ts'
import { Dialog } from '../../kit/dialog/Dialog.tsx'
import { confirm } from '../../kit/dialog/question.ts'
import { Status } from '../../kit/display/status.tsx'
import { toast, toastFailure } from '../../kit/display/toast.tsx'
import { DataTable } from '../../kit/list/DataTable.tsx'
import { chosenOf } from '../../kit/list/selection.ts'

type Answer = ReplyOf<typeof contract.etl.request>

/** The pharmacies to request uploads from: rows, or all that match a filter of the list. */
interface Asked {
  count: number
  rows: readonly { id: string; name: string }[]
  filter: object | null
}

interface Requests {
  /** Asks a question first, then sends the requests. Resolves true once done. */
  request: (asked: Asked) => Promise<boolean>
  /** The outcome for each, while that is open. */
  dialog: ReactNode
}

/** Requests uploads from pharmacies and shows the outcome for each. */
export function useRequests(): Requests {
  const write = useWrite(contract.etl.request)
  const [answer, setAnswer] = useState<Answer | null>(null)
  const request = (asked: Asked) => {
    const many = counted(asked.count, 'pharmacy', 'pharmacies')
    const [only] = asked.filter === null && asked.rows.length === 1 ? asked.rows : []
    return confirm({
      title: `Request an upload from ${only?.name ?? many}?`,
      consequence:
        'Each pharmacy is asked to upload from its own data source, with no time range. Its upload command sends the files.',
      button: only ? 'Request upload' : `Request upload from ${many}`,
      act: async () => {
        const done = await write.mutateAsync(chosenOf('id', asked, ({ id }) => id))
        const [refused] = done.not_requested
        if (!only && refused) setAnswer(done)
        else if (refused) toastFailure(`${refused.name} was not requested. ${refused.reason}`)
        else toast(only ? 'Upload successfully requested.' : `Upload successfully requested from ${many}.`)
      },
    })
  }
  const dialog = answer ? <Results answer={answer} onClose={() => setAnswer(null)} /> : null
  return { request, dialog }
}

/** The outcome for each pharmacy, with those not asked first. */
function Results({ answer, onClose }: { answer: Answer; onClose: () => void }) {
  const { requested, not_requested } = answer
  const rows = [
    ...not_requested.map(({ pharmacy, name, reason }) => ({ id: pharmacy, name, asked: false, reason })),
    ...requested.map(({ pharmacy, name }) => ({ id: pharmacy, name, asked: true, reason: '' })),
  ]
  return (
    <Dialog
      opened
      size="M"
      title={`Upload requested from ${requested.length} of ${counted(rows.length, 'pharmacy', 'pharmacies')}`}
      onClose={onClose}
      foot={
        <Button variant="filled" onClick={onClose}>
          Close
        </Button>
      }
    >
      <DataTable
        label="Requests"
        rows={rows}
        idOf={({ id }) => id}
        columns={[
          { label: 'Pharmacy', cell: ({ name }) => name },
          { label: 'Result', cell: ({ asked }) => <Status word={asked ? 'Requested' : 'Not sent'} /> },
          { label: 'Why', cell: ({ reason }) => reason },
        ]}
      />
    </Dialog>
  )
}
