/** What a URL such as smtp://user:password@host:587 says (smtps: for TLS from the start), as nodemailer takes it. */
export function smtpOptions(smtpUrl: string) {
  const url = new URL(smtpUrl)
  return {
    host: url.hostname,
    port: url.port ? Number(url.port) : url.protocol === 'smtps:' ? 465 : 587,
    secure: url.protocol === 'smtps:',
    ...(url.username
      ? { auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) } }
      : {}),
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}
