import { addressOf } from '@pillar/domain/access/permission'
import { day, formatDay } from '@pillar/domain/time/day'
import { type Country, formatSpan } from '@pillar/domain/time/locale'
import { z } from 'zod'
import { recordAudit } from '../../api/audit.ts'
import type { Services } from '../../api/context.ts'
import { setbackOf } from '../../api/health/setback.ts'
import { reasonOf } from '../../api/log.ts'
import { job } from '../../api/queue.ts'
import type { Tx } from '../../db/database.ts'
import { inScope } from '../../db/scope.ts'
import { queueMail } from '../mail/mail.jobs.ts'
import { makeLink } from '../session/link.queries.ts'
import { loginOwner } from '../session/login.queries.ts'
import {
  beginRequest,
  companyRecipient,
  endRequest,
  type PharmacyContact,
  pharmacyContacts,
  uncountAttempt,
} from './report.queries.ts'
import { CannotReport, REPORT_NAMES, type ReportContent, readReport } from './report-content.ts'
import { dropOldFiles, keepFile, type ReportKind } from './report-file.queries.ts'

const HOURS = 24
/** After this many failed attempts the person who requested it is notified. */
const MOST_ATTEMPTS = 4

/** A full disk or an unreachable database does not count as an attempt for this long. */
const SETBACK_HOURS = 24
const setbackEnds = ({ asked_at }: Request) => new Date(asked_at.getTime() + SETBACK_HOURS * 3_600_000)

type Request = NonNullable<Awaited<ReturnType<typeof beginRequest>>>

/**
 * Makes one pharmacy's report and mails a link to it, to its contact or the recipient support chose. File, link, email and record share one
 * transaction, so it may run again at any point. If it cannot be made, the person who requested it is notified by email.
 */
export const makeReport = job({
  name: 'message-history',
  payload: z.object({ request_id: z.number().int() }),
  concurrency: () => 1,
  // More than the allowed attempts: the last of those ends the request.
  retries: MOST_ATTEMPTS + 2,
  again: true,
  async run({ request_id }, services) {
    const request = await beginRequest(services.pools.system, request_id)
    if (!request) return
    try {
      // A worker that died on it still counted its attempt: a report that kills workers must not be tried for ever.
      if (request.attempts > MOST_ATTEMPTS) throw new CannotReport('It could not be made at several attempts.')
      await mailReport(services, request)
    } catch (error) {
      const known = error instanceof CannotReport
      if (setbackOf(error) && services.now() < setbackEnds(request)) {
        await uncountAttempt(services.pools.system, request_id)
        throw error
      }
      if (!known && request.attempts < MOST_ATTEMPTS) throw error
      services.log.error({ report: request_id, reason: reasonOf(error) }, 'a report could not be made')
      await mailFailure(services, request, known ? error.message : 'It could not be made at several attempts.')
    }
  },
})

async function mailReport(services: Services, request: Request): Promise<void> {
  const { pools, secret, env } = services
  const scope = { companyId: request.company_id, locationIds: [request.location_id] }
  const { pharmacy, content } = await inScope(pools.app, scope, async (tx) => {
    const found = (await pharmacyContacts(tx))[0]
    if (!found) throw new CannotReport('The pharmacy is no longer one of your company’s.')
    return { pharmacy: found, content: await readReport(tx, request, found) }
  })
  const now = services.now()
  const kind = kindOf(request)
  const names = REPORT_NAMES[kind]
  await pools.system.transaction().execute(async (tx) => {
    const reader = await recipientOf(tx, request, pharmacy)
    if (!(await endRequest(tx, request.id, 'mailed', now))) return
    await dropOldFiles(tx, now)
    const asker = await loginOwner(tx, request.asked_by)
    const file = await keepFile(tx, secret, {
      ...{ locationId: pharmacy.id, companyId: request.company_id, kind, content: content.content, now },
      filename: `${pharmacy.name} ${names.file} ${formatDay(content.from)} to ${formatDay(content.to)}.csv`,
      readerId: reader.id,
      expiresAt: new Date(now.getTime() + HOURS * 3_600_000),
    })
    const link = { purpose: 'download', subjectId: file, now, seconds: HOURS * 3600 } as const
    const token = await makeLink(tx, secret, link)
    const address = addressOf((asker?.country ?? 'AU') as Country, 'downloadFile', token)
    const letter = {
      to: reader.email,
      subject: `${names.title} of ${pharmacy.name}`,
      text: letterOf({ ...pharmacy, contact: reader.name }, kind, content, {
        product: env.PRODUCT_NAME,
        support: env.SUPPORT_EMAIL,
        asker: asker ? `${asker.first_name} ${asker.last_name}, ${asker.company},` : null,
        link: new URL(address, services.publicUrl()).href,
      }),
    }
    await queueMail(tx, services, letter, HOURS * 3600)
    const messages = content.messages === undefined ? {} : { messages: content.messages }
    await recordAudit(tx, {
      caller: { companyId: request.company_id, loginId: request.asked_by, sessionId: null },
      action: 'report.mailed',
      object: pharmacy.uuid,
      detail: { kind, from: request.from_day, to: request.to_day, ...messages, to_email: reader.email },
    })
  })
}

