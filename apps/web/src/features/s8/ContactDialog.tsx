import { Button } from '@mantine/core'
import { Dialog } from '../../kit/dialog/Dialog.tsx'
import type { S8Info } from './PharmacyPage.tsx'
import styles from './S8.module.css'

const NOT_SET = 'No Contact Set'

/** Whom to call about a pharmacy's registers. */
export function ContactDialog({ info: { location, owner }, onClose }: { info: S8Info; onClose: () => void }) {
  const person = owner?.person.personal_information
  const place = [location.street_address, [location.town, location.region, location.postcode].filter(Boolean).join(' ')]
  const facts = [
    ['Owner', person ? `${person.first_name} ${person.last_name}` : NOT_SET],
    ['Owner Email', owner ? <a href={`mailto:${owner.email}`}>{owner.email}</a> : NOT_SET],
    ['Pharmacy Address', place.filter(Boolean).join(', ') || NOT_SET],
    [
      'Pharmacy Phone',
      location.phone_number ? (
        <a href={`tel:${location.phone_number.replaceAll(/[^+\d]/g, '')}`}>{location.phone_number}</a>
      ) : (
        NOT_SET
      ),
    ],
  ] as const
  return (
    <Dialog opened title={`Contact ${location.name}`} onClose={onClose} foot={<Button onClick={onClose}>Close</Button>}>
      <dl className={styles.contact}>
        {facts.map(([label, value]) => (
          <FactLine key={label} label={label} value={value} />
        ))}
      </dl>
    </Dialog>
  )
}

const FactLine = ({ label, value }: { label: string; value: React.ReactNode }) => (
  <>
    <dt>{label}</dt>
    <dd>{value}</dd>
  </>
)
