import { createHash } from 'node:crypto'
import type { Logger } from 'pino'
import type { Env } from '../env.ts'
import { shortAnswer } from './http-call.ts'

/** Passwords known from breaches, beyond the bundled list. */
export interface Breaches {
  /**
   * Whether this exact password is among them; never fails. False if no service is configured or it does not answer: another company's
   * outage keeps nobody from choosing a password.
   */
  hold: (password: string) => Promise<boolean>
}

/** Somebody is waiting for the answer. */
const LIMIT_MS = 2_000
const LINE = /^([0-9A-F]{35}):(\d+)$/i

/**
 * The look-up of this installation by BREACHED_PASSWORDS_URL, a service that speaks the range protocol of Have I Been Pwned; off without
 * it. Only the first five of the forty hexadecimal digits of the password's SHA-1 leave this server (k-anonymity), and the answer is padded
 * so that its length reveals nothing. `limitMs` is for tests.
 */
export function openBreaches(env: Pick<Env, 'BREACHED_PASSWORDS_URL'>, log: Logger, limitMs = LIMIT_MS): Breaches {
  const url = env.BREACHED_PASSWORDS_URL?.replace(/\/+$/, '')
  if (!url) return { hold: async () => false }
  return {
    async hold(password) {
      const hash = createHash('sha1').update(password, 'utf8').digest('hex').toUpperCase()
      try {
        return isInRange(await rangeOf(url, hash.slice(0, 5), limitMs), hash.slice(5))
      } catch (error) {
        log.warn({ reason: reasonOf(error, limitMs) }, 'a new password was not looked up among those of breaches')
        return false
      }
    },
  }
}

/** The hashes with the same prefix: each line holds the other 35 digits, a colon and the count. @throws Error within `limitMs` */
async function rangeOf(url: string, prefix: string, limitMs: number): Promise<string> {
  const answer = await shortAnswer(`${url}/${prefix}`, {
    headers: { 'add-padding': 'true', 'user-agent': 'Pillar' },
    signal: AbortSignal.timeout(limitMs),
  })
  if (answer.status !== 200) {
    await answer.body?.cancel()
    throw new Error(`it answered with status ${answer.status}`)
  }
  return answer.text()
}

/** Padding lines have the count 0. @throws Error if the text is not a range: an error page would otherwise pass for "not found" */
function isInRange(text: string, suffix: string): boolean {
  let found = false
  let lines = 0
  for (const line of text.split(/\r?\n/)) {
    if (line === '') continue
    const [, digits, times] = LINE.exec(line.trim()) ?? []
    if (!digits) throw new Error('its answer is not in the form of a range')
    lines++
    if (digits.toUpperCase() === suffix && Number(times) > 0) found = true
  }
  if (lines === 0) throw new Error('its answer is empty')
  return found
}

function reasonOf(error: unknown, limitMs: number): string {
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    return `it did not answer within ${limitMs / 1000} seconds`
  }
  // When a connection fails, undici puts the reason in the cause.
  const { cause, message } = error as { cause?: { code?: string }; message: string }
  return cause?.code ?? message
}
