import { addressOf } from '@pillar/domain/access/permission'
import {
  businessDayOfMonth,
  lastDayOf,
  monthKey,
  REPORT_DAY,
  reportIsDue,
  reportMonth,
} from '@pillar/domain/report/report-mail'
import { isolated, joined } from '@pillar/domain/text/sentence'
import { day as dayOf } from '@pillar/domain/time/day'
import { formatDate } from '@pillar/domain/time/locale'
import { dayIn, zoneOf } from '@pillar/domain/time/zone'
import { z } from 'zod'
import { recordAudit } from '../../../api/audit.ts'
import type { Services } from '../../../api/context.ts'
import { job } from '../../../api/queue.ts'
import { atEach } from '../../../api/repeat.ts'
import { calendarOf } from '../../../db/local-calendar.ts'
import { queueOneOfMany } from '../../mail/mail.jobs.ts'
import { listPharmacies, type PharmacyRow } from '../financials.queries.ts'
import { readReport } from './financial-report.handlers.ts'
import { inCompany } from './in-company.ts'
import { type ReportContent, reportContent } from './report-content.ts'
import { claimMonth, companiesWithMails, type MailCompany, type OwedMail, owedMails } from './report-mail.queries.ts'

/**
 * Sends last month's reports that are due. Each email is queued in one transaction with its row in the month's list and its row in the log,
 * so the job may be interrupted at any point and run again, by any number of workers at once. A company, report or letter that fails does
 * not hold up the others.
 * @returns emails queued. @throws the first failure, once all have had their turn
 */
export async function mailDueReports(services: Services): Promise<number> {
  const FAILED = 'monthly reports could not be sent'
  let count = 0
  const failures: unknown[] = []
  const companies = await companiesWithMails(services.pools.system)
  const nameOf = ({ id }: MailCompany) => ({ company: id })
  const failed = await atEach(services, FAILED, companies, nameOf, async (company) => {
    const reportOf = ({ about }: DueReport) => ({ company: company.id, location: about })
    const due = await dueOf(services, company)
    const unmade = await atEach(services, FAILED, due, reportOf, async (one) => {
      const made = await makeReport(services, company, one)
      if (made === null) return
      const readerOf = ({ login_id }: OwedMail) => ({ ...reportOf(one), login: login_id })
      const unsent = await atEach(services, FAILED, one.letters, readerOf, async (letter) => {
        if (await mailOne(services, company, monthKey(one.month), letter, made)) count += 1
      })
      failures.push(...unsent)
    })
    failures.push(...unmade)
  })
  failures.push(...failed)
  if (failures.length > 0) throw failures[0]
  return count
}

/** A month's report for a pharmacy or, if null, the whole company, and who is still owed it. */
interface DueReport {
  about: number | null
  letters: readonly OwedMail[]
  month: { year: number; month: number }
  /** Which business day it is. */
  nth: number
}

/** The reports that a company's people are owed by now. */
async function dueOf(services: Services, company: MailCompany): Promise<DueReport[]> {
  const { country } = company
  const zone = zoneOf(country, null)
  const today = dayIn(zone, services.now())
  const { holidays } = calendarOf({ country, region: null, postcode: null, time_zone: zone })
  const month = reportMonth(today)
  const nth = businessDayOfMonth(today, holidays)
  if (nth < (company.business_day ?? REPORT_DAY.usual)) return []
  const owed = await owedMails(services.pools.system, company.id, monthKey(month))
  return [...Map.groupBy(owed, ({ location_id }) => location_id)].map(([about, letters]) => {
    return { about, letters, month, nth }
  })
}

/** Makes a report; null while it still waits for data. */
async function makeReport(services: Services, company: MailCompany, due: DueReport): Promise<Made | null> {
  const { about, letters, month, nth } = due
  return inCompany(services, company, async (context, tx) => {
    const pharmacies = await listPharmacies(tx, about === null ? undefined : [about])
    const late = lateIn(pharmacies, month)
    if (!reportIsDue(nth, company.business_day ?? REPORT_DAY.usual, late.length)) return null
    const content = reportContent(await readReport(context, letters[0]!.location_uuid, month))
    const without = pharmacies.filter((one) => !hasData(one, month)).length
    const complete = completeText(
      late.map((one) => lateText(one, company)),
      { without, all: pharmacies.length },
    )
    return { content, late: late.length, complete }
  })
}

