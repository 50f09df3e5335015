import type { FastifyInstance } from 'fastify'
import { openApi } from '../openapi.ts'

/** The contract as OpenAPI, for programs, at /api/docs. */
export function mountDocs(app: FastifyInstance): void {
  const text = JSON.stringify(openApi())
  app.get('/api/docs', async (_request, reply) => reply.type('application/json').send(text))
}
