import { type Call, Refusal } from '@pillar/contract'
import { issueSentence } from '@pillar/contract/wording'
import type { FastifyRequest } from 'fastify'

/** The input of a call: the JSON body and the parts of the path, checked. @throws Refusal that names what to put right */
export function parseInput(call: Call, request: FastifyRequest): unknown {
  const parsed = call.input.safeParse(
    { ...bodyOf(call, request), ...(request.params as object) },
    { error: issueSentence },
  )
  if (parsed.success) {
    if (holdsNul(parsed.data)) throw new Refusal('invalid', 'The request holds a character that cannot be stored.')
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

function bodyOf(call: Call, request: FastifyRequest): object {
  if (call.method === 'DELETE') return {}
  // A form another site can make a browser send is never JSON, so nothing else is read, not even where no field is needed.
  if (!/^application\/json\s*(?:;|$)/i.test(request.headers['content-type'] ?? '')) {
    throw new Refusal('unreadable', 'Send the request as JSON.')
  }
  const body = request.body ?? {}
  if (typeof body !== 'object' || Array.isArray(body)) {
    throw new Refusal('invalid', 'The request body must be a JSON object.')
  }
  return body
}

/** Whether any text in it holds the one character PostgreSQL cannot keep. */
function holdsNul(data: unknown): boolean {
  const left = [data]
  while (left.length > 0) {
    const one = left.pop()
    if (typeof one === 'string' && one.includes('\0')) return true
    if (typeof one === 'object' && one !== null) left.push(...Object.keys(one), ...Object.values(one))
  }
  return false
}
