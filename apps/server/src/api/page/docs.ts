import type { FastifyInstance } from 'fastify'
import { openApi } from './openapi.ts'

/** Generated on first request: most servers never get one. */
let text: string | null = null

/** Serves the contract as OpenAPI, for programs, at /api/docs. */
export function mountDocs(app: FastifyInstance): void {
  app.get('/api/docs', async (_request, reply) => {
    text ??= JSON.stringify(openApi())
    return reply.type('application/json').send(text)
  })
}
