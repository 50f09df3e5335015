import {
  daysBefore,
  ENDED_UPLOAD_DAYS,
  GATEWAY_EVENT_DAYS,
  MAIL_MONTHS,
  MAIL_TEXT_DAYS,
  MESSAGE_TEXT_MONTHS,
  monthsBefore,
  REQUEST_KEY_DAYS,
} from '@pillar/domain/access/retention'
import { SIGNUP_LINK_DAYS, SIGNUP_MONTHS } from '@pillar/domain/signup/signup'
import { z } from 'zod'
import { recordAudit } from '../../api/audit.ts'
import type { Services } from '../../api/context.ts'
import { reasonOf } from '../../api/log.ts'
import { job } from '../../api/queue.ts'
import type { Tx } from '../../db/database.ts'
import { removeLooseContacts } from '../../db/field/contact.ts'
import { inScope } from '../../db/scope.ts'
import { shortenEvents } from '../inbound/event.queries.ts'
import { eraseMailTexts, removeMail } from '../mail/mail.queries.ts'
import { dropOldFiles } from '../report/report-file.queries.ts'
import { removeSignups } from '../signup/signup.queries.ts'
import { removeEndedFiles } from '../upload/file/ended-files.jobs.ts'
import { eraseMessageTexts, eraseReplyTexts } from './forget-texts.queries.ts'
import { everyLocation, removeEvents, removeRequestKeys } from './retention.queries.ts'

/** Rows of one transaction: a large backlog goes in small bites, none of which keeps others waiting. */
const CHUNK = 5_000

/** One kind of thing that is not kept for ever. `run` tells how many went, as they go: what is gone before a fault is in the log too. */
interface Step {
  what: string
  run: (services: Services, now: Date) => AsyncIterable<number> | readonly Promise<number>[]
}

const STEPS: readonly Step[] = [
  {
    what: 'gateway events',
    run: ({ pools }, now) => {
      const [before, replies] = [daysBefore(now, GATEWAY_EVENT_DAYS), monthsBefore(now, MESSAGE_TEXT_MONTHS)]
      return inChunks(() => removeEvents(pools.system, { before, replies, limit: CHUNK }))
    },
  },
  { what: 'contents of gateway events', run: ({ pools }) => inChunks(() => shortenEvents(pools.system, CHUNK)) },
  { what: 'contacts that nobody names', run: ({ pools }) => [removeLooseContacts(pools.system)] },
  { what: 'report files', run: ({ pools }, now) => [dropOldFiles(pools.system, now)] },
  {
    what: 'uploads whose files were removed',
    run: (services, now) => [removeEndedFiles(services, daysBefore(now, ENDED_UPLOAD_DAYS))],
  },
  {
    what: 'letter texts',
    run: ({ pools }, now) => [eraseMailTexts(pools.system, daysBefore(now, MAIL_TEXT_DAYS))],
  },
  {
    what: 'sign-ups',
    run: ({ pools }, now) => {
      const [unconfirmedBefore, decidedBefore] = [daysBefore(now, SIGNUP_LINK_DAYS), monthsBefore(now, SIGNUP_MONTHS)]
      return [removeSignups(pools.system, { unconfirmedBefore, decidedBefore })]
    },
  },
  {
    what: 'request keys',
    run: ({ pools }, now) => [removeRequestKeys(pools.system, daysBefore(now, REQUEST_KEY_DAYS))],
  },
  { what: 'letters', run: ({ pools }, now) => [removeMail(pools.system, monthsBefore(now, MAIL_MONTHS))] },
  {
    what: 'message texts',
    run: (services, now) => {
      const before = monthsBefore(now, MESSAGE_TEXT_MONTHS)
      return atEveryPlace(services, (tx, locationId) => eraseMessageTexts(tx, locationId, before, CHUNK))
    },
  },
  {
    what: 'reply texts',
    run: (services, now) => {
      const before = monthsBefore(now, MESSAGE_TEXT_MONTHS)
      return atEveryPlace(services, (tx, locationId) => eraseReplyTexts(tx, locationId, before, CHUNK))
    },
  },
]

/** Does the same until it finds less than a whole chunk. */
async function* inChunks(once: () => Promise<number>): AsyncGenerator<number> {
  for (let done = CHUNK; done === CHUNK; ) {
    done = await once()
    yield done
  }
}

/** Chunk by chunk at every pharmacy, each in a transaction that sees that pharmacy alone. */
async function* atEveryPlace(
  { pools }: Services,
  once: (tx: Tx, locationId: number) => Promise<number>,
): AsyncGenerator<number> {
  for (const { locationId, companyId } of await everyLocation(pools.system)) {
    const scope = { companyId, locationIds: [locationId] }
    yield* inChunks(() => inScope(pools.app, scope, (tx) => once(tx, locationId)))
  }
}

/**
 * Removes what is no longer kept (docs/operations.md, "What is kept how long"). Every step may be cut off at any point and run again, also
 * by two processes at once; one that fails holds no other up, and has the job tried again.
 */
export const removeOld = job({
  name: 'retention',
  payload: z.object({}),
  nightly: {},
  concurrency: () => 1,
  retries: 5,
  async run(_payload, services) {
    const failed: string[] = []
    for (const { what, run } of STEPS) {
      try {
        await runStep(services, { what, run })
      } catch (error) {
        services.log.error({ what, reason: reasonOf(error) }, 'removing what is no longer kept')
        failed.push(what)
      }
    }
    if (failed.length > 0) throw new Error(`Not everything that is no longer kept was removed: ${failed.join(', ')}`)
  },
})

async function runStep(services: Services, { what, run }: Step): Promise<void> {
  let removed = 0
  try {
    for await (const some of run(services, services.now())) removed += some
  } finally {
    if (removed > 0) {
      services.log.info({ what, removed }, 'removed what is no longer kept')
      const detail = { what, removed }
      await recordAudit(services.pools.system, { caller: null, action: 'retention', object: null, detail })
    }
  }
}
