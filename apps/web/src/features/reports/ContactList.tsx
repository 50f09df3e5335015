import { Button, TextInput } from '@mantine/core'
import { Search } from 'lucide-react'
import { useMemo, useState } from 'react'
import { Icon } from '../../kit/display/Icon.tsx'
import { NothingMatches } from '../../kit/display/states.tsx'
import { afterSelectAll, found, NO_CONTACT, type ReportPharmacy } from './history-draft.ts'
import styles from './MessageHistory.module.css'

interface ContactListProps {
  pharmacies: readonly ReportPharmacy[]
  picked: ReadonlySet<string>
  onChange: (picked: ReadonlySet<string>) => void
}

/** Pharmacies with the contact their report would go to; those without one cannot be picked and say why. */
export function ContactList({ pharmacies, picked, onChange }: ContactListProps) {
  const [words, setWords] = useState('')
  const shown = useMemo(() => found(pharmacies, words), [pharmacies, words])
  const possible = shown.filter(({ contact }) => contact !== null)
  const all = possible.length > 0 && possible.every(({ pharmacy_id }) => picked.has(pharmacy_id))
  const toggle = (id: string) => {
    const next = new Set(picked)
    if (!next.delete(id)) next.add(id)
    onChange(next)
  }
  return (
    <>
      <div className={styles.tools}>
        <TextInput
          className={styles.search}
          size="xs"
          aria-label="Search pharmacies"
          placeholder="Search pharmacies"
          leftSection={<Icon of={Search} size={15} />}
          value={words}
          onChange={(event) => setWords(event.currentTarget.value)}
        />
        <Button
          size="xs"
          disabled={possible.length === 0}
          title={possible.length === 0 ? 'None of them has a contact' : undefined}
          onClick={() => onChange(afterSelectAll(shown, picked))}
        >
          {all ? 'Clear all' : `Select all ${possible.length}`}
        </Button>
      </div>
      {shown.length === 0 ? (
        <NothingMatches title={`No records found for “${words.trim()}”`} onClear={() => setWords('')} />
      ) : (
        <ul className={styles.list} aria-label="Pharmacies">
          {shown.map((pharmacy) => (
            <ContactRow
              key={pharmacy.pharmacy_id}
              pharmacy={pharmacy}
              on={picked.has(pharmacy.pharmacy_id)}
              onToggle={toggle}
            />
          ))}
        </ul>
      )}
    </>
  )
}

interface ContactRowProps {
  pharmacy: ReportPharmacy
  on: boolean
  onToggle: (id: string) => void
}

function ContactRow({ pharmacy: { pharmacy_id, pharmacy_name, state, contact }, on, onToggle }: ContactRowProps) {
  return (
    <li className={styles.row}>
      <label data-disabled={contact === null || undefined}>
        <input type="checkbox" checked={on} disabled={contact === null} onChange={() => onToggle(pharmacy_id)} />
        <span className={styles.name}>
          {pharmacy_name} {state ? <span className="faint">{state}</span> : null}
        </span>
        <span className={styles.contact}>{contact ? `${contact.name} · ${contact.email}` : NO_CONTACT}</span>
      </label>
    </li>
  )
}
