import type { FastifyInstance } from 'fastify'

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program, or another Pillar, has this port',
  EACCES: 'this user may not open this port; below 1024 a proxy in front has to',
  EADDRNOTAVAIL: 'this machine has no such address: set HOST to one of its own, or to 0.0.0.0 for all',
  ENOTFOUND: 'nothing knows this name: set HOST to an address of this machine, or to 0.0.0.0 for all',
}

/**
 * Listens on a configured port.
 * @param setting the name of the setting that gives it
 * @throws Error that names the setting, the address and the reason, fit to print
 */
export async function listenOn(app: FastifyInstance, host: string, port: number, setting: string): Promise<void> {
  try {
    await app.listen({ port, host })
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    const why = REASONS[code] ?? message
    throw new Error(`${setting} ${port} on ${host} cannot be used: ${why}. See docs/operations.md.`, { cause: error })
  }
}
