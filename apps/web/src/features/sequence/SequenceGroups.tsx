import { Button } from '@mantine/core'
import { contract, type ReplyOf } from '@pillar/contract'
import type { AdminPharmacySequence } from '@pillar/contract/sequence/pharmacy-sequence-read'
import { counted, isolated } from '@pillar/domain/text/sentence'
import { type KeyboardEvent, useRef } from 'react'
import { useWrite } from '../../api/client.ts'
import { Status } from '../../kit/display/status.tsx'
import { useSmall } from '../../kit/display/useSmall.ts'
import styles from './PharmacySequences.module.css'

type Place = ReplyOf<typeof contract.sequenceAdmin.search>['results'][number]

interface SequenceGroupsProps {
  places: readonly Place[]
  selected: string | undefined
  onSelect: (id: string) => void
}

/** Sequences grouped by pharmacy; arrow keys move between them. */
export function SequenceGroups({ places, selected, onSelect }: SequenceGroupsProps) {
  const small = useSmall()
  const box = useRef<HTMLDivElement>(null)
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    const items = [...(box.current?.querySelectorAll<HTMLElement>('[data-item]') ?? [])]
    const next = items[items.indexOf(document.activeElement as HTMLElement) + step]
    if (step === 0 || !next) return
    event.preventDefault()
    next.focus()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys belong to the buttons inside
    <div className={styles.groups} ref={box} onKeyDown={onKeyDown}>
      {places.map((place) => (
        <section key={place.location_id} aria-label={place.location_name}>
          <h2 className={styles.place}>
            {place.location_name} <small>· {place.company}</small>
          </h2>
          <ul>
            {place.sequences.map((sequence) => (
              <li key={sequence.sequence_id}>
                {sequence.removed_at ? (
                  <Removed sequence={sequence} />
                ) : (
                  <Item
                    sequence={sequence}
                    on={!small && sequence.sequence_id === selected}
                    onSelect={() => onSelect(sequence.sequence_id)}
                  />
                )}
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

const about = ({ sequence_event, follow_ups }: AdminPharmacySequence) =>
  `${isolated(sequence_event.name)} · ${counted(follow_ups.length, 'follow-up', 'follow-ups')}`

interface ItemProps {
  sequence: AdminPharmacySequence
  on: boolean
  onSelect: () => void
}

function Item({ sequence, on, onSelect }: ItemProps) {
  return (
    <button
      type="button"
      data-item
      className={on ? `${styles.item} ${styles.on}` : styles.item}
      aria-current={on || undefined}
      onClick={onSelect}
    >
      <span className={styles.line}>
        <b>{sequence.title}</b>
        <Status word={sequence.active ? 'Active' : 'Inactive'} />
      </span>
      <p>{about(sequence)}</p>
    </button>
  )
}

function Removed({ sequence }: { sequence: AdminPharmacySequence }) {
  const restore = useWrite(contract.sequenceAdmin.restore, { done: 'Sequence restored. It is inactive.' })
  const { sequence_id: id, location_id } = sequence
  return (
    <div className={styles.item}>
      <span className={styles.line}>
        <b>{sequence.title}</b>
        <Button size="xs" loading={restore.isPending} onClick={() => restore.mutate({ id, location_id })}>
          Restore
        </Button>
      </span>
      <p>{restore.error ? restore.error.message : about(sequence)}</p>
    </div>
  )
}
