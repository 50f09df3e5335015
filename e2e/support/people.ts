import { choiceAt } from '@pillar/domain/time/period'
import { dayIn } from '@pillar/domain/time/zone'
import { type Cookie, expect, type Page } from '@playwright/test'

export const PASSWORD = 'Pillar-demo-2026'

/** Makes the same calls as the screen, as the same person. */
export type Ask = <T>(path: string, input: object, headers?: Record<string, string>) => Promise<T>

/** Signs in without the form and opens a page of the portal. sign-in.spec.ts tests the form itself. */
export async function open(page: Page, path = '/financials', name = 'headoffice'): Promise<Ask> {
  const ask = await signInAs(page, name)
  await page.goto(path)
  return ask
}

/** Signs in and opens no page yet: opening one takes two seconds of processor time. */
export async function signInAs(page: Page, name = 'headoffice'): Promise<Ask> {
  const token = await tokenOf(page, name)
  return async <T>(asked: string, input: object, headers: Record<string, string> = {}) => {
    const answer = await page.request.post(`/api/${asked}`, {
      headers: { authorization: `Bearer ${token}`, ...headers },
      data: input,
    })
    expect(answer.status(), await answer.text()).toBe(200)
    return (await answer.json()) as T
  }
}

/** The cookies of people this worker has signed in: checking a password takes a tenth of a second of CPU time. */
const signedIn = new Map<string, Cookie[]>()

/**
 * Continues this worker's session of a person, or signs in over the wire if there is none or a test has ended it. The cookies stay with the page.
 * @returns the access token
 */
async function tokenOf(page: Page, name: string): Promise<string> {
  const { request } = page
  await page.context().addCookies(signedIn.get(name) ?? [])
  const kept = signedIn.has(name) ? await request.post('/api/refresh', { data: {} }) : null
  const answer = kept?.ok() ? kept : await request.post('/api/enterprise-login', { data: { name, password: PASSWORD } })
  expect(answer.status(), await answer.text()).toBe(200)
  signedIn.set(name, await page.context().cookies())
  return ((await answer.json()) as { access_token: string }).access_token
}

/** Drops the cookies as if the browser had lost them. An open page would answer that by going to the sign-in itself, or bring them back. */
export async function loseCookies(page: Page): Promise<void> {
  await page.goto('about:blank')
  await page.context().clearCookies()
}

/** Fills in the sign-in form and sends it. */
export async function fillIn(page: Page, name: string, password: string): Promise<void> {
  await page.getByLabel('Username or email').fill(name)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** The running financial year, the filters' default: the demo network's pharmacies are in Australia. */
export const RUNNING = choiceAt('AU', 'year', dayIn('Australia/Sydney', new Date()))
