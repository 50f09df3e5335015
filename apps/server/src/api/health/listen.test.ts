import { createServer } from 'node:net'
import Fastify from 'fastify'
import { expect, it } from 'vitest'
import { listenOn } from './listen.ts'

it('a port in use and an address of another machine are refused with the name of the setting', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await new Promise((done) => other.once('listening', done))
  const { port } = other.address() as { port: number }
  try {
    await expect(listenOn(Fastify(), '127.0.0.1', port, 'HEALTH_PORT')).rejects.toThrow(
      `HEALTH_PORT ${port} on 127.0.0.1 cannot be used: another program, or another Pillar, has this port.`,
    )
    await expect(listenOn(Fastify(), '192.0.2.1', 0, 'PORT')).rejects.toThrow(
      'PORT 0 on 192.0.2.1 cannot be used: this machine has no such address: set HOST',
    )
    await expect(listenOn(Fastify(), 'nowhere.invalid', 0, 'PORT')).rejects.toThrow('on nowhere.invalid cannot be used')
  } finally {
    other.close()
  }
})
