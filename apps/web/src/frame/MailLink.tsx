import { mailLink } from './mail-link.ts'

/** An email address as a link that opens the reader's mail program. Where it does not fit on one line, it breaks before the @. */
export function MailLink({ email, className }: { email: string; className?: string | undefined }) {
  const at = email.lastIndexOf('@')
  return (
    <a className={className} href={mailLink(email)}>
      {email.slice(0, Math.max(at, 0))}
      <wbr />
      {email.slice(Math.max(at, 0))}
    </a>
  )
}
