import type { Twilio } from 'twilio'
import type { Env } from '../../env.ts'
import {
  type HandOver,
  type LookUp,
  type LookUpRequest,
  type OutgoingSms,
  type SmsGateway,
  systemTime,
} from '../gateway.ts'
import { handOverEach, outcomeOfSilence, outcomeOfStatus } from '../hand-over.ts'
import { httpCall, NoAnswer } from '../http-call.ts'
import { required } from './sms-http-settings.ts'
import { isGone, isOptedOut, twilioReason } from './twilio-reason.ts'

const AT_ONCE = 20
/** How long after a hand-over a message Twilio accepted is certain to be in its list. */
const LISTED_AFTER_MS = 60_000
/** How far its clock and ours may differ. */
const SKEW_MS = 120_000
const LISTED = 200

interface TwilioSettings {
  account: string
  token: string
  baseUrl: string
  sender: string
  publicUrl: string
}

/**
 * Twilio's Programmable Messaging, through its own package. It has no idempotency key and returns our reference only in its status calls,
 * not in look-ups; so a look-up can say that a message is absent, and otherwise waits for its receipt.
 * @throws Error naming the setting that is missing
 */
export function openTwilio(env: Env, now = systemTime): SmsGateway {
  const settings: TwilioSettings = {
    account: required(env, 'TWILIO_ACCOUNT_SID', 'twilio'),
    token: required(env, 'TWILIO_AUTH_TOKEN', 'twilio'),
    sender: required(env, 'SMS_SENDER', 'twilio'),
    publicUrl: required(env, 'PUBLIC_URL', 'twilio').replace(/\/$/, ''),
    baseUrl: (env.TWILIO_BASE_URL ?? 'https://api.twilio.com').replace(/\/$/, ''),
  }
  let opened: Promise<Twilio> | undefined
  const client = () => {
    opened ??= connect(settings)
    return opened
  }
  return {
    name: 'twilio',
    simulated: false,
    perSecond: env.SMS_PER_SECOND || Number.POSITIVE_INFINITY,
    defaultSender: settings.sender,
    send: async (messages, isWithdrawn) => {
      const twilio = await client()
      return handOverEach(messages, AT_ONCE, (message) => sendOne(twilio, settings, message, now()), isWithdrawn)
    },
    lookUp: async (messages) => {
      const twilio = await client()
      return Promise.all(messages.map((message) => lookUpOne(twilio, message, now())))
    },
  }
}

/** The package is large, so it is loaded only where it is used. */
async function connect({ account, token, baseUrl }: TwilioSettings): Promise<Twilio> {
  const { default: twilio } = await import('twilio')
  const httpClient = { request: (options: RequestOptions) => callTwilio(options, baseUrl) }
  return twilio(account, token, { httpClient: httpClient as unknown as InstanceType<typeof twilio.RequestClient> })
}

interface RequestOptions {
  method: string
  uri: string
  username?: string
  password?: string
  headers?: Record<string, string>
  params?: Record<string, unknown>
  data?: Record<string, unknown>
}

/** Routes the package's requests through httpCall, which tells whether a request was sent when no answer comes. */
async function callTwilio({ method, uri, username, password, headers, params, data }: RequestOptions, baseUrl: string) {
  const query = form(params ?? {})
  const answer = await httpCall({
    method: method.toUpperCase() === 'POST' ? 'POST' : 'GET',
    url: `${uri.replace('https://api.twilio.com', baseUrl)}${query ? `?${query}` : ''}`,
    headers: { ...headers, authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` },
    body: data ? form(data) : null,
  })
  // The package takes whatever single field there is for the list.
  if (!data && !/"messages"\s*:\s*\[/.test(answer.body)) throw new Error('the answer is no list of messages')
  return { statusCode: answer.status, body: answer.body, headers: answer.headers }
}

const form = (fields: Record<string, unknown>) =>
  new URLSearchParams(
    Object.entries(fields).flatMap(([name, value]) =>
      value === undefined || value === null ? [] : [[name, String(value)]],
    ),
  ).toString()

async function sendOne(twilio: Twilio, settings: TwilioSettings, message: OutgoingSms, now: Date): Promise<HandOver> {
  const from = message.from ?? settings.sender
  const made = Math.floor(now.getTime() / 1000)
  try {
    const taken = await twilio.messages.create({
      to: message.to,
      ...(from.startsWith('MG') ? { messagingServiceSid: from } : { from }),
      body: message.text,
      statusCallback: `${settings.publicUrl}/webhooks/sms/twilio/status?reference=${message.reference}&made=${made}`,
    })
    if (taken.status === 'failed' || taken.status === 'undelivered') {
      return {
        kind: 'rejected',
        reason: twilioReason(taken.errorCode, taken.errorMessage),
        gone: isGone(taken.errorCode),
      }
    }
    // Something before Twilio may answer in its place, and the package takes any JSON for a message.
    if (!isId(taken.sid)) return { kind: 'unknown', reason: 'The gateway answered with no id of the text.' }
    return { kind: 'accepted', gatewayRef: taken.sid }
  } catch (error) {
    return outcomeOfError(error)
  }
}

const isId = (sid: unknown) => typeof sid === 'string' && /^\w{1,64}$/.test(sid)

function outcomeOfError(error: unknown): HandOver {
  if (error instanceof NoAnswer) return outcomeOfSilence(error)
  const { status, code, message } = error as { status?: number; code?: number; message?: string }
  if (typeof status !== 'number') throw error
  // 20003 and 20005: wrong token, inactive account. The message is not at fault.
  if (code === 20003 || code === 20005) return outcomeOfStatus({ status: 401, headers: {} }, message ?? '')
  const outcome = outcomeOfStatus({ status, headers: {} }, twilioReason(code, message))
  return outcome.kind === 'rejected' ? { ...outcome, gone: isGone(code), optedOut: isOptedOut(code) } : outcome
}

/** Absent if Twilio lists nothing to that number since the hand-over; otherwise the receipt, which carries our reference, decides. */
async function lookUpOne(twilio: Twilio, { to, handedOverAt }: LookUpRequest, now: Date): Promise<LookUp> {
  if (!handedOverAt || now.getTime() - handedOverAt.getTime() < LISTED_AFTER_MS) return { kind: 'unsure' }
  const since = handedOverAt.getTime() - SKEW_MS
  try {
    // Not by its DateSent filter: a message waiting at Twilio has no such date yet.
    const listed = await twilio.messages.list({ to, limit: LISTED, pageSize: LISTED })
    const ours = listed.filter((one) => !one.direction.startsWith('inbound'))
    const reached = listed.length < LISTED || listed.some((one) => one.dateCreated.getTime() < since)
    return reached && ours.every((one) => one.dateCreated.getTime() < since) ? { kind: 'absent' } : { kind: 'unsure' }
  } catch {
    return { kind: 'unsure' }
  }
}
