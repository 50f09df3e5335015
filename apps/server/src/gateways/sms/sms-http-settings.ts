import { validateHeaderName, validateHeaderValue } from 'node:http'
import type { Env } from '../../env.ts'

/** Placeholders in the URL and the body. */
const PLACES = ['to', 'to_digits', 'from', 'text', 'reference', 'receipt_url', 'coding'] as const
export type Place = (typeof PLACES)[number]

/** The fields whose names a gateway may choose. */
const FIELDS = ['reference', 'id', 'status', 'reason', 'from', 'to', 'text', 'at'] as const
type Field = (typeof FIELDS)[number]

/** A self-configured HTTP gateway. */
export interface HttpSmsSettings {
  url: string
  method: 'GET' | 'POST'
  headers: Record<string, string>
  body: string | null
  sender: string
  perSecond: number
  /** Matches a 2xx answer if the message was accepted. */
  accepted: RegExp
  /** Its first group is the gateway's id. */
  id: RegExp | null
  secret: string
  publicUrl: string
  /** Appended to the receipt address unchanged: where the gateway writes its own values. */
  receiptQuery: string
  fields: Record<Field, string>
  delivered: RegExp
  failed: RegExp
  sent: RegExp
  /** Matches the status and reason of a text to a number that does not exist. */
  gone: RegExp
}

/**
 * Reads the settings SMS_HTTP_* and those they depend on.
 * @throws Error naming the setting that is missing or wrong, fit to print
 */
export function readHttpSettings(env: Env): HttpSmsSettings {
  const url = required(env, 'SMS_HTTP_URL', 'http')
  checkPlaces('SMS_HTTP_URL', url)
  if (!/^https?:\/\//.test(url)) throw wrong('SMS_HTTP_URL', 'it must begin with http:// or https://')
  if (!URL.canParse(url.replaceAll(/\{\w+\}/g, '0'))) throw wrong('SMS_HTTP_URL', 'it is no address')
  const body = env.SMS_HTTP_BODY ?? null
  if (body !== null) checkPlaces('SMS_HTTP_BODY', body)
  if (env.SMS_HTTP_METHOD === 'GET' && body !== null) throw wrong('SMS_HTTP_BODY', 'a GET carries no body')
  const both = `${url} ${body ?? ''}`
  if (!both.includes('{text}') || !/\{to(_digits)?\}/.test(both)) {
    throw wrong('SMS_HTTP_URL', 'it or SMS_HTTP_BODY must hold {to} and {text}')
  }
  if (body !== null && isJson(body)) checkJson(body)
  return {
    url,
    body,
    method: env.SMS_HTTP_METHOD,
    headers: readHeaders(env.SMS_HTTP_HEADERS),
    sender: required(env, 'SMS_SENDER', 'http'),
    perSecond: env.SMS_PER_SECOND || Number.POSITIVE_INFINITY,
    accepted: readPattern('SMS_HTTP_ACCEPTED', env.SMS_HTTP_ACCEPTED),
    id: env.SMS_HTTP_ID ? readGroup('SMS_HTTP_ID', env.SMS_HTTP_ID) : null,
    secret: required(env, 'SMS_HTTP_SECRET', 'http'),
    publicUrl: required(env, 'PUBLIC_URL', 'http').replace(/\/$/, ''),
    receiptQuery: env.SMS_HTTP_RECEIPT_QUERY ?? '',
    fields: readFields(env.SMS_HTTP_FIELDS),
    delivered: readPattern('SMS_HTTP_DELIVERED', env.SMS_HTTP_DELIVERED),
    failed: readPattern('SMS_HTTP_FAILED', env.SMS_HTTP_FAILED),
    sent: readPattern('SMS_HTTP_SENT', env.SMS_HTTP_SENT),
    gone: readPattern('SMS_HTTP_GONE', env.SMS_HTTP_GONE),
  }
}

/** A setting the gateway requires. @throws Error if it is not set */
export function required(env: Env, name: keyof Env, gateway: string): string {
  const value = env[name]
  if (value !== undefined && value !== '') return String(value)
  throw new Error(`The setting ${name} is missing: SMS_GATEWAY=${gateway} needs it. See docs/operations.md.`)
}

const wrong = (name: string, why: string) =>
  new Error(`The setting ${name} is not usable: ${why}. See docs/operations.md.`)

/** Whether a body goes out as JSON, not as a form. */
export const isJson = (body: string): boolean => /^\s*[{[]/.test(body)

/** A gateway refuses every text whose body is not valid JSON, and a refused text is not sent again. */
function checkJson(body: string): void {
  try {
    JSON.parse(
      body.replaceAll(/\{(\w+)\}/g, (_whole, place: string) => (/^(coding|to_digits)$/.test(place) ? '0' : 'x')),
    )
  } catch {
    throw wrong('SMS_HTTP_BODY', 'it begins like JSON but is not valid JSON')
  }
}

function checkPlaces(name: string, template: string): void {
  for (const [whole, place] of template.matchAll(/\{(\w+)\}/g)) {
    if (!PLACES.includes(place as Place)) {
      throw wrong(name, `it holds ${whole}; it may hold ${PLACES.map((one) => `{${one}}`).join(', ')}`)
    }
  }
}

function readPattern(name: string, source: string): RegExp {
  try {
    return new RegExp(source, 'i')
  } catch {
    throw wrong(name, `"${source}" is no regular expression`)
  }
}

/** A pattern whose first group is the value wanted. */
function readGroup(name: string, source: string): RegExp {
  const pattern = readPattern(name, source)
  if (new RegExp(`${source}|`).exec('')!.length < 2) throw wrong(name, 'it must have a group, such as id=(\\d+)')
  return pattern
}

function readMap(name: string, source: string | undefined): Record<string, string> {
  if (!source) return {}
  let parsed: unknown
  try {
    parsed = JSON.parse(source)
  } catch {
    parsed = null
  }
  const texts = typeof parsed === 'object' && parsed && Object.values(parsed).every((one) => typeof one === 'string')
  if (!texts) throw wrong(name, 'it must be a JSON object of texts')
  return parsed as Record<string, string>
}

/** Valid HTTP headers: a key copied with an invisible character is not valid, and no request would ever be sent. */
function readHeaders(source: string | undefined): Record<string, string> {
  const headers = readMap('SMS_HTTP_HEADERS', source)
  for (const [name, value] of Object.entries(headers)) {
    try {
      validateHeaderName(name)
      validateHeaderValue(name, value)
    } catch (error) {
      throw wrong(
        'SMS_HTTP_HEADERS',
        (error as Error).message.replace(/^[A-Z]/, (letter) => letter.toLowerCase()),
      )
    }
  }
  return headers
}

function readFields(source: string | undefined): Record<Field, string> {
  const given = readMap('SMS_HTTP_FIELDS', source)
  for (const name of Object.keys(given)) {
    if (!FIELDS.includes(name as Field)) throw wrong('SMS_HTTP_FIELDS', `"${name}" is none of ${FIELDS.join(', ')}`)
  }
  return Object.fromEntries(FIELDS.map((name) => [name, given[name] ?? name])) as Record<Field, string>
}
