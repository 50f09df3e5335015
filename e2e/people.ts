import { type APIRequestContext, expect, type Page } from '@playwright/test'

export const PASSWORD = 'Pillar-demo-2026'

/** Signs in without the form and opens a page of the portal. The form itself is tested in sign-in.spec.ts. */
export async function open(page: Page, path = '/financials', name = 'headoffice', password = PASSWORD): Promise<void> {
  await tokenOf(page.request, name, password)
  await page.goto(path)
}

/** Signs in over the wire; the cookies stay with the request context, and so with its page. @returns the access token */
export async function tokenOf(request: APIRequestContext, name = 'headoffice', password = PASSWORD): Promise<string> {
  const answer = await request.post('/api/enterprise-login', { data: { name, password } })
  expect(answer.status(), await answer.text()).toBe(200)
  return ((await answer.json()) as { access_token: string }).access_token
}

/** Fills in the sign-in form and sends it. */
export async function fillIn(page: Page, name: string, password: string): Promise<void> {
  await page.getByLabel('Username or email').fill(name)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}
