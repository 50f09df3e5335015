import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isSignedBounce, readBounce } from '../../gateways/email/bulk-email-events.ts'
import type { GatewayEvent } from '../../gateways/gateway.ts'
import { impersonal } from '../../gateways/report.ts'
import { isFromHttpGateway, readHttpReceipt, readHttpReply, receiptOf } from '../../gateways/sms/sms-http-events.ts'
import { type HttpSmsSettings, readHttpSettings } from '../../gateways/sms/sms-http-settings.ts'
import {
  isFromTwilio,
  isLateReceipt,
  readTwilioOptOut,
  readTwilioReceipt,
  readTwilioReply,
} from '../../gateways/sms/sms-twilio-events.ts'
import { rarely } from '../../gateways/telemetry/rarely.ts'
import type { Services } from '../context.ts'
import { openIntake } from './event-intake.ts'

type Params = Record<string, string>

/** The result of reading a call: an event or several, nothing relevant, a forgery, or nonsense from the right caller. */
type Reading = GatewayEvent | GatewayEvent[] | null | 'forged' | 'unreadable'

/**
 * The addresses gateways call. Each call is checked, stored as one row of gateway_event, and answered; nothing else happens before the
 * answer. A repeated event is stored once. Only these addresses accept forms.
 */
export async function mountWebhooks(app: FastifyInstance, services: Services): Promise<void> {
  const { env } = services
  const http = env.SMS_GATEWAY === 'http' ? readHttpSettings(env) : null
  const keep = (gateway: string) => openIntake(services, gateway)
  const strange = rarely((status, times) =>
    services.log.warn(
      { status, times },
      'a status of receipts is none of SMS_HTTP_DELIVERED, SMS_HTTP_FAILED and SMS_HTTP_SENT, and changes nothing',
    ),
  )
  const intakes = { twilio: keep('twilio'), http: keep('http'), smtp: keep('smtp') }
  await app.register(async (routes) => {
    routes.removeAllContentTypeParsers()
    routes.addContentTypeParser('*', { parseAs: 'string', bodyLimit: 64 * 1024 }, (_request, body, done) =>
      done(null, body),
    )
    const add = (
      method: ('GET' | 'POST')[],
      path: string,
      gateway: keyof typeof intakes,
      read: (request: FastifyRequest) => Reading | Promise<Reading>,
      words?: (reply: FastifyReply) => FastifyReply,
    ) =>
      routes.route({
        method,
        url: `/webhooks${path}`,
        exposeHeadRoute: false,
        config: { needs: 'public', call: `webhooks${path.replaceAll('/', '.')}` },
        handler: async (request, reply) => {
          const reading = await read(request)
          if (reading === 'forged')
            return refuse(services, request, reply, 403, 'This call is not signed as it must be.', words)
          if (reading === 'unreadable')
            return refuse(services, request, reply, 422, 'This call could not be understood.', words)
          for (const event of [reading ?? []].flat()) await intakes[gateway](storable(event))
          return words ? words(reply) : reply.code(204).send()
        },
      })
    add(['POST'], '/sms/twilio/status', 'twilio', (request) => readTwilio(services, request, 'receipt'))
    add(['POST'], '/sms/twilio/reply', 'twilio', (request) => readTwilio(services, request, 'reply'), sayNothing)
    add(['GET', 'POST'], '/sms/http/status', 'http', (request) => readHttp(http, services, request, 'receipt', strange))
    add(['GET', 'POST'], '/sms/http/reply', 'http', (request) => readHttp(http, services, request, 'reply'), empty)
    add(['POST'], '/email/bounce', 'smtp', (request) => readEmail(services, request))
    // The portal's page would answer a GET with 200, and a gateway with a mistyped address would count its replies as delivered.
    routes.route({
      method: ['GET', 'POST'],
      url: '/webhooks/*',
      exposeHeadRoute: false,
      config: { needs: 'public', call: 'webhooks.unknown' },
      handler: async (request, reply) => refuse(services, request, reply, 404, 'No gateway calls this address.'),
    })
  })
}

/** Twilio treats the answer to a reply as instructions; this one holds none. */
const sayNothing = (reply: FastifyReply) => reply.type('text/xml').send('<Response></Response>')
/** Kannel and similar gateways send the answer's text back to the phone, some even that of a refusal. */
const empty = (reply: FastifyReply) => reply.type('text/plain').send('')

