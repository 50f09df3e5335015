import { formatDay } from '@pillar/domain/time/day'
import { dayIn, zoneOf } from '@pillar/domain/time/zone'
import type { Services } from './api/context.ts'
import { holidaysKnownTo } from './db/local-calendar.ts'

/** Without days of this year on the list no holiday is quiet any more. */
export function warnOfHolidays({ env, log, now }: Services): void {
  const known = holidaysKnownTo(env.COUNTRY)
  if (known === null || known < formatDay(dayIn(zoneOf(env.COUNTRY, null), now()))) {
    log.warn(`Public holidays are known up to ${known ?? 'no day'}. Please renew apps/server/data/holidays.csv.`)
  }
}

/** Logs at the start when the bucket cannot be reached. Until it can, uploads are refused with a sentence that says so. */
export async function warnOfStore({ env, files, log }: Services): Promise<void> {
  if (env.FILES === 's3' && !(await files.isThere()))
    log.error(
      `The bucket ${env.S3_BUCKET} cannot be reached: uploads wait until it can. See S3_BUCKET in docs/operations.md.`,
    )
}
