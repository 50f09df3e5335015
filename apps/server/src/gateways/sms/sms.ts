import type { Pools } from '../../db/database.ts'
import type { Env } from '../../env.ts'
import { type SmsGateway, systemTime } from '../gateway.ts'
import { openSmsSimulator } from '../simulator.ts'
import { openHttpSms } from './sms-http.ts'
import { openTwilio } from './sms-twilio.ts'

/**
 * The SMS gateway of this installation, by SMS_GATEWAY.
 * @throws Error naming the setting that is missing or wrong, fit to print
 */
export function openSms(env: Env, pools: Pools, now = systemTime): SmsGateway {
  const real = openReal(env, now)
  if (real) return real
  const perSecond = env.SMS_PER_SECOND || Number.POSITIVE_INFINITY
  return openSmsSimulator(pools.system, perSecond, env.SMS_SENDER, now)
}

/** Stops a start early if the gateway's settings do not suffice. @throws as openSms does */
export function checkSms(env: Env): void {
  openReal(env)
}

function openReal(env: Env, now = systemTime): SmsGateway | null {
  if (env.SMS_GATEWAY === 'http') return openHttpSms(env, now)
  return env.SMS_GATEWAY === 'twilio' ? openTwilio(env, now) : null
}
