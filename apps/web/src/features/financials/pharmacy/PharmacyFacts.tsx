import type { Day } from '@pillar/domain/time/day'
import { parseDay } from '@pillar/domain/time/day'
import type { Country } from '@pillar/domain/time/locale'
import type { PeriodChoice } from '@pillar/domain/time/period'
import { MapPin, Phone, Server, User } from 'lucide-react'
import { mailLink } from '../../../frame/mail-link.ts'
import { Icon } from '../../../kit/display/Icon.tsx'
import { PeriodPicker } from '../../../kit/period/PeriodPicker.tsx'
import { periodSearch } from '../search.ts'
import styles from './Pharmacy.module.css'
import type { PharmacySearch } from './pharmacy-search.ts'
import { addressText, type PharmacyReply } from './pharmacy-words.ts'

interface PharmacyFactsProps {
  reply: PharmacyReply
  country: Country
  today: Day
  choice: PeriodChoice
  change: (part: Partial<PharmacySearch>) => void
}

/** Its place, contact and dispensing system, and the period of the page. */
export function PharmacyFacts({ reply, country, today, choice, change }: PharmacyFactsProps) {
  const { owner, phone_number: phone, software } = reply
  const until = reply.data_to === null ? null : parseDay(reply.data_to)
  const address = addressText(reply)
  return (
    <div className={styles.facts}>
      {address ? (
        <span>
          <Icon of={MapPin} size={15} label="Address" /> {address}
        </span>
      ) : null}
      {phone ? (
        <a href={`tel:${phone.replaceAll(/[^\d+]/g, '')}`}>
          <Icon of={Phone} size={15} label="Phone" /> {phone}
        </a>
      ) : null}
      <span>
        <Icon of={User} size={15} label="Owner" />{' '}
        {owner === null ? (
          <span className="faint">No contact set</span>
        ) : owner.email ? (
          <a href={mailLink(owner.email)}>{owner.name}</a>
        ) : (
          owner.name
        )}
      </span>
      {software ? (
        <span>
          <Icon of={Server} size={15} label="Dispensing software" /> {software}
        </span>
      ) : null}
      <span className={styles.period}>
        <span className={styles.key}>
          <i className={styles.own} /> This pharmacy <i className={styles.group} /> Group average
        </span>
        <PeriodPicker
          {...{ country, today, until }}
          value={choice}
          onChange={(value) => change(periodSearch(value, country, today))}
        />
      </span>
    </div>
  )
}
