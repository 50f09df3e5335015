import { accessSync, constants } from 'node:fs'
import { isLoopbackName } from '@pillar/domain/text/web-address'
import type { Services } from './api/context.ts'
import { holidayDaysLeft, holidaysKnownTo } from './db/local-calendar.ts'
import { type Env, readEnv, SETTINGS } from './env.ts'

/** The same as in the alert PillarHolidaysEnd: half a year. */
const HOLIDAY_DAYS_LEFT = 180

/** The settings that switch groups of others on, and the prefixes of those. */
const SWITCHES = [
  { names: /^TWILIO_/, by: 'SMS_GATEWAY', at: 'twilio' },
  { names: /^SMS_HTTP_/, by: 'SMS_GATEWAY', at: 'http' },
  { names: /^S3_/, by: 'FILES', at: 's3' },
] as const

/** A sentence for each group of settings that are set, by value or by file, but have no effect. */
export function unusedSettings(env: Env, source: Record<string, string | undefined>): string[] {
  return SWITCHES.flatMap(({ names, by, at }) => {
    const set = Object.keys(source).filter((name) => names.test(name) && source[name]?.trim())
    if (env[by] === at || set.length === 0) return []
    return `${set.join(', ')} ${set.length === 1 ? 'is' : 'are'} set and ${set.length === 1 ? 'has' : 'have'} no effect: ${by} is ${env[by]}, not ${at}.`
  })
}

/** Shorter names resemble too many others. */
const LEAST_LETTERS = 6
const letters = (name: string) => name.toUpperCase().replaceAll('_', '')

/** A sentence for each name that is not a setting but resembles an unset one. */
export function misspeltSettings(source: Record<string, string | undefined>): string[] {
  const free = SETTINGS.filter((name) => letters(name).length >= LEAST_LETTERS && !source[name])
  return Object.keys(source)
    .filter((name) => source[name] && !SETTINGS.includes(name))
    .flatMap((name) => {
      const meant = free.find((one) => areNear(letters(name), letters(one)))
      const other = meant?.replace(/_FILE$/, '')
      // The setting it resembles is set in another way.
      if (!meant || source[other!] || source[`${other}_FILE`]) return []
      return `${name} is no setting of Pillar: is ${meant} meant?`
    })
}

/** Whether two words differ by one letter: a different one, one more or fewer, or two swapped. */
function areNear(a: string, b: string): boolean {
  let same = 0
  while (same < a.length && a[same] === b[same]) same++
  const [x, y] = [a.slice(same), b.slice(same)]
  if (x.slice(1) === y.slice(1) || x.slice(1) === y || x === y.slice(1)) return true
  return x[0] === y[1] && x[1] === y[0] && x.slice(2) === y.slice(2)
}

/** A sentence if the folder for temporary files cannot be written, where files to download are made; otherwise null. */
export function noTemporaryFiles(folder: string): string | null {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
    return null
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return `The folder for temporary files, ${folder} (TMPDIR), cannot be written (${code}): long files, such as message histories, cannot be downloaded.`
  }
}

const isReachedFromElsewhere = ({ PUBLIC_URL }: Env) =>
  PUBLIC_URL !== undefined && !isLoopbackName(new URL(PUBLIC_URL).hostname)

/** A sentence if emails are neither delivered nor shown although people come from elsewhere, or would without the demo network; otherwise null. */
export function keptLetters(env: Env): string | null {
  const read = !isReachedFromElsewhere(env) && (env.DEMO !== 'none' || env.OUTBOX === 'on')
  if (read || env.SMTP_URL) return null
  return 'SMTP_URL is not set: letters, such as invitations and password resets, are kept in the database and reach nobody.'
}

/** Settings that people see and that have example values until an installation sets its own. */
const SHOWN = ['MAIL_FROM', 'SUPPORT_PHONE', 'SUPPORT_EMAIL', 'SUPPORT_WEBSITE'] as const
const PRIVACY = { AU: 'PRIVACY_URL', GB: 'PRIVACY_URL_GB', US: 'PRIVACY_URL_US' } as const

/** A sentence that names the example values people would see if they come from elsewhere; otherwise null. */
export function exampleSettings(env: Env): string | null {
  if (!isReachedFromElsewhere(env)) return null
  const example = readEnv({})
  const left = [...SHOWN, PRIVACY[env.COUNTRY]].filter(
    (name) => env[name] === example[name] && (name !== 'MAIL_FROM' || env.SMTP_URL),
  )
  return left.length === 0 ? null : `People still see an example's contacts. Set your own: ${left.join(', ')}.`
}

const DATABASES = ['DATABASE_URL', 'DATABASE_OWNER_URL', 'DATABASE_REPLICA_URL'] as const

/** A sentence if the way to a database on another machine is not encrypted, and nobody said that it need not be; otherwise null. */
export function plainDatabases(env: Env, source: Record<string, string | undefined>): string | null {
  const plain = source.PGSSLMODE ? [] : DATABASES.filter((name) => isPlain(env[name]))
  if (plain.length === 0) return null
  const [leads, it] = plain.length === 1 ? ['leads', 'it'] : ['lead', 'each']
  return `${plain.join(' and ')} ${leads} to another machine without TLS, so patients' records cross the network in the clear. Add ?sslmode=verify-full to ${it}, or ?sslmode=disable if nobody else can listen there.`
}

function isPlain(url: string | undefined): boolean {
  if (!url) return false
  const { hostname, searchParams } = new URL(url)
  const host = searchParams.get('host') ?? decodeURIComponent(hostname)
  if (host === '' || host.startsWith('/') || isLoopbackName(host)) return false
  return !searchParams.has('sslmode') && !searchParams.has('ssl')
}

/** If the list has no days of this year, no holiday is quiet any more. */
export function warnOfHolidays({ env, log, now }: Services): void {
  if (holidayDaysLeft(env.COUNTRY, now()) >= HOLIDAY_DAYS_LEFT) return
  const known = holidaysKnownTo(env.COUNTRY) ?? 'no day'
  log.warn(
    `Public holidays are known up to ${known}. Please renew apps/server/data/holidays.csv: after that no holiday is quiet.`,
  )
}

/**
 * Logs if the bucket cannot be reached. Until it can, uploads are refused with a sentence that says so. The start does not wait for it: one that
 * hangs is known after a few seconds.
 */
export async function warnOfStore({ env, files, log }: Services): Promise<void> {
  if (env.FILES === 's3' && !(await files.isThere()))
    log.error(
      `The bucket ${env.S3_BUCKET} cannot be reached: uploads wait until it can. See S3_BUCKET in docs/operations.md.`,
    )
}
