import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { availableParallelism } from 'node:os'
import { COUNTRIES } from '@pillar/domain/time/locale'
import { z } from 'zod'
import { mustBe, shownValue } from './env-words.ts'

const port = z.coerce.number().int().min(0).max(65_535)
const milliseconds = (standard: number) => z.coerce.number().int().min(1).max(3_600_000).default(standard)

const address = (...schemes: string[]) =>
  z.url({
    protocol: new RegExp(`^(${schemes.join('|')})$`),
    error: ({ input }) =>
      `It must be an address that begins with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}${unescaped(input)}`,
  })
const email = () => z.email({ error: 'It must be an email address' })

/** The most common mistake in an address that contains a password. */
const unescaped = (input: unknown) =>
  URL.canParse(String(input)) || !String(input).includes('@')
    ? ''
    : '. Signs such as / # ? in a password are written as %2F %23 %3F'

/** 'ISO 27001=https://…, Essential Eight=https://…' */
const HALF_OF_PROCESSORS = Math.max(1, Math.floor(availableParallelism() / 2))

const namedLinks = z
  .string()
  .default('')
  .transform((text, context) => {
    const parts = text.split(',').flatMap((part) => part.trim() || [])
    return parts.flatMap((part) => {
      const [, name = '', url = ''] = /^([^=]+?)\s*=\s*(https:\/\/\S+)$/.exec(part) ?? []
      if (name !== '' && URL.canParse(url)) return { name, url }
      context.addIssue({ code: 'custom', message: 'It must be "Name=https://address", with commas between several' })
      return []
    })
  })

