import { type contract, Refusal } from '@pillar/contract'
import type { HandlersOf } from '../../api/context.ts'
import type { Tx } from '../../db/database.ts'
import { redeemLink } from '../session/link.queries.ts'
import { countLinkUse } from './link-throttle.ts'

type Handlers = HandlersOf<typeof contract.consent>

/** The answer for an unknown, used or expired link, or one for another purpose, alike. */
const dead = () => new Refusal('not_found', 'Invalid token or token has expired')

/** The stored file of a download link; null if it no longer exists. Runs as the system, in the transaction that uses up the link. */
export type ReadFile = (tx: Tx, subjectId: number, secret: Buffer) => Promise<{ filename: string; text: string } | null>

/**
 * The call behind a mailed download link: uses up the link and sends its file, or neither. `makeLink` makes the link, purpose 'download',
 * 24 hours.
 */
export function downloadOf(readFile: ReadFile): Handlers['download'] {
  return async ({ token }, { services, address }) => {
    const good = await countLinkUse(services, address)
    const { pools, secret } = services
    const file = await pools.system.transaction().execute(async (tx) => {
      const subject = await redeemLink(tx, secret, 'download', token, services.now())
      const found = subject === null ? null : await readFile(tx, subject, secret)
      if (!found) throw dead()
      return found
    })
    // The link is used up, so its file goes out even if the counters fail. At worst the try stays counted.
    await good().catch(() => {})
    return file
  }
}
