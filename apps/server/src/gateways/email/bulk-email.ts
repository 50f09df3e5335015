import type { Pools } from '../../db/database.ts'
import type { Env } from '../../env.ts'
import { type EmailGateway, systemTime } from '../gateway.ts'
import { openEmailSimulator } from '../simulator.ts'
import { openSmtpEmail } from './bulk-email-smtp.ts'

/** The gateway for campaign email in this installation: SMTP_URL, or the simulator without it. */
export function openBulkEmail(env: Env, pools: Pools, now = systemTime): EmailGateway {
  if (env.SMTP_URL) return openSmtpEmail({ ...env, SMTP_URL: env.SMTP_URL })
  return openEmailSimulator(pools.system, env.EMAIL_PER_SECOND || Number.POSITIVE_INFINITY, now)
}
