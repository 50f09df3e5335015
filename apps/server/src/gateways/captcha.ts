import { createHmac } from 'node:crypto'
import type { Challenge } from '@pillar/contract/message/consent'
import { CAPTCHA_SECONDS } from '@pillar/domain/consent/captcha'
import { createChallenge, randomInt, verifySolution } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { z } from 'zod'
import type { Env } from '../env.ts'
import { shortAnswer } from './http-call.ts'

/** The result of checking a captcha. `once` identifies it: the caller makes sure it is used a single time. */
export type CaptchaCheck = { ok: true; once: string } | { ok: false }

/** Tells people from programs on public pages: one tick, no puzzle. */
export interface Captcha {
  readonly vendor: 'altcha' | 'hcaptcha' | 'turnstile' | 'none'
  /** Public key of a vendor's widget; null if there is none. */
  readonly siteKey: string | null
  /** A new challenge; null for vendors, whose widgets fetch their own. */
  challenge: (now: Date) => Promise<Challenge | null>
  /** Checks what the page sent. @throws Error if the vendor does not answer */
  check: (solution: string, now: Date) => Promise<CaptchaCheck>
}

/**
 * The library and older pages compare `expiresAt` with the clock of their machine, which may be wrong by so much: by the installation's
 * clock a challenge ends that much earlier.
 */
const SPARE_SECONDS = 86_400
/** Hashes per try, and tries until the solution: 0.1 to 1 second of work for a phone, one hash derivation for us. */
const COST = 2_000
const TRIES = { least: 60, most: 120 }
const VENDOR_MS = 5_000

const VERIFY = {
  hcaptcha: 'https://api.hcaptcha.com/siteverify',
  turnstile: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
} as const

/** The hosts of a vendor's widget, for the content security policy; none for our own. */
export function captchaHosts(vendor: Env['CAPTCHA']): readonly string[] {
  if (vendor === 'hcaptcha') return ['https://hcaptcha.com', 'https://*.hcaptcha.com']
  if (vendor === 'turnstile') return ['https://challenges.cloudflare.com']
  return []
}

type CaptchaEnv = Pick<Env, 'CAPTCHA' | 'CAPTCHA_SITE_KEY' | 'CAPTCHA_SECRET' | 'CAPTCHA_VERIFY_URL'>

/**
 * This installation's captcha, by CAPTCHA: altcha (our own, the default), hcaptcha, turnstile or none.
 * @throws Error with a message fit to print when a vendor's keys are missing
 */
export function openCaptcha(env: CaptchaEnv, secret: Buffer): Captcha {
  if (env.CAPTCHA === 'altcha') return altcha(secret)
  if (env.CAPTCHA === 'none') {
    return { vendor: 'none', siteKey: null, challenge: async () => null, check: async () => ({ ok: false }) }
  }
  const { CAPTCHA_SITE_KEY: siteKey, CAPTCHA_SECRET: key } = env
  if (!siteKey || !key) {
    throw new Error(
      `CAPTCHA=${env.CAPTCHA} needs the two keys of your account: set CAPTCHA_SITE_KEY and CAPTCHA_SECRET. See docs/operations.md.`,
    )
  }
  return vendorCaptcha(env.CAPTCHA, siteKey, key, env.CAPTCHA_VERIFY_URL ?? VERIFY[env.CAPTCHA])
}

const Solved = z.object({
  challenge: z.object({
    parameters: z.looseObject({
      algorithm: z.literal('PBKDF2/SHA-256'),
      cost: z.literal(COST),
      nonce: z.hex().max(64),
      salt: z.hex().max(64),
      keyLength: z.literal(32),
      keyPrefix: z.hex().max(64),
      keySignature: z.hex().max(64),
      expiresAt: z.number().int(),
    }),
    signature: z.hex().length(64),
  }),
  solution: z.object({ counter: z.number().int().min(0).max(0xffff_ffff), derivedKey: z.hex().length(64) }),
})

/** Our own ALTCHA: no visitor data leaves the server. Its secrets derive from the installation's. */
function altcha(secret: Buffer): Captcha {
  const keyed = (purpose: string) => createHmac('sha256', secret).update(`captcha:${purpose}`).digest('hex')
  const secrets = { hmacSignatureSecret: keyed('challenge'), hmacKeySignatureSecret: keyed('key') }
  return {
    vendor: 'altcha',
    siteKey: null,
    async challenge(now) {
      const made = await createChallenge({
        algorithm: 'PBKDF2/SHA-256',
        cost: COST,
        counter: randomInt(TRIES.most, TRIES.least),
        deriveKey,
        expiresAt: Math.floor(now.getTime() / 1000) + CAPTCHA_SECONDS + SPARE_SECONDS,
        ...secrets,
      })
      return made as Challenge
    },
    async check(solution, now) {
      const read = Solved.safeParse(decoded(solution))
      if (!read.success) return { ok: false }
      const { challenge, solution: found } = read.data
      if ((challenge.parameters.expiresAt - SPARE_SECONDS) * 1000 < now.getTime()) return { ok: false }
      const result = await verifySolution({ challenge, solution: found, deriveKey, ...secrets })
      return result.verified ? { ok: true, once: `altcha:${challenge.signature}` } : { ok: false }
    },
  }
}

/** Decodes the widget's format, JSON in base64. Null for anything else. */
function decoded(solution: string): unknown {
  try {
    return JSON.parse(Buffer.from(solution, 'base64').toString('utf8'))
  } catch {
    return null
  }
}

const Verdict = z.object({ success: z.boolean() })

/** hCaptcha and Turnstile use the same protocol: a form with the secret and the widget's response, and a verdict. */
function vendorCaptcha(vendor: 'hcaptcha' | 'turnstile', siteKey: string, secret: string, url: string): Captcha {
  return {
    vendor,
    siteKey,
    challenge: async () => null,
    async check(solution) {
      const answer = await shortAnswer(url, {
        method: 'POST',
        body: new URLSearchParams({ secret, response: solution, sitekey: siteKey }),
        signal: AbortSignal.timeout(VENDOR_MS),
      })
      if (!answer.ok) throw new Error(`${vendor} answered ${answer.status}`)
      const { success } = Verdict.parse(await answer.json())
      return success ? { ok: true, once: `${vendor}:${solution}` } : { ok: false }
    },
  }
}
