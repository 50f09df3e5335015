import type { Country } from '@pillar/domain/locale'
import { addressOf } from '@pillar/domain/permission'
import { z } from 'zod'
import { recordAudit } from '../../api/audit.ts'
import type { Services } from '../../api/context.ts'
import { reasonOf } from '../../api/log.ts'
import { job } from '../../api/queue.ts'
import { inScope } from '../../db/scope.ts'
import { postLetter } from '../outbox/mail.jobs.ts'
import { makeLink } from '../session/link.queries.ts'
import { loginOwner } from '../session/login.queries.ts'
import { historyCsv } from './history-csv.ts'
import { beginRequest, endRequest, type HistoryRow, historyRows, pharmacyContacts } from './report.queries.ts'
import { dropOldFiles, keepFile } from './report-file.queries.ts'

const HOURS = 24
/** The last of these failed attempts is told to the person who asked. */
const MOST_ATTEMPTS = 4
const CHUNK = 5000
/** What a spreadsheet opens, and what stays small in memory. */
const MOST_MESSAGES = 500_000

/** Why no attempt will succeed, in words for the person who asked. */
class CannotReport extends Error {}

type Request = NonNullable<Awaited<ReturnType<typeof beginRequest>>>

/**
 * Makes one pharmacy's message history and mails its contact a link to it: file, link, letter and record in one transaction, so that it may
 * run again at any point. When it cannot be made, the person who asked is told by mail.
 */
export const makeReport = job({
  name: 'message-history',
  payload: z.object({ request_id: z.number().int() }),
  concurrency: () => 1,
  // More than the attempts that are made: the last of those ends the request.
  retries: MOST_ATTEMPTS + 2,
  async run({ request_id }, services) {
    const request = await beginRequest(services.pools.gate, request_id)
    if (!request) return
    try {
      // A worker that died at it has left its attempt behind: a report that ends workers must not be tried for ever.
      if (request.attempts > MOST_ATTEMPTS) throw new CannotReport('It could not be made at several attempts.')
      await mailReport(services, request)
    } catch (error) {
      const known = error instanceof CannotReport
      if (!known && request.attempts < MOST_ATTEMPTS) throw error
      services.log.error({ report: request_id, reason: reasonOf(error) }, 'a message history could not be made')
      await tellFailure(services, request, known ? error.message : 'It could not be made at several attempts.')
    }
  },
})

async function mailReport(services: Services, request: Request): Promise<void> {
  const { pools, secret, env } = services
  const { pharmacy, rows } = await readHistory(services, request)
  const text = historyCsv(rows)
  const now = services.now()
  const span = `${request.from_day} to ${request.to_day}`
  await pools.gate.transaction().execute(async (tx) => {
    if (!(await endRequest(tx, request.id, 'mailed', now))) return
    await dropOldFiles(tx, now)
    const asker = await loginOwner(tx, request.asked_by)
    const place = { locationId: pharmacy.id, companyId: request.company_id }
    const expiresAt = new Date(now.getTime() + HOURS * 3_600_000)
    await keepFile(tx, secret, {
      ...place,
      filename: `${pharmacy.name} patient list ${span}.csv`,
      text,
      now,
      expiresAt,
    })
    const link = { purpose: 'download', subjectId: pharmacy.id, now, seconds: HOURS * 3600 } as const
    const token = await makeLink(tx, secret, link)
    const address = addressOf((asker?.country ?? 'AU') as Country, 'downloadFile', token)
    await postLetter(tx, services, {
      to: pharmacy.contact.email,
      subject: `Message history of ${pharmacy.name}`,
      text: letterOf(pharmacy, {
        product: env.PRODUCT_NAME,
        support: env.SUPPORT_EMAIL,
        span,
        messages: rows.length,
        asker: asker ? `${asker.first_name} ${asker.last_name}, ${asker.company}` : null,
        link: new URL(address, services.publicUrl()).href,
      }),
    })
    await recordAudit(tx, {
      caller: { companyId: request.company_id, loginId: request.asked_by, sessionId: null },
      action: 'report.mailed',
      object: pharmacy.uuid,
      detail: { from: request.from_day, to: request.to_day, messages: rows.length, to_email: pharmacy.contact.email },
    })
  })
}

async function readHistory({ pools }: Services, request: Request) {
  const scope = { companyId: request.company_id, locationIds: [request.location_id] }
  return inScope(pools.app, scope, async (tx) => {
    const pharmacy = (await pharmacyContacts(tx))[0]
    if (!pharmacy) throw new CannotReport('The pharmacy is no longer one of your company’s.')
    const { contact } = pharmacy
    if (!contact) throw new CannotReport('The pharmacy no longer has a contact. Please set one, then ask again.')
    const ask = { locationId: pharmacy.id, timeZone: pharmacy.timeZone, from: request.from_day, to: request.to_day }
    const rows: HistoryRow[] = []
    for (;;) {
      const chunk = await historyRows(tx, ask, rows.at(-1)?.id ?? 0, CHUNK)
      rows.push(...chunk)
      if (rows.length > MOST_MESSAGES)
        throw new CannotReport(
          `There are over ${MOST_MESSAGES.toLocaleString('en')} messages. Please choose fewer days.`,
        )
      if (chunk.length < CHUNK) return { pharmacy: { ...pharmacy, contact }, rows }
    }
  })
}

async function tellFailure(services: Services, request: Request, why: string): Promise<void> {
  const scope = { companyId: request.company_id, locationIds: [request.location_id] }
  const pharmacy = (await inScope(services.pools.app, scope, pharmacyContacts))[0]
  const { gate } = services.pools
  await gate.transaction().execute(async (tx) => {
    if (!(await endRequest(tx, request.id, 'failed', services.now()))) return
    const name = pharmacy?.name ?? 'a pharmacy'
    const asker = await loginOwner(tx, request.asked_by)
    if (asker) {
      const text = [
        `Hello ${asker.first_name},`,
        `The message history of ${name}, ${request.from_day} to ${request.to_day}, was not made. ${why}`,
        `Nothing was mailed to the pharmacy. Questions: ${services.env.SUPPORT_EMAIL}.`,
      ].join('\n\n')
      await postLetter(tx, services, { to: asker.email, subject: `Message history of ${name} was not made`, text })
    }
    await recordAudit(tx, {
      caller: { companyId: request.company_id, loginId: request.asked_by, sessionId: null },
      action: 'report.failed',
      object: pharmacy?.uuid ?? null,
      detail: { from: request.from_day, to: request.to_day, why },
    })
  })
}

interface LetterFacts {
  product: string
  support: string
  span: string
  messages: number
  asker: string | null
  link: string
}

function letterOf(
  pharmacy: { name: string; contact: { name: string } },
  { product, support, span, messages, asker, link }: LetterFacts,
): string {
  return [
    `Hello ${pharmacy.contact.name},`,
    `${asker ?? product} asked for the message history of ${pharmacy.name}, ${span}: ${messages} ${messages === 1 ? 'message' : 'messages'}. Download it here:`,
    link,
    `The link works once, for ${HOURS} hours, and replaces any earlier one. The file holds patients’ names: please keep it safe.`,
    `Questions: ${support}.`,
  ].join('\n\n')
}
