import { type Call, partsOf, REFUSALS, subjectOf, takesKey } from '@pillar/contract'
import { everyCall } from '@pillar/contract/every-call'
import { UPLOAD_KEY_PATTERN } from '@pillar/domain/upload/upload-key'
import { z } from 'zod'
import { XLSX } from '../call/sheet-file.ts'

/** The contract as an OpenAPI 3.1 document. */
export function openApi(): object {
  const paths: Record<string, object> = {}
  for (const { group, member, call } of everyCall)
    paths[call.path] = { ...paths[call.path], [methodOf(call)]: operation(group, member, call) }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Pillar',
      version: '1',
      license: { name: 'Apache-2.0' },
      description:
        'Every call of the portal and of the support console. All are POST, but for a few DELETE without a body.',
    },
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'The access_token of a sign-in' },
        locationKey: {
          type: 'http',
          scheme: 'bearer',
          description: `A pharmacy’s own key; as a pattern: ${UPLOAD_KEY_PATTERN.source}`,
        },
        sessionCookie: { type: 'apiKey', in: 'cookie', name: '__Host-pillar_session' },
      },
      parameters: {
        IdempotencyKey: {
          name: 'Idempotency-Key',
          in: 'header',
          description: REQUEST_KEY,
          schema: { type: 'string', minLength: 8, maxLength: 200, pattern: '^[!-~]+$' },
        },
        StepUpGrant: { name: 'X-Step-Up-Grant', in: 'header', description: GRANT, schema: { type: 'string' } },
      },
      schemas: {
        Refusal: {
          type: 'object',
          required: ['code', 'message'],
          properties: {
            code: { enum: Object.keys(REFUSALS) },
            message: { type: 'string' },
            error: { type: 'string', description: 'The message once more, at /api/download-file alone' },
            errors: { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } },
          },
        },
      },
    },
  }
}

const methodOf = (call: Call) => (call.method === 'DELETE' ? 'delete' : 'post')

function operation(group: string, name: string, call: Call): object {
  const schemaOf = (schema: z.ZodType, io: 'input' | 'output') => z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  const content =
    call.answer === 'csv'
      ? { 'text/csv': { schema: { type: 'string' } } }
      : call.answer === 'pdf'
        ? { 'application/pdf': { schema: { type: 'string', format: 'binary' } } }
        : call.answer === 'xlsx'
          ? { [XLSX]: { schema: { type: 'string', format: 'binary' } } }
          : {
              'application/json': { schema: schemaOf(call.output, 'output') },
              ...(call.grows ? { 'text/event-stream': { schema: { type: 'string', description: EVENTS } } } : {}),
            }
  const { properties, required, ...input } = schemaOf(call.input, 'input')
  const parts = partsOf(call.path)
  const body = {
    ...input,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !parts.includes(name))),
    }),
    ...(required && { required: required.filter((name) => !parts.includes(name)) }),
  }
  const media = call.body === 'multipart' ? 'multipart/form-data' : 'application/json'
  return {
    operationId: `${group}.${name}`,
    tags: [group],
    summary: call.about,
    description: `Needs: ${Array.isArray(call.needs) ? call.needs.join(' or ') : call.needs}.${reachText(call)}${stepUpText(call)}`,
    security: securityOf(call),
    parameters: [
      ...parts.map((name) => ({ name, in: 'path', required: true, schema: properties?.[name] ?? { type: 'string' } })),
      ...(call.stepUp ? [{ $ref: '#/components/parameters/StepUpGrant' }] : []),
      ...(takesKey(call) ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
    ],
    ...(call.method === 'DELETE'
      ? {}
      : {
          requestBody: {
            required: true,
            content: { [media]: { schema: body, example: bodyOf(call) } },
          },
        }),
    responses: {
      200: { description: 'Done', content },
      default: {
        description: 'Refused',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } },
      },
    },
  }
}

/** The fields the example sends besides the path parameters. */
function bodyOf({ example, path }: Call): object {
  const parts = partsOf(path)
  return Object.fromEntries(Object.entries(example as object).filter(([key]) => !parts.includes(key)))
}

const REQUEST_KEY =
  'A new one for each request, such as a random UUID. Sent again within 24 hours, the same request is answered as before, with ' +
  '"Idempotency-Replayed: true", and not done again: safe when an answer was lost. 409 while the first is not answered; 422 where the ' +
  'key stands for another request.'

const EVENTS =
  'While it grows, events `text` with all there is so far; then one `done` with the JSON answer, or one `refused` with a Refusal.'

function securityOf(call: Call): object[] {
  if (call.needs === 'public') return []
  if (call.needs === 'location-key') return [{ locationKey: [] }]
  if (call.needs === 'session-cookie') return [{ sessionCookie: [] }]
  return [{ bearer: [] }]
}

function reachText({ reach }: Call): string {
  if (!reach) return ''
  if (reach === 'platform') return ' Reach: all companies, without patients, scripts and texts of messages.'
  if (reach === 'companies') return ' Reach: all companies, and each one concerned by itself, with a row in its log.'
  return 'location' in reach
    ? ' Reach: the pharmacy named, whose company finds a row about it in its own log.'
    : ' Reach: the company named, which finds a row about it in its own log.'
}

const GRANT =
  'The `grant` that /api/confirm-enterprise-login answered to the password with the action and the object that the call names. ' +
  'An object of several ids has them sorted, with commas between.'

function stepUpText(call: Call): string {
  const { stepUp, subject, path, secret } = call
  if (!stepUp) return ''
  const input = call.input.parse(call.example)
  const action = typeof stepUp === 'string' ? `action ${stepUp}` : `action of the example ${stepUp(input)}`
  const part = partsOf(path).find((name) => !secret?.includes(name))
  const example = subjectOf(call, input)
  const object = subject
    ? `object of the example ${example ?? 'none'}`
    : part === undefined
      ? 'no object'
      : `object {${part}} of the path`
  return ` The password must be entered again: ${action}, ${object}.`
}
