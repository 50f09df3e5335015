import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { SCREENS_HEADER } from '@pillar/contract/wire/screens'
import type { FastifyInstance } from 'fastify'

/** Names the screens in `folder` in every answer to a call, so that a page of another version knows. Names none if they are not built. */
export function tellScreens(app: FastifyInstance, folder: string): void {
  const page = resolve(folder, 'index.html')
  const script = existsSync(page)
    ? /<script type="module"[^>]* src="\/assets\/([\w.-]+)"/.exec(readFileSync(page, 'utf8'))?.[1]
    : null
  if (!script) return
  app.addHook('onSend', async (request, reply) => {
    if (request.url.startsWith('/api/')) reply.header(SCREENS_HEADER, script)
  })
}
