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
import { atEach } from '../../api/repeat.ts'
import { refuseDoubtfulTime } from '../../db/clock.ts'
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

/** Rows per transaction: a large backlog is removed in small pieces, none of which keeps others waiting. */
const CHUNK = 5_000

/** Records how many were removed, in the same transaction: in the log of this company, or in no company's. */
type Note = (tx: Tx, removed: number, companyId?: number) => Promise<void>

/** One kind of data that is not kept for ever. */
interface Step {
  what: string
  run: (services: Services, now: Date, note: Note) => Promise<void>
}

const STEPS: readonly Step[] = [
  {
    what: 'gateway events',
    run: onSystem((tx, now) => {
      const [before, replies] = [daysBefore(now, GATEWAY_EVENT_DAYS), monthsBefore(now, MESSAGE_TEXT_MONTHS)]
      return removeEvents(tx, { before, replies, limit: CHUNK })
    }),
  },
  { what: 'contents of gateway events', run: onSystem((tx) => shortenEvents(tx, CHUNK)) },
  { what: 'contacts that nobody names', run: ({ pools }, _now, note) => removeLooseContacts(pools.system, note) },
  { what: 'report files', run: onSystem((tx, now) => dropOldFiles(tx, now)) },
  {
    what: 'uploads whose files were removed',
    run: (services, now, note) => removeEndedFiles(services, daysBefore(now, ENDED_UPLOAD_DAYS), note),
  },
  { what: 'letter texts', run: onSystem((tx, now) => eraseMailTexts(tx, daysBefore(now, MAIL_TEXT_DAYS), CHUNK)) },
  {
    what: 'sign-ups',
    run: onSystem((tx, now) => {
      const [unconfirmedBefore, decidedBefore] = [daysBefore(now, SIGNUP_LINK_DAYS), monthsBefore(now, SIGNUP_MONTHS)]
      return removeSignups(tx, { unconfirmedBefore, decidedBefore })
    }),
  },
  { what: 'request keys', run: onSystem((tx, now) => removeRequestKeys(tx, daysBefore(now, REQUEST_KEY_DAYS), CHUNK)) },
  { what: 'letters', run: onSystem((tx, now) => removeMail(tx, monthsBefore(now, MAIL_MONTHS), CHUNK)) },
  {
    what: 'message texts',
    run: atEveryPlace((tx, now, place) => eraseMessageTexts(tx, place, monthsBefore(now, MESSAGE_TEXT_MONTHS), CHUNK)),
  },
  {
    what: 'reply texts',
    run: atEveryPlace((tx, now, place) => eraseReplyTexts(tx, place, monthsBefore(now, MESSAGE_TEXT_MONTHS), CHUNK)),
  },
]

/** Repeats `once`, each time in a transaction with its note, until it finds less than a whole chunk. */
async function inChunks(
  transact: (work: (tx: Tx) => Promise<number>) => Promise<number>,
  once: (tx: Tx) => Promise<number>,
  note: Note,
): Promise<void> {
  for (let done = CHUNK; done >= CHUNK; ) {
    done = await transact(async (tx) => {
      const removed = await once(tx)
      await note(tx, removed)
      return removed
    })
  }
}

/** Removes data that belongs to no pharmacy. */
function onSystem(once: (tx: Tx, now: Date) => Promise<number>): Step['run'] {
  return ({ pools }, now, note) =>
    inChunks(
      (work) => pools.system.transaction().execute(work),
      (tx) => once(tx, now),
      note,
    )
}

/** Chunk by chunk at every pharmacy, even if some fail, each in a transaction that sees only that pharmacy. */
function atEveryPlace(once: (tx: Tx, now: Date, locationId: number) => Promise<number>): Step['run'] {
  return async ({ pools, log }, now, note) => {
    const failed = await atEach(
      { log },
      'removing what is no longer kept',
      await everyLocation(pools.system),
      ({ locationId }) => ({ location: locationId }),
      ({ locationId, companyId }) =>
        inChunks(
          (work) => inScope(pools.app, { companyId, locationIds: [locationId] }, work),
          (tx) => once(tx, now, locationId),
          (tx, removed) => note(tx, removed, companyId),
        ),
    )
    if (failed.length > 0) throw failed[0]
  }
}

/**
 * Removes data past its retention (docs/operations.md, "What is kept how long"). Every step may be interrupted at any point and run again,
 * also by two processes at once; a failing one holds up no other, and the job is retried.
 */
export const removeOld = job({
  name: 'retention',
  payload: z.object({}),
  nightly: {},
  concurrency: () => 1,
  retries: 5,
  async run(_payload, services) {
    // The clock may have been changed since it was enqueued.
    refuseDoubtfulTime(services)
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
  let sum = 0
  try {
    await run(services, services.now(), async (tx, removed, companyId) => {
      if (removed === 0) return
      sum += removed
      const caller = companyId === undefined ? null : { companyId, loginId: null, sessionId: null }
      await recordAudit(tx, { caller, action: 'retention', object: null, detail: { what, removed } })
    })
  } finally {
    if (sum > 0) services.log.info({ what, removed: sum }, 'removed what is no longer kept')
  }
}
