import { expect, type Route, test } from '@playwright/test'
import { codeAt } from '../../apps/server/test/authenticator.ts'
import { makeNetwork } from '../support/messaging.ts'
import { PASSWORD, signInAs } from '../support/people.ts'

const losing = async (route: Route) => {
  await route.fetch()
  await route.abort()
}

test('an app whose switching on got no answer is shown as on, and codes nobody has seen can be replaced', async ({
  page,
}) => {
  const { username } = await makeNetwork()
  await signInAs(page, username)
  await page.goto('/second-factor')
  await page.getByRole('button', { name: 'Set up' }).click()
  const secret = (await page.locator('code').textContent())!.replaceAll(' ', '')
  await page.route('**/api/second-factor/app/confirm', losing, { times: 1 })
  await page.getByLabel('Code', { exact: true }).fill(codeAt(secret, Date.now() / 1000))
  await page.getByRole('button', { name: 'Switch it on' }).click()
  await expect(page.getByRole('alert')).toContainText('it may or may not have been done.')
  await expect(page.getByText('Authenticator app On')).toBeVisible()
  await expect(page.getByText('10 left')).toBeVisible()

  await page.getByRole('button', { name: 'Get new codes' }).click()
  await page.getByRole('button', { name: 'Get new codes' }).click()
  const password = page.getByLabel('Password', { exact: true })
  const codes = page.getByRole('listitem').filter({ hasText: /^[2-9A-Z]{5}-[2-9A-Z]{5}$/ })
  await expect(password.or(codes.first())).toBeVisible()
  if (await password.isVisible()) {
    await password.fill(PASSWORD)
    await page.keyboard.press('Enter')
  }
  await expect(codes).toHaveCount(10)
})
