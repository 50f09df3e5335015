import { safeValue } from '@pillar/domain/message/merge-field'
import { addressLines } from '@pillar/domain/pharmacy/address'
import { isolated } from '@pillar/domain/text/sentence'

/** The pharmacy an email comes from, as its footer shows it. */
export interface EmailPharmacy {
  name: string
  street_address?: string | null
  town?: string | null
  region?: string | null
  postcode?: string | null
  phone_number?: string | null
  country?: 'AU' | 'GB' | 'US'
}

export interface EmailParts {
  /** Rendered, with no merge fields left. Plain text; addresses in it become links. */
  body: string
  /** Rendered; if absent, the subject names the pharmacy. */
  subject: string | null
  pharmacy: EmailPharmacy
  unsubscribeUrl: string
  productName: string
}

export interface EmailParcel {
  html: string
  text: string
  subject: string
}

/** Escapes text for HTML, inside or outside a quoted attribute. */
function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

// Punctuation that closes a sentence or a bracket does not belong to the address before it.
const ADDRESS = /https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)\]]/g

/** Plain text as HTML: escaped, line breaks kept, web addresses made links. */
function bodyHtml(text: string): string {
  const paragraphs = text.trim().split(/\n{2,}/)
  return paragraphs
    .map((one) => `<p dir="auto" style="margin:0 0 16px">${linked(one).replaceAll('\n', '<br>')}</p>`)
    .join('\n')
}

function linked(text: string): string {
  let out = ''
  let at = 0
  for (const match of text.matchAll(ADDRESS)) {
    const url = escapeHtml(match[0])
    out += `${escapeHtml(text.slice(at, match.index))}<a href="${url}" class="link" style="color:#0b5c63;word-break:break-word">${url}</a>`
    at = match.index + match[0].length
  }
  return out + escapeHtml(text.slice(at))
}

/** One line: '12 High Street, Ballarat VIC 3350'. Empty if nothing is known. */
const addressLine = (pharmacy: EmailPharmacy): string => safeValue(addressLines(pharmacy).join(', '))

const LANGUAGES = { AU: 'en-AU', GB: 'en-GB', US: 'en-US' } as const

/**
 * A message as an email: one column of at most 600 px that also fits 320 px, the pharmacy's name above, its address, telephone and the
 * unsubscribe link below, and the same as plain text. Colours invert in dark mode if the program supports it; nothing external is loaded,
 * so nothing can be blocked or tracked.
 */
export function emailOf({ body, subject, pharmacy, unsubscribeUrl, productName }: EmailParts): EmailParcel {
  const name = safeValue(pharmacy.name)
  const address = addressLine(pharmacy)
  const phone = safeValue(pharmacy.phone_number ?? '')
  const title = safeValue(subject ?? '') || `A message from ${name}`
  const because = 'You receive this because you are a patient of'
  const sent = `Sent with ${productName}.`
  const foot = [
    `<strong><bdi>${escapeHtml(name)}</bdi></strong>`,
    address && `<bdi>${escapeHtml(address)}</bdi>`,
    phone &&
      `<a href="tel:${escapeHtml(phone.replaceAll(/[^\d+]/g, ''))}" class="quiet" style="color:#4a5560">${escapeHtml(phone)}</a>`,
    `<span style="display:block;padding-top:12px">${because} <bdi>${escapeHtml(name)}</bdi>. ${escapeHtml(sent)}</span>`,
    `<a href="${escapeHtml(unsubscribeUrl)}" class="link" style="color:#0b5c63;display:inline-block;padding:12px 0">Unsubscribe from emails of <bdi>${escapeHtml(name)}</bdi></a>`,
  ]
  const html = `<!doctype html>
<html lang="${LANGUAGES[pharmacy.country ?? 'AU']}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(title)}</title>
<style>
:root { color-scheme: light dark }
@media (prefers-color-scheme: dark) {
  .page { background: #14191d !important } .card { background: #1e252b !important; color: #eef1f3 !important }
  .quiet { color: #b6c0c8 !important } .link { color: #7fd0d8 !important } .head { border-color: #7fd0d8 !important }
}
</style>
</head>
<body class="page" style="margin:0;padding:0;background:#f3f5f6">
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" style="background:#f3f5f6">
<tr><td align="center" style="padding:16px 8px">
<table role="presentation" class="card" width="100%" cellpadding="0" cellspacing="0" style="max-width:600px;background:#ffffff;color:#1b2329;border-radius:8px;font-family:Arial,Helvetica,sans-serif;font-size:17px;line-height:1.5;overflow-wrap:anywhere">
<tr><td class="head" style="padding:24px 24px 12px;border-bottom:2px solid #0b5c63"><h1 dir="auto" style="margin:0;font-size:20px;line-height:1.3">${escapeHtml(name)}</h1></td></tr>
<tr><td style="padding:24px 24px 8px">
${bodyHtml(body)}
</td></tr>
<tr><td class="quiet" style="padding:8px 24px 16px;color:#4a5560;font-size:14px">
${foot.filter(Boolean).join('<br>\n')}
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`
  const lines = [name, address, phone].filter(Boolean)
  const text = `${body.trim()}\n\n-- \n${lines.join('\n')}\n\n${because} ${isolated(name)}. ${sent}\nUnsubscribe: ${unsubscribeUrl}\n`
  return { html, text, subject: title }
}
