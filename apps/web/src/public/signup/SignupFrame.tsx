import type { ReactNode } from 'react'
import { Mark } from '../../shared/Mark.tsx'
import { basePathOf } from '../../shared/paths.ts'
import { phoneLink } from '../../shared/phone.ts'
import type { PageInfo } from './signup-calls.ts'

/** A visitor's page: product and Sign in at the top, security, contacts and the like at the foot. */
export function SignupFrame({ info, children }: { info: PageInfo | null; children: ReactNode }) {
  const product = info?.product_name ?? 'Pillar'
  return (
    <div className="patient signup">
      <header>
        <strong>
          <Mark size={26} /> {product}
        </strong>
        <a href={`${basePathOf(window.location.pathname)}/login`}>Sign in</a>
      </header>
      <main>{children}</main>
      <footer>
        <h2>Security</h2>
        <ul className="dots">
          <li>Connections are encrypted. Passwords are stored as hashes only.</li>
          <li>Each company’s data are separated in the database itself. Every access is logged.</li>
          <li>The software is open source, so anybody can check how it works.</li>
          {info?.accreditations.map(({ name, url }) => (
            <li key={url}>
              <a href={url} rel="noreferrer">
                {name}
              </a>
            </li>
          ))}
        </ul>
        {info && info.products.length > 0 ? (
          <>
            <h2>Products</h2>
            <p className="links">
              {info.products.map(({ name, url }) => (
                <a key={url} href={url} rel="noreferrer">
                  {name}
                </a>
              ))}
            </p>
          </>
        ) : null}
        <p className="links">
          <a href="/Privacy_Policy.pdf">Privacy Policy (PDF)</a>
          <a href="/EULA.pdf">End User License Agreement (PDF)</a>
        </p>
        {info ? (
          <p className="links">
            <a href={phoneLink(info.support_phone)}>{info.support_phone}</a>
            <a href={`mailto:${info.support_email}`}>{info.support_email}</a>
          </p>
        ) : null}
      </footer>
    </div>
  )
}