/** Pharmacies whose data do not reach the last day of the month. Those that never sent any are not waited for. */
function lateIn(pharmacies: readonly PharmacyRow[], month: { year: number; month: number }): PharmacyRow[] {
  return pharmacies.filter((one) => one.data_to !== null && dayOf(one.data_to) < lastDayOf(month))
}

const lateText = ({ name, data_to }: PharmacyRow, { country }: MailCompany) =>
  `${isolated(name)} (data to ${formatDate(country, dayOf(data_to!))})`

/** Whether a pharmacy's data had begun by the end of the month. */
const hasData = ({ data_from }: PharmacyRow, month: { year: number; month: number }) =>
  data_from !== null && data_from.slice(0, 7) <= monthKey(month)

/** Whether the month's data are complete, in a sentence or two. `without` counts the pharmacies with no data for it. */
function completeText(late: readonly string[], { without, all }: { without: number; all: number }): string {
  if (without === all) return 'There are no data for this month.'
  const said = late.length === 0 ? 'The data of the whole month are in.' : `Not complete: ${joined(late)}.`
  if (without === 0) return said
  return `${without} of ${all} pharmacies ${without === 1 ? 'has' : 'have'} no data for this month. ${late.length === 0 ? 'The data of the others are in.' : said}`
}

interface Made {
  content: ReportContent
  /** The number of late pharmacies. */
  late: number
  complete: string
}

/** Queues one email, unless it has already been sent. */
async function mailOne(
  services: Services,
  company: MailCompany,
  month: string,
  letter: OwedMail,
  made: Made,
): Promise<boolean> {
  return services.pools.system.transaction().execute(async (tx) => {
    const { login_id: loginId, location_id: locationId } = letter
    // Asked again here: whoever has stopped, or lost the right to it, since the letters were counted gets none.
    const still = (await owedMails(tx, company.id, month, letter)).length > 0
    const sent = { companyId: company.id, loginId, locationId, month, late: made.late, now: services.now() }
    if (!still || !(await claimMonth(tx, sent))) return false
    await queueOneOfMany(tx, services, {
      to: letter.email,
      subject: `${made.content.subject}: ${made.content.period}`,
      text: letterText(services, company, month, letter, made),
    })
    await recordAudit(tx, {
      caller: { companyId: company.id, loginId, sessionId: null },
      action: 'reportMail.sent',
      object: letter.location_uuid,
      name: made.content.subject,
      detail: { month, late: made.late },
    })
    return true
  })
}

function letterText(services: Services, company: MailCompany, month: string, letter: OwedMail, made: Made): string {
  const { content, complete } = made
  const page = new URL(addressOf(company.country, 'financials'), services.publicUrl())
  page.searchParams.set('period', month)
  page.searchParams.set('report', letter.location_uuid ?? 'company')
  const figures = content.headlines.map(
    ({ label, value, beside }) => `${label}: ${value}${beside === '' ? '' : ` (${beside})`}`,
  )
  const targets = content.targets.map(({ title, target, words }) => `${title}, target ${target}: ${words}`)
  return [
    `Hello ${letter.first_name},`,
    `${content.subject}, ${content.period}:`,
    figures.join('\n'),
    ...content.counted.slice(0, 1),
    ...(targets.length === 0 ? [] : [targets.join('\n')]),
    complete,
    'The report as one page (PDF), after you sign in:',
    page.href,
    `To stop these letters, choose Monthly report in the account menu of ${services.env.PRODUCT_NAME}. Questions: ${services.env.SUPPORT_EMAIL}.`,
  ].join('\n\n')
}

/** Sends the due reports, once a day. */
export const mailReports = job({
  name: 'mail-reports',
  payload: z.object({}),
  nightly: {},
  concurrency: () => 1,
  retries: 5,
  run: async (_payload, services) => void (await mailDueReports(services)),
})
