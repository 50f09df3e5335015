import { isolated, joined } from '@pillar/domain/text/sentence'
import { CheckList } from '../../kit/form/CheckList.tsx'
import { NO_CONTACT, type ReportPharmacy } from './history-draft.ts'

interface ContactListProps {
  pharmacies: readonly ReportPharmacy[]
  picked: ReadonlySet<string>
  onChange: (picked: ReadonlySet<string>) => void
}

/** Pharmacies with the contact for their report; those without one cannot be selected, and say why. */
export function ContactList({ pharmacies, picked, onChange }: ContactListProps) {
  return (
    <CheckList
      label="Pharmacies"
      many="pharmacies"
      options={pharmacies.map(optionOf)}
      checked={picked}
      onChange={onChange}
    />
  )
}

function optionOf({ pharmacy_id, pharmacy_name, state, contact }: ReportPharmacy) {
  const note = contact ? joined([contact.name, contact.email], ' · ') : NO_CONTACT
  const label = state ? `${isolated(pharmacy_name)} ${state}` : pharmacy_name
  return { value: pharmacy_id, label, note, disabled: contact === null }
}
