import { Button } from '@mantine/core'
import type { AdminPharmacySequence, TimeLineStep } from '@pillar/contract/sequence/pharmacy-sequence-read'
import { MessageSquare } from 'lucide-react'
import { useState } from 'react'
import { Icon } from '../../kit/display/Icon.tsx'
import { MessageInfoDialog } from '../message-info/MessageInfoDialog.tsx'

/** Opens the message batches of one follow-up. */
export function FollowUpMessages({ step, sequence }: { step: TimeLineStep; sequence: AdminPharmacySequence }) {
  const [open, setOpen] = useState(false)
  const { sequence_id, location_id, title } = sequence
  return (
    <>
      <Button size="xs" leftSection={<Icon of={MessageSquare} size={14} />} onClick={() => setOpen(true)}>
        Message Info
      </Button>
      {open ? (
        <MessageInfoDialog
          title={`${title}, day ${step.days_after}`}
          filter={{ sequence_id, follow_up_id: step.follow_up_id, location_id }}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </>
  )
}
