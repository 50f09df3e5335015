import { readFileSync } from 'node:fs'

/** Names of all settings of apps/server/src/env.ts. */
export function settingNames(): Set<string> {
  const text = readFileSync('apps/server/src/env.ts', 'utf8')
  const object = text.slice(text.indexOf('const Environment = z.object({'), text.indexOf('export type Env'))
  return new Set([...object.matchAll(/^ {2}([A-Z][A-Z0-9_]+):/gm)].map(([, name]) => name!))
}

/** What every process in real use needs besides a role. */
export const NEEDED = ['DATABASE_URL', 'SECRET', 'SMTP_URL', 'MAIL_FROM', 'PUBLIC_URL', 'DEMO', 'DATA_DIR'] as const

/** The setting that an environment variable sets, with its value or with a file. */
export const settingOf = (name: string): string => name.replace(/_FILE$/, '')

/** Whether the name of an image has no host of a registry. */
export const isHostless = (image: string): boolean =>
  !/^[^/]*[.:][^/]*\//.test(image) && !image.startsWith('localhost/')
