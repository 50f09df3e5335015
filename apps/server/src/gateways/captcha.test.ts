import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CAPTCHA_SECONDS } from '@pillar/domain/consent/captcha'
import { type Challenge, solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { readEnv } from '../env.ts'
import { captchaHosts, openCaptcha } from './captcha.ts'

const secret = Buffer.alloc(32, 7)
const NOW = new Date('2026-11-21T10:00:00Z')

/** Answers as hCaptcha and Turnstile do, and keeps the requests it gets. */
let vendor: Server
let url: string
const asked: URLSearchParams[] = []
let answer: { status: number; body: string } = { status: 200, body: '{"success": true}' }
beforeAll(async () => {
  vendor = createServer((request, reply) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      asked.push(new URLSearchParams(body))
      reply.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body)
    })
  })
  await new Promise<void>((done) => vendor.listen(0, '127.0.0.1', done))
  url = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}/siteverify`
})
afterAll(() => new Promise((done) => vendor.close(done)))

describe.each(['hcaptcha', 'turnstile'] as const)('%s', (name) => {
  const open = () =>
    openCaptcha(
      readEnv({ CAPTCHA: name, CAPTCHA_SITE_KEY: 'site', CAPTCHA_SECRET: 'key', CAPTCHA_VERIFY_URL: url }),
      secret,
    )
  it('is asked with the secret for what the widget gave', async () => {
    answer = { status: 200, body: '{"success": true, "hostname": "x"}' }
    const captcha = open()
    expect([captcha.vendor, captcha.siteKey, await captcha.challenge(NOW)]).toEqual([name, 'site', null])
    expect(await captcha.check('solved', NOW)).toEqual({ ok: true, once: `${name}:solved` })
    expect(Object.fromEntries(asked.at(-1)!)).toEqual({ secret: 'key', response: 'solved', sitekey: 'site' })
  })
  it('can refuse, and its outage is no verdict', async () => {
    answer = { status: 200, body: '{"success": false, "error-codes": ["timeout-or-duplicate"]}' }
    expect(await open().check('solved twice', NOW)).toEqual({ ok: false })
    for (const odd of [
      { status: 500, body: '' },
      { status: 503, body: '{"success": true}' },
      { status: 200, body: '<html>' },
      { status: 200, body: '{}' },
    ]) {
      answer = odd
      await expect(open().check('x', NOW)).rejects.toThrow()
    }
  })
  it('does not start without its keys', () => {
    expect(() => openCaptcha(readEnv({ CAPTCHA: name }), secret)).toThrow('CAPTCHA_SITE_KEY and CAPTCHA_SECRET')
  })
})

it('only the selected vendor’s widget hosts are allowed', () => {
  expect(captchaHosts('altcha')).toEqual([])
  expect(captchaHosts('none')).toEqual([])
  expect(captchaHosts('turnstile')).toEqual(['https://challenges.cloudflare.com'])
  for (const host of captchaHosts('hcaptcha')) expect(host).toMatch(/^https:\/\/(?:\*\.)?hcaptcha\.com$/)
})

it('every challenge is unique, so nobody uses up another person’s', async () => {
  const captcha = openCaptcha(readEnv({}), secret)
  const once = await Promise.all(
    Array.from({ length: 80 }, async () => {
      const challenge = (await captcha.challenge(new Date()))!
      const solution = await solveChallenge({ challenge: challenge as unknown as Challenge, deriveKey })
      const sent = Buffer.from(JSON.stringify({ challenge, solution })).toString('base64')
      return JSON.stringify(await captcha.check(sent, new Date()))
    }),
  )
  expect(once.every((one) => one.startsWith('{"ok":true'))).toBe(true)
  expect(new Set(once).size).toBe(80)
})

it('a challenge is worth nothing after it expires, by the installation’s clock', async () => {
  const captcha = openCaptcha(readEnv({}), secret)
  const made = Math.floor(Date.now() / 1000)
  const challenge = (await captcha.challenge(new Date(made * 1000))) as unknown as Challenge
  const found = await solveChallenge({ challenge, deriveKey })
  const solution = Buffer.from(JSON.stringify({ challenge, solution: found })).toString('base64')
  const after = (seconds: number) => new Date((made + seconds) * 1000)
  expect(await captcha.check(solution, after(CAPTCHA_SECONDS))).toMatchObject({ ok: true })
  expect(await captcha.check(solution, after(CAPTCHA_SECONDS + 1))).toEqual({ ok: false })
})

it.each([-12, 12])('a machine whose clock is %i hours off takes the ticks of people all the same', async (hours) => {
  const captcha = openCaptcha(readEnv({}), secret)
  const now = new Date()
  const challenge = (await captcha.challenge(now)) as unknown as Challenge
  const found = await solveChallenge({ challenge, deriveKey })
  const solution = Buffer.from(JSON.stringify({ challenge, solution: found })).toString('base64')
  vi.useFakeTimers({ toFake: ['Date'], now: now.getTime() + hours * 3_600_000 })
  try {
    expect(await captcha.check(solution, now)).toMatchObject({ ok: true })
  } finally {
    vi.useRealTimers()
  }
})

it('challenges of another installation are worth nothing', async () => {
  const ours = openCaptcha(readEnv({}), secret)
  const theirs = openCaptcha(readEnv({}), Buffer.alloc(32, 8))
  const challenge = (await ours.challenge(new Date())) as unknown as Challenge
  const found = await solveChallenge({ challenge, deriveKey })
  const solution = Buffer.from(JSON.stringify({ challenge, solution: found })).toString('base64')
  expect(await ours.check(solution, new Date())).toMatchObject({ ok: true })
  expect(await theirs.check(solution, new Date())).toEqual({ ok: false })
  expect(await openCaptcha(readEnv({ CAPTCHA: 'none' }), secret).check(solution, new Date())).toEqual({ ok: false })
})
