import { Button } from '@mantine/core'
import { addressLine } from '@pillar/domain/pharmacy/address'
import type { ReactNode } from 'react'
import { MailLink } from '../../frame/MailLink.tsx'
import { Dialog } from '../../kit/dialog/Dialog.tsx'
import type { S8Info } from './register-frame.ts'
import styles from './S8.module.css'

const NOT_SET = 'No Contact Set'

/** The person to call about a pharmacy's registers. */
export function ContactDialog({ info: { location, owner }, onClose }: { info: S8Info; onClose: () => void }) {
  const person = owner?.person.personal_information
  const { phone_number } = location
  const facts = [
    { label: 'Owner', value: person ? `${person.first_name} ${person.last_name}` : NOT_SET },
    { label: 'Owner Email', value: owner ? <MailLink email={owner.email} /> : NOT_SET },
    { label: 'Pharmacy Address', value: addressLine(location) || NOT_SET },
    {
      label: 'Pharmacy Phone',
      value: phone_number ? <a href={`tel:${phone_number.replaceAll(/[^+\d]/g, '')}`}>{phone_number}</a> : NOT_SET,
    },
  ]
  return (
    <Dialog opened title={`Contact ${location.name}`} onClose={onClose} foot={<Button onClick={onClose}>Close</Button>}>
      <dl className={styles.contact}>
        {facts.map(({ label, value }) => (
          <FactLine key={label} label={label} value={value} />
        ))}
      </dl>
    </Dialog>
  )
}

const FactLine = ({ label, value }: { label: string; value: ReactNode }) => (
  <>
    <dt>{label}</dt>
    <dd>{value}</dd>
  </>
)
