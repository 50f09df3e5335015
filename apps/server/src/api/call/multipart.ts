import { Refusal } from '@pillar/contract'
import type { FastifyRequest } from 'fastify'
import type { Part } from '../context.ts'
import { allowLongBody } from '../deadline.ts'

/** The parts of a multipart request as they arrive; nothing is buffered in memory. */
export async function* partsOf(request: FastifyRequest): AsyncGenerator<Part> {
  if (!request.isMultipart()) throw new Refusal('unreadable', 'Send the files as multipart/form-data.')
  allowLongBody(request)
  for await (const part of request.parts()) {
    if (part.type === 'field') yield { kind: 'field', name: part.fieldname, value: String(part.value) }
    else yield { kind: 'file', name: part.fieldname, filename: part.filename, stream: part.file }
  }
}
