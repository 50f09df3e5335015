import type { Services } from './api/context.ts'
import { holidayDaysLeft, holidaysKnownTo } from './db/local-calendar.ts'

/** As the alert PillarHolidaysEnd: half a year. */
const HOLIDAY_DAYS_LEFT = 180

/** Without days of this year on the list no holiday is quiet any more. */
export function warnOfHolidays({ env, log, now }: Services): void {
  if (holidayDaysLeft(env.COUNTRY, now()) >= HOLIDAY_DAYS_LEFT) return
  const known = holidaysKnownTo(env.COUNTRY) ?? 'no day'
  log.warn(
    `Public holidays are known up to ${known}. Please renew apps/server/data/holidays.csv: after that no holiday is quiet.`,
  )
}

/** Logs at the start when the bucket cannot be reached. Until it can, uploads are refused with a sentence that says so. */
export async function warnOfStore({ env, files, log }: Services): Promise<void> {
  if (env.FILES === 's3' && !(await files.isThere()))
    log.error(
      `The bucket ${env.S3_BUCKET} cannot be reached: uploads wait until it can. See S3_BUCKET in docs/operations.md.`,
    )
}
