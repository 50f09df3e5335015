import { beforeDeadline, withoutDeadline } from '../../db/deadline.ts'
import type { GatewayEvent } from '../../gateways/gateway.ts'
import { insertGatewayEvents } from '../../gateways/gateway-event.queries.ts'
import type { Services } from '../context.ts'

interface Waiting {
  event: GatewayEvent
  done: () => void
  failed: (error: unknown) => void
}

const AT_ONCE = 500

/**
 * Stores events of one gateway. Events that arrive during a write are written together in the next one, so a flood costs a few
 * transactions, not thousands. @returns stores one event; settles once it is in the database, or could not be stored
 */
export function openIntake(services: Services, gateway: string): (event: GatewayEvent) => Promise<void> {
  let waiting: Waiting[] = []
  let writing = false
  const write = async () => {
    writing = true
    while (waiting.length > 0) {
      const group = waiting.slice(0, AT_ONCE)
      waiting = waiting.slice(AT_ONCE)
      await keepGroup(services, gateway, group)
    }
    writing = false
  }
  return (event) =>
    beforeDeadline(
      new Promise((done, failed) => {
        waiting.push({ event, done, failed })
        if (!writing) void withoutDeadline(write)
      }),
    )
}

async function keepGroup(services: Services, gateway: string, group: readonly Waiting[]): Promise<void> {
  try {
    await insertGatewayEvents(
      services.pools.system,
      services.keys,
      gateway,
      group.map((one) => one.event),
    )
    for (const one of group) one.done()
  } catch (error) {
    // One event the database cannot store must not take the others with it.
    const ofContent = /^2[23]/.test((error as { code?: string }).code ?? '')
    if (ofContent && group.length > 1) {
      for (const one of group) await keepGroup(services, gateway, [one])
    } else {
      for (const one of group) one.failed(error)
    }
  }
}
