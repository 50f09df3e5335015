import { pino } from 'pino'
import { expect, it } from 'vitest'
import { startTestServer } from '../../../test/server.ts'
import { Replica } from './replica.ts'

it('a replica that never answers is logged once, with the reason', async () => {
  const server = await startTestServer()
  const lines: Record<string, unknown>[] = []
  const log = pino({}, { write: (line) => void lines.push(JSON.parse(line)) })
  const urls = { DATABASE_URL: server.ownerUrl, DATABASE_REPLICA_URL: 'postgres://nobody@127.0.0.1:1/nothing' }
  const replica = await Replica.open({ ...server.services.env, ...urls }, server.services.pools, log)
  try {
    await replica!.look()
    await replica!.look()
    expect(lines).toMatchObject([
      { level: 40, reason: 'it does not answer (ECONNREFUSED)', msg: 'the replica is not asked: the primary answers' },
    ])
  } finally {
    await replica!.close()
    await server.close()
  }
})
