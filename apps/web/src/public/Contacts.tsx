import { phoneLink, phoneText } from '../shared/phone.ts'
import type { PortalInfo } from './calls.ts'
import { websiteLink, websiteText } from './contacts.ts'
import { Globe, Mail, Phone } from './icons.tsx'

/** Contacts for help: phone, email, website. Anything not configured is left out. */
export function Contacts({ info }: { info: PortalInfo }) {
  return (
    <footer className="contacts">
      <h2>Need help?</h2>
      <ul>
        {info.support_phone ? (
          <li>
            <Phone />
            <a href={phoneLink(info.support_phone)}>{phoneText(info.support_phone, info.country)}</a>
          </li>
        ) : null}
        {info.support_email ? (
          <li>
            <Mail />
            <a href={`mailto:${info.support_email}`}>{info.support_email}</a>
          </li>
        ) : null}
        {info.support_website ? (
          <li>
            <Globe />
            <a href={websiteLink(info.support_website)} rel="noreferrer">
              {websiteText(info.support_website)}
            </a>
          </li>
        ) : null}
      </ul>
    </footer>
  )
}