async function readTwilio(services: Services, request: FastifyRequest, kind: 'receipt' | 'reply'): Promise<Reading> {
  const { env } = services
  if (env.SMS_GATEWAY !== 'twilio' || !env.TWILIO_AUTH_TOKEN) return 'forged'
  const form = formOf(request)
  const url = `${(env.PUBLIC_URL ?? '').replace(/\/$/, '')}${request.url}`
  const signature = headerOf(request, 'x-twilio-signature')
  if (!(await isFromTwilio(env.TWILIO_AUTH_TOKEN, signature, url, form))) return 'forged'
  const now = services.now()
  if (kind === 'reply') return readTwilioReply(form, now) ?? 'unreadable'
  const query = queryOf(request)
  if (isLateReceipt(query, now)) return 'forged'
  return [readTwilioOptOut(query, form, now), readTwilioReceipt(query, form, now)].filter((event) => event !== null)
}

function readHttp(
  settings: HttpSmsSettings | null,
  services: Services,
  request: FastifyRequest,
  kind: 'receipt' | 'reply',
  strange?: (status: string) => void,
): Reading {
  if (!settings) return 'forged'
  const [query, now] = [queryOf(request), services.now()]
  const secret = headerOf(request, 'x-webhook-secret') || null
  if (!isFromHttpGateway(settings, { kind, query, secret, now })) return 'forged'
  // The address of a receipt is signed, so its own fields override those of the body.
  const params = { ...formOf(request), ...query }
  if (kind === 'receipt') {
    const status = params[settings.fields.status]
    if (status !== undefined && receiptOf(settings, status) === null) strange?.(impersonal(status).slice(0, 40))
    return readHttpReceipt(settings, params, now)
  }
  return readHttpReply(settings, params, now, services.secret) ?? 'unreadable'
}

function readEmail(services: Services, request: FastifyRequest): Reading {
  const { env } = services
  if (!env.BOUNCE_SECRET) return 'forged'
  const call = {
    id: headerOf(request, 'webhook-id'),
    timestamp: headerOf(request, 'webhook-timestamp'),
    signature: headerOf(request, 'webhook-signature'),
    body: typeof request.body === 'string' ? request.body : '',
    now: services.now(),
  }
  return isSignedBounce(env.BOUNCE_SECRET, call) ? readBounce(call.body, call.now) : 'forged'
}

/** Logs a refused call without any of its content: it may be due to a wrong secret in a gateway's settings. */
function refuse(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  status: 403 | 404 | 422,
  message: string,
  words = (answer: FastifyReply) => answer.send({ message }),
) {
  services.log.warn({ path: request.routeOptions.url, status }, 'a call of a gateway was refused')
  return words(reply.code(status))
}

const headerOf = (request: FastifyRequest, name: string): string => {
  const value = request.headers[name]
  return typeof value === 'string' ? value : ''
}

/** The query parameters; without those sent several times, because nobody can tell which value counts. */
const queryOf = (request: FastifyRequest): Params =>
  Object.fromEntries(Object.entries(request.query as Params).filter(([, value]) => typeof value === 'string'))

/** The fields of a form, or the text and number fields of a JSON object; empty for anything else. */
function formOf(request: FastifyRequest): Params {
  if (typeof request.body !== 'string') return {}
  const type = request.headers['content-type'] ?? ''
  if (/^application\/x-www-form-urlencoded/i.test(type)) return Object.fromEntries(new URLSearchParams(request.body))
  if (!/^application\/json/i.test(type)) return {}
  try {
    const parsed: unknown = JSON.parse(request.body, asWritten)
    if (typeof parsed !== 'object' || parsed === null) return {}
    return Object.fromEntries(Object.entries(parsed).filter(([, one]) => typeof one === 'string'))
  } catch {
    return {}
  }
}

/** Numbers with all their digits: two ids of 19 digits would be rounded to one, and the second reply taken for the first. */
const asWritten = (_name: string, value: unknown, context?: { source?: string }) =>
  typeof value === 'number' ? (context?.source ?? String(value)) : value

/** PostgreSQL cannot store NUL or half of a surrogate pair, which a phone may send. */
function storable(event: GatewayEvent): GatewayEvent {
  return Object.fromEntries(
    Object.entries(event).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '') : value,
    ]),
  ) as unknown as GatewayEvent
}
