import { choiceAt } from '@pillar/domain/time/period'
import { dayIn } from '@pillar/domain/time/zone'
import { type APIRequestContext, expect, type Page } from '@playwright/test'

export const PASSWORD = 'Pillar-demo-2026'

/** Asks the server what the screen asks it, as the same person. */
export type Ask = <T>(path: string, input: object) => Promise<T>

/** Signs in without the form and opens a page of the portal. The form itself is tested in sign-in.spec.ts. */
export async function open(page: Page, path = '/financials', name = 'headoffice'): Promise<Ask> {
  const token = await tokenOf(page.request, name)
  await page.goto(path)
  return async <T>(asked: string, input: object) => {
    const answer = await page.request.post(`/api/${asked}`, {
      headers: { authorization: `Bearer ${token}` },
      data: input,
    })
    expect(answer.status(), await answer.text()).toBe(200)
    return (await answer.json()) as T
  }
}

/** Signs in over the wire; the cookies stay with the request context, and so with its page. @returns the access token */
async function tokenOf(request: APIRequestContext, name: string): Promise<string> {
  const answer = await request.post('/api/enterprise-login', { data: { name, password: PASSWORD } })
  expect(answer.status(), await answer.text()).toBe(200)
  return ((await answer.json()) as { access_token: string }).access_token
}

/** Fills in the sign-in form and sends it. */
export async function fillIn(page: Page, name: string, password: string): Promise<void> {
  await page.getByLabel('Username or email').fill(name)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** The running financial year, as the filters start: the demo network's pharmacies are in Australia. */
export const RUNNING = choiceAt('AU', 'year', dayIn('Australia/Sydney', new Date()))