const Environment = z.object({
  PORT: port.default(3000),
  /** Address to listen on. */
  HOST: z.string().default('127.0.0.1'),
  DATABASE_URL: address('postgres', 'postgresql').optional(),
  /** The migrating login, if it is not the serving one. */
  DATABASE_OWNER_URL: address('postgres', 'postgresql').optional(),
  /** A streaming replica that answers reads of figures, and how many seconds behind it may be. */
  DATABASE_REPLICA_URL: address('postgres', 'postgresql').optional(),
  REPLICA_LAG_SECONDS: z.coerce.number().int().min(1).max(3600).default(30),
  /** Whether a start migrates; if not, `npm run migrate` does, and a start on an older schema is refused. */
  MIGRATE: z.enum(['on', 'off']).default('on'),
  DATA_DIR: z
    .string()
    .refine((path) => !/^(~|(["']).*\2$)/s.test(path), 'It must be a path without quotes around it and without ~')
    .default('./data'),
  ROLE: z.enum(['all', 'web', 'worker']).default('all'),
  /** Where a worker answers /healthz and /readyz; without it a worker opens no port. */
  HEALTH_PORT: port.optional(),
  DEMO: z.enum(['tiny', 'small', 'large', 'none']).optional(),
  PUBLIC_URL: address('http', 'https')
    .refine(isOriginAlone, 'It is a name without a path, such as https://pillar.example.com')
    .optional(),
  /** Further host names of this server, besides those of PUBLIC_URL, HOST and this machine. */
  HOSTS: z
    .string()
    .regex(/^[a-z0-9.:[\]_-]+(?: *, *[a-z0-9.:[\]_-]+)*$/i, 'It must be names with commas between them, without ports')
    .transform((names) => names.split(/ *, */))
    .default([]),
  /** Reverse proxies on other machines whose X-Forwarded-For is trusted, as addresses or networks. */
  PROXIES: z
    .string()
    .transform((text) => text.split(/ *, */))
    .refine(
      (all) => all.every(isNetwork),
      'It must be addresses or networks such as 10.1.2.3 or 10.0.0.0/8, with commas between them',
    )
    .default([]),
  /** An error-reporting service that speaks the Sentry protocol; without it the last 1,000 errors are stored here. */
  SENTRY_DSN: address('http', 'https').optional(),
  /** Shows emails that no mail server took on this machine without sign-in; defaults to on with the demo network. */
  OUTBOX: z.enum(['on', 'off']).optional(),
  /** Whether support and S8 people must sign in with a second factor. By default everybody must, except people of the demo network. */
  SECOND_FACTOR: z.enum(['required', 'optional']).optional(),
  PRODUCT_NAME: z.string().min(1).max(60).default('Pillar'),
  SUPPORT_PHONE: z.string().default('1800 160 401'),
  SUPPORT_EMAIL: email().default('support@pillar.example'),
  SUPPORT_WEBSITE: z.string().default('pillar.example'),
  COUNTRY: z.enum(COUNTRIES).default('AU'),
  SMTP_URL: address('smtp', 'smtps')
    .refine(
      (url) => URL.parse(url)?.hostname !== '',
      'It must name a mail server, such as smtp://user:password@mail.example.com:587',
    )
    .optional(),
  MAIL_FROM: z
    .string()
    .refine(
      (from) => z.email().safeParse(senderAddress(from)).success,
      'It must be an email address, with or without a name before it in <>',
    )
    .default('Pillar <no-reply@pillar.example>'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  /** Keys the hashes of links; by default created and kept in DATA_DIR. */
  SECRET: z.string().min(32).optional(),
  /** Wraps the keys that seal single fields: one or more keys of 64 hex digits, the last of which wraps new data keys. */
  KEYS: z.string().min(64).optional(),
  /** An AI service that speaks the OpenAI protocol, for drafts of messages; without it there are starter drafts. */
  AI_BASE_URL: address('http', 'https').optional(),
  AI_API_KEY: z.string().optional(),
  AI_MODEL: z.string().optional(),
  /** How the public pages tell people from programs: our own check by default, or a vendor's with its keys. */
  CAPTCHA: z.enum(['altcha', 'hcaptcha', 'turnstile', 'none']).default('altcha'),
  CAPTCHA_SITE_KEY: z.string().optional(),
  CAPTCHA_SECRET: z.string().optional(),
  /** The vendor's verification address, if not the usual one. */
  CAPTCHA_VERIFY_URL: address('http', 'https').optional(),
  /** The privacy policy that the public pages link to, by the pharmacy's country. */
  PRIVACY_URL: address('http', 'https').default('https://pillar.example/privacy'),
  PRIVACY_URL_GB: address('http', 'https').default('https://pillar.example/en_gb/privacy'),
  PRIVACY_URL_US: address('http', 'https').default('https://pillar.example/en_us/privacy'),
  /** Where the browser goes after signing up for a trial named 'recall'; without it the page stays. */
  RECALL_SURVEY_URL: address('https').optional(),
  /** A service with breached passwords that speaks the range protocol of Have I Been Pwned; without it only the bundled list is checked. */
  BREACHED_PASSWORDS_URL: address('http', 'https').optional(),
  /** What the sign-up page shows under Security and under Products: 'Name=https://address', separated by commas. */
  ACCREDITATIONS: namedLinks,
  PRODUCT_LINKS: namedLinks,
  /** Address look-up of the sign-up page through Google Places; without the key it uses the bundled suburbs and postcodes. */
  GOOGLE_PLACES_KEY: z.string().min(10).optional(),
  /** A different address that speaks the protocol of Google Places. */
  GOOGLE_PLACES_URL: address('http', 'https').default('https://places.googleapis.com'),
  /** Analytics servers that may host dashboards, by host name; the first is the default for a new dashboard. */
  DASHBOARD_HOSTS: z
    .string()
    .regex(
      /^[a-z0-9.-]+(?: *, *[a-z0-9.-]+)*$/i,
      'It must be host names with commas between them, without https:// and ports',
    )
    .transform((names) => names.toLowerCase().split(/ *, */))
    .default(['analytics.pillar.example']),
  /** The Superset that hosts dashboards, as this server reaches it; without it Pillar shows its own boards. */
  SUPERSET_URL: address('http', 'https').optional(),
  SUPERSET_USER: z.string().optional(),
  SUPERSET_PASSWORD: z.string().optional(),
  /** Where browsers reach it, if not at the address stored with each dashboard. */
  SUPERSET_BROWSER_URL: address('http', 'https').optional(),
  /** A second name of this server, only for Pillar's own boards: they are embedded from an origin without a session. */
  BOARDS_URL: address('http', 'https')
    .refine(isOriginAlone, 'It is a name of this server without a path, such as https://boards.example.com')
    .optional(),
  /** Where the day's anchor of the audit is mailed, in addition to DATA_DIR and the log. */
  AUDIT_MAIL: email().optional(),
  /** Required to read /metrics; without it only this machine may. */
  METRICS_TOKEN: z.string().min(16).optional(),
  /** Where traces and metrics are sent by OTLP over HTTP; without it nothing of OpenTelemetry is loaded. The others are its standard names. */
  OTEL_EXPORTER_OTLP_ENDPOINT: address('http', 'https').optional(),
  /** 'name=value' separated by commas; better set as OTEL_EXPORTER_OTLP_HEADERS_FILE, because it contains the collector's credentials. */
  OTEL_EXPORTER_OTLP_HEADERS: z
    .string()
    .regex(/^[^=,\s]+=[^,]*(,[^=,]+=[^,]*)*$/, 'It must be "name=value" with commas between several')
    .optional(),
  OTEL_EXPORTER_OTLP_TIMEOUT: milliseconds(10_000),
  OTEL_EXPORTER_OTLP_PROTOCOL: z.enum(['http/protobuf']).default('http/protobuf'),
  OTEL_SDK_DISABLED: z.enum(['true', 'false']).default('false'),
  OTEL_TRACES_EXPORTER: z.enum(['otlp', 'none']).default('otlp'),
  OTEL_METRICS_EXPORTER: z.enum(['otlp', 'none']).default('otlp'),
  OTEL_TRACES_SAMPLER: z
    .enum(['always_on', 'always_off', 'traceidratio'].flatMap((name) => [name, `parentbased_${name}`]))
    .default('parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
  OTEL_BSP_SCHEDULE_DELAY: milliseconds(5_000),
  OTEL_BSP_EXPORT_TIMEOUT: milliseconds(30_000),
  OTEL_BSP_MAX_QUEUE_SIZE: z.coerce.number().int().min(1).max(65_536).default(2_048),
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE: z.coerce.number().int().min(1).max(8_192).default(512),
  OTEL_METRIC_EXPORT_INTERVAL: milliseconds(60_000),
  OTEL_METRIC_EXPORT_TIMEOUT: milliseconds(30_000),
  /** A calendar year for 60-day figures, such as 2022, instead of the last 12 complete months. */
  SIXTY_DAY_BASE_YEAR: z.coerce.number().int().min(2015).max(2100).optional(),
  /** Uploads one worker loads at the same time. */
  ETL_WORKERS: z.coerce.number().int().min(1).max(16).default(2),
  /** What one pharmacy may send in one of its days, and how many of its uploads may wait to be loaded. */
  UPLOAD_DAY_COUNT: z.coerce.number().int().min(1).default(200),
  UPLOAD_DAY_MB: z.coerce.number().min(1).default(4096),
  UPLOAD_WAITING: z.coerce.number().int().min(1).default(50),
  /** Disk space that uploads leave free. */
  UPLOAD_FREE_MB: z.coerce.number().min(0).default(1024),
  /** Where the files of received uploads stay until they are loaded: DATA_DIR/uploads, or a bucket of an S3-compatible store. */
  FILES: z.enum(['folder', 's3']).default('folder'),
  S3_BUCKET: z.string().optional(),
  /** The store's address, if it is not Amazon's. */
  S3_ENDPOINT: address('http', 'https').optional(),
  S3_REGION: z.string().default('us-east-1'),
  /** Without keys, the machine's credentials are used: an instance's or a pod's role. */
  S3_KEY_ID: z.string().optional(),
  S3_KEY_SECRET: z.string().optional(),
  /** Heavy reads (contract: `heavy`) of one company that one web process runs at the same time: half the processors. */
  HEAVY_AT_ONCE: z.coerce.number().int().min(1).max(100).default(HALF_OF_PROCESSORS),
  SMS_GATEWAY: z.enum(['simulator', 'http', 'twilio']).default('simulator'),
  /** Texts per second over all workers; 0 for no limit. */
  SMS_PER_SECOND: z.coerce.number().min(0).max(100_000).default(20),
  /** The number or name from which texts come if a pharmacy has none of its own. */
  SMS_SENDER: z.string().min(3).max(34).optional(),
  /** SMS_HTTP_*: how to call a self-configured gateway; see gateways/sms/sms-http-settings.ts. */
  SMS_HTTP_URL: z.string().optional(),
  SMS_HTTP_METHOD: z.enum(['GET', 'POST']).default('POST'),
  SMS_HTTP_HEADERS: z.string().optional(),
  SMS_HTTP_BODY: z.string().optional(),
  SMS_HTTP_ACCEPTED: z.string().default(''),
  SMS_HTTP_ID: z.string().optional(),
  SMS_HTTP_SECRET: z.string().min(16).optional(),
  SMS_HTTP_RECEIPT_QUERY: z.string().optional(),
  SMS_HTTP_FIELDS: z.string().optional(),
  SMS_HTTP_DELIVERED: z.string().default('^(1|delivrd|delivered|delivered_to_handset)$'),
  SMS_HTTP_FAILED: z
    .string()
    .default(
      '^(2|16|undeliv\\w*|not[ _-]?delivered|rejectd|rejected|expired|deleted|(delivery[ _-]?)?failed|blocked|cancell?ed)$',
    ),
  SMS_HTTP_SENT: z.string().default('^(4|8|acceptd|accepted|enroute|sent|queued|pending|buffered|submitted)$'),
  SMS_HTTP_GONE: z.string().default('unknown[ _-]?subscriber|not in service|no such (number|subscriber)'),
  TWILIO_ACCOUNT_SID: z
    .string()
    .regex(/^AC[0-9a-f]{32}$/, 'It begins with AC and has 34 characters')
    .optional(),
  TWILIO_AUTH_TOKEN: z.string().min(16).optional(),
  /** A different address that speaks Twilio's protocol. */
  TWILIO_BASE_URL: address('http', 'https').optional(),
  /** Campaign emails per second over all workers; 0 for no limit. */
  EMAIL_PER_SECOND: z.coerce.number().min(0).max(100_000).default(20),
  /** Bounces come back to bounce+<reference>@ this domain. */
  BOUNCE_DOMAIN: z
    .string()
    .regex(/^[a-z0-9.-]+\.[a-z]+$/i, 'It must be a domain such as bounces.example.com')
    .optional(),
  /** Signs the mail server's bounce reports. */
  BOUNCE_SECRET: z.string().min(24).optional(),
})

/** Whether a text is an address, or a network as address/bits. */
function isNetwork(text: string): boolean {
  const [address = '', bits, more] = text.split('/')
  const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
  return most > 0 && more === undefined && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most))
}

/** The address in "Name <address>", or a bare address. */
export const senderAddress = (from: string): string => /<([^<>]*)>\s*$/.exec(from)?.[1] ?? from.trim()

/** Whether an address names a server and nothing on it. */
function isOriginAlone(address: string): boolean {
  return URL.canParse(address) && new URL(address).href === `${new URL(address).origin}/`
}

export type Env = z.output<typeof Environment>

/** Names of all settings, and of their file variants. */
export const SETTINGS: readonly string[] = Object.keys(Environment.shape).flatMap((name) => [name, `${name}_FILE`])

/**
 * The configuration, read once. NAME_FILE gives the path of a file with the value of NAME: a mounted secret. A wrong value throws one
 * sentence naming the variable and what it may be.
 * @throws Error with a message fit to print
 */
export function readEnv(source: Record<string, string | undefined>): Env {
  const known = Object.keys(Environment.shape)
  const given = Object.fromEntries(
    known.flatMap((name) => {
      const value = source[`${name}_FILE`] ? fromFile(source, name) : stripped(source, name)
      return value ? [[name, value]] : []
    }),
  )
  const parsed = Environment.safeParse(given)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]!
  const name = String(issue.path[0])
  // A file's content is a secret, so its path is shown instead.
  const shown = source[`${name}_FILE`] ?? shownValue(name, given[name] ?? '')
  throw new Error(`The setting ${name} is not usable: "${shown}". ${mustBe(issue)}. See docs/operations.md.`)
}

/** Drops blanks and line ends around a value, as in a settings file from Windows. SECRET keeps them: values it sealed open with nothing else. */
const stripped = (source: Record<string, string | undefined>, name: string) =>
  name === 'SECRET' ? source[name] : source[name]?.trim()

/** The content of a setting's file, without the line end that editors add. @throws Error naming the setting and the file */
function fromFile(source: Record<string, string | undefined>, name: string): string {
  const path = source[`${name}_FILE`]!
  if (source[name]) throw new Error(`Both ${name} and ${name}_FILE are set. Set one of them. See docs/operations.md.`)
  let text: string
  try {
    text = readFileSync(path, 'utf8').trim()
  } catch (error) {
    throw new Error(`The file of ${name}_FILE, "${path}", cannot be read (${(error as NodeJS.ErrnoException).code}).`)
  }
  if (text === '') throw new Error(`The file of ${name}_FILE, "${path}", is empty.`)
  return text
}
