import type { Services } from '../src/api/context.ts'
import type { Channel } from '../src/features/sending/lease.queries.ts'
import { SENDER, type SenderOptions, sendBatch, type Turn } from '../src/features/sending/sender.ts'

const WORKER = '00000000-0000-4000-8000-000000000001'

/** One turn of a worker. */
export const turn = (
  services: Services,
  options: Partial<SenderOptions> = {},
  channel: Channel = 'sms',
): Promise<Turn> => sendBatch(services, channel, WORKER, { ...SENDER, ...options })

/** Takes turns until nothing is due. */
export async function sendAll(
  services: Services,
  options: Partial<SenderOptions> = {},
  channel: Channel = 'sms',
): Promise<void> {
  for (let turns = 0; turns < 500; turns++) if ((await turn(services, options, channel)) === 'nothing') return
  throw new Error('the ledger does not come to rest')
}
