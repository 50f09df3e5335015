import { THIRTY_DAY_MOST } from '@pillar/domain/sixty-day/choices'
import { addMonths, type Day, day } from '@pillar/domain/time/day'
import type { Country } from '@pillar/domain/time/locale'
import type { Tx } from '../../db/database.ts'
import { sixtyDayCodes } from '../sixty-day/list.queries.ts'
import { historyCsv } from './history-csv.ts'
import { historyLots, type PharmacyContact } from './report.queries.ts'
import type { ReportKind } from './report-file.queries.ts'
import { compress } from './sealed-file.ts'
import { dataTo, sixtyDayRows } from './sixty-day.queries.ts'
import { sixtyDayCsv } from './sixty-day-csv.ts'

/** Why no attempt will succeed, in words for the person who requested it. */
export class CannotReport extends Error {}

/** The names of reports in emails and files. */
export const REPORT_NAMES: Readonly<Record<ReportKind, { title: string; file: string; keep: string }>> = {
  history: {
    title: 'Message history',
    file: 'patient list',
    keep: 'The file holds patients’ names: please keep it safe.',
  },
  sixty_day: {
    title: '60 Day Dispensing Report',
    file: '60 day dispensing',
    keep: 'The file holds the pharmacy’s figures and nobody’s name.',
  },
}

/** A report as a file (compressed, see `compress`), its days, inclusive, and its content in words. */
export interface ReportContent {
  content: Buffer
  from: Day
  to: Day
  holds: string
  messages?: number
}

/** As many as a spreadsheet can open. */
const MOST_MESSAGES = 500_000

interface Asked {
  kind: string
  from_day: string
  to_day: string
}

/** Makes a report of one pharmacy, in its scope. @throws CannotReport if it cannot be made */
export function readReport(tx: Tx, asked: Asked, pharmacy: PharmacyContact): Promise<ReportContent> {
  return asked.kind === 'sixty_day' ? readSixtyDay(tx, pharmacy) : readHistory(tx, asked, pharmacy)
}

async function readHistory(tx: Tx, asked: Asked, pharmacy: PharmacyContact): Promise<ReportContent> {
  const ask = { locationId: pharmacy.id, timeZone: pharmacy.timeZone, from: asked.from_day, to: asked.to_day }
  let messages = 0
  async function* counted() {
    for await (const rows of historyLots(tx, ask)) {
      messages += rows.length
      if (messages > MOST_MESSAGES)
        throw new CannotReport(
          `There are over ${MOST_MESSAGES.toLocaleString('en')} messages. Please choose fewer days.`,
        )
      yield rows
    }
  }
  return {
    content: await compress(historyCsv(counted(), pharmacy.country as Country)),
    from: day(asked.from_day),
    to: day(asked.to_day),
    holds: `${messages} ${messages === 1 ? 'message' : 'messages'}`,
    messages,
  }
}

async function readSixtyDay(tx: Tx, pharmacy: PharmacyContact): Promise<ReportContent> {
  if ((pharmacy.country as Country) !== 'AU') throw new CannotReport('60 day dispensing exists in Australia only.')
  const to = await dataTo(tx, pharmacy.id)
  if (to === null) throw new CannotReport('The pharmacy has not uploaded yet.')
  const codes = await sixtyDayCodes(tx, day(to))
  const rows = await sixtyDayRows(tx, { locationId: pharmacy.id, to, codes, thirtyDayMost: THIRTY_DAY_MOST })
  const medicines = rows.length
  return {
    content: await compress([sixtyDayCsv(rows)]),
    from: addMonths(day(to), -12) + 1,
    to: day(to),
    holds: `${medicines} ${medicines === 1 ? 'medicine' : 'medicines'} that may be dispensed for 60 days`,
  }
}
