import { LOCALES } from '@pillar/domain/time/locale'
import { type ReactNode, useEffect } from 'react'
import { Mark } from '../../shared/Mark.tsx'
import { phoneLink, phoneText } from '../../shared/phone.ts'
import type { PublicLocation } from './patient-calls.ts'
import { Phone } from './patient-icons.tsx'

/** A pharmacy's page for its patients: the pharmacy first, then the form, and Pillar last and small. */
export function PatientFrame({
  location,
  product,
  foot,
  children,
}: {
  location: PublicLocation | null
  /** The name of this installation; null until it is known. */
  product: string | null
  /** Additional links in the foot, to others responsible for this page. */
  foot?: ReactNode
  children: ReactNode
}) {
  useEffect(() => {
    if (location) document.documentElement.lang = LOCALES[location.country].locale
  }, [location])
  return (
    <div className="patient">
      {location ? <Pharmacy location={location} /> : null}
      <main>{children}</main>
      <footer>
        {foot}
        {location ? (
          <a href={location.privacy_url} target="_blank" rel="noreferrer">
            Privacy policy
          </a>
        ) : null}
        {product ? (
          <p>
            <Mark size={18} /> Sent by your pharmacy, using {product}
          </p>
        ) : null}
      </footer>
    </div>
  )
}

function Pharmacy({ location }: { location: PublicLocation }) {
  const region = location.country === 'GB' ? null : location.region
  const town = [location.town, region, location.postcode].filter(Boolean).join(' ')
  return (
    <header>
      <strong>{location.name}</strong>
      <address>
        {location.street_address ? <span>{location.street_address}</span> : null}
        {town ? <span>{town}</span> : null}
      </address>
      {location.phone_number ? (
        <a href={phoneLink(location.phone_number)}>
          <Phone />
          {phoneText(location.phone_number, location.country)}
        </a>
      ) : null}
    </header>
  )
}

/** A sentence instead of the form: loading, invalid, done. It is read out, and gets the focus if it replaces something. */
export function PatientNotice({ title, children, focus }: { title: string; children?: ReactNode; focus?: boolean }) {
  return (
    <div role="status" tabIndex={-1} ref={focus ? (element) => element?.focus() : null} className="notice">
      <h1>{title}</h1>
      {children}
    </div>
  )
}
