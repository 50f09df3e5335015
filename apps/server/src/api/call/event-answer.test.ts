import { type Call, read } from '@pillar/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { buildApp } from '../../app.ts'
import type { Context } from '../context.ts'
import { mountCall } from './mount.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const declared = z.object({ shown: z.string() })
const call: Call = read({
  ...{ path: '/api/probe/growing', needs: 'public', about: 'A growing answer.', example: {} },
  ...{ input: z.object({}), output: declared, grows: declared },
})

it('an answer in events has declared fields only, like any other (T4)', async () => {
  const app = await buildApp(server.services)
  const grows = async (_input: unknown, { grow }: Context) => {
    grow?.({ shown: 'some', hidden: 'secret' })
    return { shown: 'all', hidden: 'secret' }
  }
  mountCall(app, 'probe.growing', call, grows, server.services)
  const ask = (accept: string) =>
    app.inject({ method: 'POST', url: call.path, payload: {}, headers: { accept } }).then(({ body }) => body)
  expect(await ask('text/event-stream')).toBe(
    'event: text\ndata: {"shown":"some"}\n\nevent: done\ndata: {"shown":"all"}\n\n',
  )
  expect(await ask('application/json')).toBe('{"shown":"all"}')
  await app.close()
})
