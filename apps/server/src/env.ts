import { z } from 'zod'

const port = z.coerce.number().int().min(0).max(65_535)

const Environment = z.object({
  PORT: port.default(3000),
  /** Address to listen on. */
  HOST: z.string().default('127.0.0.1'),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  DATA_DIR: z.string().default('./data'),
  ROLE: z.enum(['all', 'web', 'worker']).default('all'),
  DEMO: z.enum(['small', 'large', 'none']).optional(),
  PUBLIC_URL: z.url().optional(),
  PRODUCT_NAME: z.string().min(1).max(60).default('Pillar'),
  SUPPORT_PHONE: z.string().default('1800 160 401'),
  SUPPORT_EMAIL: z.email().default('support@pillar.example'),
  SUPPORT_WEBSITE: z.string().default('pillar.example'),
  COUNTRY: z.enum(['AU', 'GB', 'US']).default('AU'),
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  MAIL_FROM: z.string().default('Pillar <no-reply@pillar.example>'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  /** Keys the hashes of links; made and kept in DATA_DIR when not given. */
  SECRET: z.string().min(32).optional(),
  /** An AI service that speaks the OpenAI protocol, for drafts of messages; without it there are starter drafts. */
  AI_BASE_URL: z.url({ protocol: /^https?$/ }).optional(),
  AI_API_KEY: z.string().optional(),
  AI_MODEL: z.string().optional(),
  /** How the public pages tell people from programs: our own check by default, or a vendor's with its keys. */
  CAPTCHA: z.enum(['altcha', 'hcaptcha', 'turnstile', 'none']).default('altcha'),
  CAPTCHA_SITE_KEY: z.string().optional(),
  CAPTCHA_SECRET: z.string().optional(),
  /** Where a vendor's verdict is asked for, when not at its usual address. */
  CAPTCHA_VERIFY_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** The privacy policy the public pages link to, by the country of the pharmacy. */
  PRIVACY_URL: z.url({ protocol: /^https?$/ }).default('https://pillar.example/privacy'),
  PRIVACY_URL_GB: z.url({ protocol: /^https?$/ }).default('https://pillar.example/en_gb/privacy'),
  PRIVACY_URL_US: z.url({ protocol: /^https?$/ }).default('https://pillar.example/en_us/privacy'),
  /** Uploads one worker loads at the same time. */
  ETL_WORKERS: z.coerce.number().int().min(1).max(16).default(2),
  SMS_GATEWAY: z.enum(['simulator', 'http', 'twilio']).default('simulator'),
  /** Texts a second over all workers; 0 for no limit. */
  SMS_PER_SECOND: z.coerce.number().min(0).max(100_000).default(20),
  /** Number or name that texts come from where a pharmacy has none of its own. */
  SMS_SENDER: z.string().min(3).max(34).optional(),
  /** Campaign e-mails a second over all workers; 0 for no limit. */
  EMAIL_PER_SECOND: z.coerce.number().min(0).max(100_000).default(20),
})

export type Env = z.output<typeof Environment>

/**
 * The configuration, read once. A wrong value throws one sentence naming the variable and what it may be.
 * @throws Error with a message fit to print
 */
export function readEnv(source: Record<string, string | undefined>): Env {
  const known = Object.keys(Environment.shape)
  const given = Object.fromEntries(known.flatMap((name) => (source[name] ? [[name, source[name]]] : [])))
  const parsed = Environment.safeParse(given)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]!
  const name = String(issue.path[0])
  const allowed = issue.code === 'invalid_value' ? ` It may be ${issue.values.join(', ')}.` : ` ${issue.message}.`
  throw new Error(`The setting ${name} is not usable: "${given[name]}".${allowed} See docs/operations.md.`)
}
