import { countSms } from '@pillar/domain/message/sms-text'
import type { Env } from '../../env.ts'
import { type HandOver, type OutgoingSms, type SmsGateway, systemTime } from '../gateway.ts'
import { handOverEach, outcomeOfSilence, outcomeOfStatus } from '../hand-over.ts'
import { httpCall, NoAnswer } from '../http-call.ts'
import { receiptUrl } from './receipt-url.ts'
import { type HttpSmsSettings, isJson, type Place, readHttpSettings } from './sms-http-settings.ts'

const AT_ONCE = 20

/**
 * Any gateway that accepts a text as one HTTP request, such as Kannel; the settings SMS_HTTP_* describe it. It has no look-up by reference,
 * so look-ups are unsure and a message in doubt waits for its receipt.
 * @throws Error naming the setting that is missing or wrong
 */
export function openHttpSms(env: Env, now = systemTime): SmsGateway {
  const settings = readHttpSettings(env)
  return {
    name: 'http',
    simulated: false,
    perSecond: settings.perSecond,
    defaultSender: settings.sender,
    send: (messages, isWithdrawn) =>
      handOverEach(messages, AT_ONCE, (message) => sendOne(settings, message, now()), isWithdrawn),
    lookUp: async (messages) => messages.map(() => ({ kind: 'unsure' })),
  }
}

/** What a proxy or a maintenance page shows in place of the gateway, even with status 200. */
const WEB_PAGE = /^<(!doctype html|html)\b/i

async function sendOne(settings: HttpSmsSettings, message: OutgoingSms, now: Date): Promise<HandOver> {
  try {
    const answer = await httpCall(requestOf(settings, message, now))
    const words = answer.body.replaceAll(/\s+/g, ' ').trim().slice(0, 120)
    const gone = settings.gone.test(words)
    if (answer.status < 200 || answer.status > 299) {
      const outcome = outcomeOfStatus(answer, words)
      return outcome.kind === 'rejected' ? { ...outcome, gone } : outcome
    }
    if (WEB_PAGE.test(words)) return { kind: 'unknown', reason: 'The gateway answered with a web page.' }
    if (!settings.accepted.test(answer.body)) {
      return { kind: 'rejected', reason: words || 'The gateway refused it without a reason.', gone }
    }
    return { kind: 'accepted', gatewayRef: settings.id?.exec(answer.body)?.[1] ?? message.reference }
  } catch (error) {
    if (error instanceof NoAnswer) return outcomeOfSilence(error)
    throw error
  }
}

function requestOf(settings: HttpSmsSettings, message: OutgoingSms, now: Date) {
  const values: Record<Place, string> = {
    to: message.to,
    to_digits: message.to.replace(/^\+/, ''),
    from: message.from ?? settings.sender,
    text: message.text,
    reference: message.reference,
    receipt_url: httpReceiptUrl(settings, message.reference, now),
    // For Kannel and the like: 0 for the GSM alphabet, 2 for Unicode. Otherwise they turn unknown characters into question marks.
    coding: countSms(message.text).encoding === 'gsm7' ? '0' : '2',
  }
  const { method, body } = settings
  const json = body !== null && isJson(body)
  const type = json ? 'application/json' : 'application/x-www-form-urlencoded'
  return {
    method,
    url: fill(settings.url, values, encodeURIComponent),
    headers: { ...(body === null ? {} : { 'content-type': type }), ...settings.headers },
    body: body === null ? null : fill(body, values, json ? inJson : encodeURIComponent),
  }
}

/** The address to which the gateway reports a message's outcome, with the fields it fills in itself. */
function httpReceiptUrl(settings: HttpSmsSettings, reference: string, at: Date): string {
  const url = receiptUrl(`${settings.publicUrl}/webhooks/sms/http/status`, settings.secret, reference, at)
  return settings.receiptQuery ? `${url}&${settings.receiptQuery}` : url
}

const fill = (template: string, values: Record<string, string>, encode: (value: string) => string) =>
  template.replaceAll(/\{(\w+)\}/g, (_whole, place: string) => encode(values[place] ?? ''))

/** Escapes a value inside the quotes of a JSON string. */
const inJson = (value: string) => JSON.stringify(value).slice(1, -1)
