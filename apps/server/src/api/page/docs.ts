import type { FastifyInstance } from 'fastify'
import { openApi } from './openapi.ts'

/** Written when it is first asked for: most servers are never asked. */
let text: string | null = null

/** The contract as OpenAPI, for programs, at /api/docs. */
export function mountDocs(app: FastifyInstance): void {
  app.get('/api/docs', async (_request, reply) => {
    text ??= JSON.stringify(openApi())
    return reply.type('application/json').send(text)
  })
}
