import { Button } from '@mantine/core'
import { contract } from '@pillar/contract'
import type { AdminPharmacySequence } from '@pillar/contract/sequence/pharmacy-sequence-read'
import { deactivationWords, removalWords } from '@pillar/domain/campaign/time-line'
import { RESTORE_DAYS } from '@pillar/domain/company/removal'
import { joined } from '@pillar/domain/text/sentence'
import {
  Building2,
  CalendarDays,
  CirclePause,
  CirclePlay,
  Clock,
  Link,
  MessageSquare,
  Pencil,
  Trash2,
} from 'lucide-react'
import { useState } from 'react'
import { useWrite } from '../../api/client.ts'
import { Icon } from '../../kit/display/Icon.tsx'
import { Status } from '../../kit/display/status.tsx'
import { toast } from '../../kit/display/toast.tsx'
import { RowActs, start } from '../../kit/list/acts.tsx'
import { copyLink } from '../../kit/list/row-link.ts'
import { useCountry } from '../../session/session.ts'
import { MessageInfoDialog } from '../message-info/MessageInfoDialog.tsx'
import { PharmacySequenceDialog } from './PharmacySequenceDialog.tsx'
import styles from './SequenceDetail.module.css'
import type { Stats } from './sequence-stats.ts'
import { activationWords, addressOf, cancelling, changedWords, datesOf, methodOf, waitingOf } from './sequence-words.ts'

const calls = contract.sequenceAdmin

interface SequenceHeadProps {
  sequence: AdminPharmacySequence
  /** Undefined until counted. */
  stats: Stats | undefined
  onRemoved: () => void
}

/** A sequence's name, state, settings and acts. */
export function SequenceHead({ sequence, stats, onRemoved }: SequenceHeadProps) {
  const country = useCountry()
  const [open, setOpen] = useState<'edit' | 'messages' | null>(null)
  const waiting = waitingOf(stats)
  const { sequence_id: id, location_id, version, active } = sequence
  const turn = useWrite(calls.edit, {
    ask: {
      title: `${active ? 'Deactivate' : 'Activate'} ${sequence.title}?`,
      consequence: active ? deactivationWords(waiting) : activationWords(sequence),
      button: active ? `Deactivate${cancelling(waiting)}` : 'Activate sequence',
    },
    done: ({ cancelled }) => changedWords(!active, cancelled),
    rereads: true,
  })
  const restore = useWrite(calls.restore, { done: 'Sequence restored. It is inactive.' })
  const remove = useWrite(calls.remove, {
    ask: {
      title: `Remove ${sequence.title}?`,
      consequence: `${removalWords(waiting)} You can restore it for ${RESTORE_DAYS} days.`,
      button: 'Remove sequence',
      danger: true,
    },
  })
  return (
    <header className={styles.head}>
      <div className={styles.title}>
        <h2>{sequence.title}</h2>
        <Status word={active ? 'Active' : 'Inactive'} />
        <div className={styles.acts}>
          <Button leftSection={<Icon of={MessageSquare} />} onClick={() => setOpen('messages')}>
            Message Info
          </Button>
          <Button
            leftSection={<Icon of={active ? CirclePause : CirclePlay} />}
            disabled={!stats}
            title={stats ? undefined : 'Counting what is waiting'}
            onClick={() => start({ run: () => turn.mutateAsync({ id, location_id, active: !active, version }) })}
          >
            {active ? 'Deactivate' : 'Activate'}
          </Button>
          <RowActs
            of={sequence.title}
            acts={[
              { label: 'Edit', icon: Pencil, run: () => setOpen('edit') },
              {
                label: 'Copy link',
                icon: Link,
                run: () => copyLink(addressOf(id)),
              },
              {
                label: 'Remove',
                icon: Trash2,
                danger: true,
                disabled: stats ? undefined : 'Counting what is waiting',
                run: async () => {
                  if (!(await remove.mutateAsync({ id, location_id }))) return
                  const undo = {
                    label: 'Undo',
                    run: () => start({ run: () => restore.mutateAsync({ id, location_id }) }),
                  }
                  toast('Sequence removed', { action: undo })
                  onRemoved()
                },
              },
            ]}
          />
        </div>
      </div>
      {sequence.description ? <p className={styles.about}>{sequence.description}</p> : null}
      <div className={styles.facts}>
        <Fact icon={Building2}>{joined([sequence.location_name, sequence.company])}</Fact>
        <Fact icon={CalendarDays}>{datesOf(country, sequence)}</Fact>
        <Fact icon={Clock}>Sends at 10:00 am, pharmacy’s time</Fact>
        <Fact icon={MessageSquare}>{methodOf(sequence)}</Fact>
      </div>
      {open === 'edit' ? <PharmacySequenceDialog row={sequence} onClose={() => setOpen(null)} /> : null}
      {open === 'messages' ? (
        <MessageInfoDialog
          title={sequence.title}
          filter={{ sequence_id: id, location_id }}
          onClose={() => setOpen(null)}
        />
      ) : null}
    </header>
  )
}

function Fact({ icon, children }: { icon: typeof Clock; children: string }) {
  return (
    <span>
      <Icon of={icon} size={15} /> {children}
    </span>
  )
}
