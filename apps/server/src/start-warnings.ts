import type { Services } from './api/context.ts'
import { holidayDaysLeft, holidaysKnownTo } from './db/local-calendar.ts'
import type { Env } from './env.ts'

/** As the alert PillarHolidaysEnd: half a year. */
const HOLIDAY_DAYS_LEFT = 180

/** What switches settings on, and how their names begin. */
const SWITCHES = [
  { names: /^TWILIO_/, by: 'SMS_GATEWAY', at: 'twilio' },
  { names: /^SMS_HTTP_/, by: 'SMS_GATEWAY', at: 'http' },
  { names: /^S3_/, by: 'FILES', at: 's3' },
] as const

/** A sentence for each kind of settings that are set, by value or by file, and have no effect. */
export function unusedSettings(env: Env, source: Record<string, string | undefined>): string[] {
  return SWITCHES.flatMap(({ names, by, at }) => {
    const set = Object.keys(source).filter((name) => names.test(name) && source[name]?.trim())
    if (env[by] === at || set.length === 0) return []
    return `${set.join(', ')} ${set.length === 1 ? 'is' : 'are'} set and ${set.length === 1 ? 'has' : 'have'} no effect: ${by} is ${env[by]}, not ${at}.`
  })
}

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
