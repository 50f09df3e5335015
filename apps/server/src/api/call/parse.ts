import { type Call, Refusal } from '@pillar/contract'
import { issueSentence } from '@pillar/contract/wire/wording'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { z } from 'zod'

/** The validated input of a call: the JSON body and the path parameters. @throws Refusal that names what to correct */
export function parseInput(call: Call, request: FastifyRequest): unknown {
  const sent = readFilters(call, { ...bodyOf(call, request), ...(request.params as object) })
  const parsed = call.input.safeParse(sent, { error: issueSentence })
  if (parsed.success) {
    if (holdsUnstorable(parsed.data))
      throw new Refusal('invalid', 'The request holds a character that cannot be stored.')
    return parsed.data
  }
  const errors: Record<string, string[]> = {}
  for (const issue of parsed.error.issues) {
    const field = issue.path.join('.') || 'body'
    errors[field] = [...(errors[field] ?? []), issue.message]
  }
  const first = parsed.error.issues[0]
  throw new Refusal('invalid', first?.message ?? 'The request is not valid.', { errors })
}

/** Turns empty text into null in the filters of reads and bulk calls: clients send either for a cleared filter. */
function readFilters(call: Call, sent: Record<string, unknown>): object {
  if (call.kind === 'read') return withoutEmpty(call.input, sent)
  const { filter } = sent
  if (typeof filter !== 'object' || filter === null) return sent
  return { ...sent, filter: withoutEmpty(fieldsOf(call.input).filter, filter) }
}

function withoutEmpty(schema: z.ZodType | undefined, sent: object): object {
  const fields = fieldsOf(schema)
  const isCleared = (name: string, value: unknown) => {
    const field = value === '' && Object.hasOwn(fields, name) ? fields[name] : undefined
    return field !== undefined && !field.safeParse('').success && field.safeParse(null).success
  }
  return Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, isCleared(name, value) ? null : value]))
}

/** The fields of an object schema, which may be optional or nullable. */
function fieldsOf(schema: z.ZodType | undefined): Record<string, z.ZodType> {
  const inner = (schema as Partial<z.ZodOptional<z.ZodType>> | undefined)?.unwrap?.()
  return inner
    ? fieldsOf(inner)
    : ((schema as Partial<z.ZodObject<Record<string, z.ZodType>>> | undefined)?.shape ?? {})
}

/** Parses JSON as Fastify does, and an empty body as an empty object: several calls need no fields. */
export function takeEmptyJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) =>
    body === '' ? done(null, {}) : parse(request, body, done),
  )
}

function bodyOf(call: Call, request: FastifyRequest): object {
  if (call.method === 'DELETE') return {}
  const type = request.headers['content-type']
  // Nothing was sent. Another site cannot send a bearer token, so a caller with one may omit the body of a call that needs none.
  if (type === undefined && call.needs !== 'public' && call.needs !== 'session-cookie') return {}
  // A form that another site can make a browser send is never JSON, so nothing but JSON is read, even where no field is needed.
  if (!/^application\/json\s*(?:;|$)/i.test(type ?? '')) {
    throw new Refusal('unreadable', 'Send the request as JSON.')
  }
  const body = request.body ?? {}
  if (typeof body !== 'object' || Array.isArray(body)) {
    throw new Refusal('invalid', 'The request body must be a JSON object.')
  }
  return body
}

/** Whether any text in the data contains what PostgreSQL cannot store: NUL, or half of a surrogate pair. */
function holdsUnstorable(data: unknown): boolean {
  const left = [data]
  while (left.length > 0) {
    const one = left.pop()
    if (typeof one === 'string' && (one.includes('\0') || !one.isWellFormed())) return true
    // Pushed one at a time: a list may have more members than a function call accepts arguments.
    if (typeof one === 'object' && one !== null) for (const pair of Object.entries(one)) left.push(pair[0], pair[1])
  }
  return false
}
