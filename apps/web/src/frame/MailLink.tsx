import { mailLink } from './mail-link.ts'

/** An email address, which breaks before its @ where it does not fit on one line. */
export function Email({ email }: { email: string }) {
  const at = Math.max(email.lastIndexOf('@'), 0)
  return (
    <>
      {email.slice(0, at)}
      <wbr />
      {email.slice(at)}
    </>
  )
}

/** The same as a link that opens the reader's mail program. */
export function MailLink({ email, className }: { email: string; className?: string | undefined }) {
  return (
    <a className={className} href={mailLink(email)}>
      <Email email={email} />
    </a>
  )
}