const kindOf = ({ kind }: Request) => kind as ReportKind

/** The address support chose, if it still belongs to the company; otherwise the pharmacy's contact. */
async function recipientOf(tx: Tx, request: Request, { contact }: PharmacyContact) {
  const email = request.to_email ?? contact?.email
  if (!email) throw new CannotReport('The pharmacy no longer has a contact. Please set one, then ask again.')
  const found = await companyRecipient(tx, request.company_id, email)
  if (!found) throw new CannotReport(`${email} is no longer the address of somebody at the company.`)
  return found
}

async function mailFailure(services: Services, request: Request, why: string): Promise<void> {
  const scope = { companyId: request.company_id, locationIds: [request.location_id] }
  const pharmacy = (await inScope(services.pools.app, scope, pharmacyContacts))[0]
  const { system } = services.pools
  await system.transaction().execute(async (tx) => {
    if (!(await endRequest(tx, request.id, 'failed', services.now()))) return
    const name = pharmacy?.name ?? 'a pharmacy'
    const { title } = REPORT_NAMES[kindOf(request)]
    const inSentence = sentenceName(title)
    const asker = await loginOwner(tx, request.asked_by)
    if (asker) {
      const span = formatSpan(asker.country as Country, day(request.from_day), day(request.to_day))
      const text = [
        `Hello ${asker.first_name},`,
        `The ${inSentence} of ${name}, ${span}, was not made. ${why}`,
        `Nothing was emailed to the pharmacy. Questions: ${services.env.SUPPORT_EMAIL}.`,
      ].join('\n\n')
      await queueMail(tx, services, { to: asker.email, subject: `${title} of ${name} was not made`, text })
    }
    await recordAudit(tx, {
      caller: { companyId: request.company_id, loginId: request.asked_by, sessionId: null },
      action: 'report.failed',
      object: pharmacy?.uuid ?? null,
      detail: { kind: kindOf(request), from: request.from_day, to: request.to_day, why },
    })
  })
}

/** 'message history' in the middle of a sentence; a name that begins with a digit stays unchanged. */
const sentenceName = (title: string) => title.charAt(0).toLowerCase() + title.slice(1)

interface LetterFacts {
  product: string
  support: string
  /** 'Jo Marsh, Saltbush Pharmacy Group,'; null if the login is gone. */
  asker: string | null
  link: string
}

function letterOf(
  pharmacy: { name: string; country: string; contact: string },
  kind: ReportKind,
  { from, to, holds }: ReportContent,
  { product, support, asker, link }: LetterFacts,
): string {
  const { title, keep } = REPORT_NAMES[kind]
  const span = formatSpan(pharmacy.country as Country, from, to)
  return [
    `Hello ${pharmacy.contact},`,
    `${asker ?? product} asked for the ${sentenceName(title)} of ${pharmacy.name}, ${span}: ${holds}. Download it here:`,
    link,
    `The link works once, for ${HOURS} hours, and replaces any earlier one. ${keep}`,
    `Questions: ${support}.`,
  ].join('\n\n')
}
