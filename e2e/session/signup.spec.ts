import { REGISTERED } from '@pillar/domain/signup/signup'
import { expect, type Page, test } from '@playwright/test'
import { solve } from '../../apps/web/src/public/patient/captcha-solver.ts'
import { expectAccessible } from '../support/axe.ts'
import { dialog } from '../support/dialog.ts'
import { open } from '../support/people.ts'
import { confirm } from '../support/settings.ts'

test.setTimeout(90_000)
const PASSWORD = 'seven pelicans near Coorong'

test('a visitor signs up and confirms the address, support creates the account, and the person signs in', {
  tag: '@main',
}, async ({ page, browser }) => {
  const stamp = `${test.info().workerIndex}${Date.now() % 10_000_000}`
  const [username, pharmacy] = [`wren${stamp}`, `Wren Pharmacy ${stamp}`]
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, colorScheme: 'dark' })
  const visitor = await context.newPage()
  await visitor.goto('/calculator')
  await expect(visitor).toHaveTitle('Calculator - Pillar')
  await expect(visitor.getByText(/for community pharmacies in Australia/)).toBeVisible()
  await expect(visitor.getByText(/GeoNames/)).toBeVisible()
  await expectAccessible(visitor, 'sign-up, dark')
  const go = visitor.getByRole('button', { name: 'Sign Up' })
  await expect(go).toHaveAccessibleDescription('Agree to the Privacy Policy and tick “I am a person” to sign up.')
  await visitor.getByLabel(/I have read and agree/).check()
  await visitor.getByRole('checkbox', { name: 'I am a person' }).click()
  await expect(visitor.getByText('Checked, thank you')).toBeVisible()
  await go.click()
  await expect(visitor.getByRole('alert')).toContainText('Please enter a first name, enter a last name')
  await expect(visitor.getByLabel('First name')).toBeFocused()
  // The sentence is two screens below the first field on a phone.
  await expect(visitor.getByLabel('First name')).toHaveAccessibleDescription('Please enter a first name.')
  await expect(visitor.getByText('Please select your dispensing software.', { exact: true })).toBeVisible()

  await visitor.getByLabel('First name').fill('Robin')
  await visitor.getByLabel('Last name').fill('Wren')
  await visitor.getByLabel('Email', { exact: true }).fill(`${username}@mail.example`)
  await visitor.getByLabel('Username').fill(username)
  await visitor.getByLabel('Pharmacy name').fill(pharmacy)
  await visitor.getByLabel('Pharmacy phone').fill('03 5550 1234')
  await visitor.getByLabel('Dispensing software').selectOption('Corum Clear')
  await expect(visitor.getByText('Corum Clear is not currently supported.')).toBeVisible()
  await visitor.getByLabel('Dispensing software').selectOption('Minfos')
  await expect(visitor.getByText(/sensitive-data access form/)).toBeVisible()
  const search = visitor.getByRole('combobox', { name: 'Find your suburb or postcode' })
  await search.fill('ballarat 335')
  await expect(visitor.getByRole('listbox', { name: 'Addresses' }).getByRole('option').first()).toBeVisible()
  await search.press('ArrowDown')
  await search.press('Enter')
  await expect(visitor.getByLabel('Postcode', { exact: true })).toHaveValue(/^335\d$/)
  await expect(visitor.getByLabel('State')).toHaveValue('VIC')
  await visitor.getByLabel('Street address').fill('12 Sturt Street')
  // After reading the policy, the form is still filled in.
  await visitor
    .getByLabel(/I have read and agree/)
    .locator('xpath=..')
    .getByRole('link', { name: 'Privacy Policy' })
    .click()
  await expect.poll(() => context.pages().length).toBe(2)
  await expect(visitor.getByLabel('First name')).toHaveValue('Robin')
  await visitor.setViewportSize({ width: 320, height: 640 })
  expect(await visitor.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  await go.click()
  await expect(visitor.getByText(REGISTERED)).toBeVisible()
  await expect(visitor.getByRole('link', { name: 'Return Home' })).toBeVisible()

  await visitor.goto('/outbox')
  const letter = visitor
    .getByRole('article')
    .filter({ hasText: `${username}@mail.example` })
    .first()
  await expect(letter).toContainText('/calculator/')
  const link = /\/calculator\/[\w-]{43}/.exec((await letter.textContent()) ?? '')?.[0] ?? ''
  await visitor.goto(link)
  await expect(visitor.getByRole('heading', { name: 'Choose your password' })).toBeVisible()
  await expectAccessible(visitor, 'password, dark')
  await visitor.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await visitor.getByLabel('Confirm Password').fill(PASSWORD)
  await visitor.getByRole('button', { name: 'Submit' }).click()
  await expect(visitor.getByText(/Your email address is confirmed/)).toBeVisible()
  await visitor.goto(link)
  await expect(visitor.getByRole('heading', { name: 'This link does not work' })).toBeVisible()

  await open(page, '/settings?tab=0&list=signups', 'support')
  const queued = page.getByRole('row').filter({ hasText: pharmacy })
  await expect(queued).toContainText('Access form needed')
  await expectAccessible(page, 'the queue of sign-ups')
  await queued.getByRole('button', { name: /^Create account/ }).click()
  const form = dialog(page, 'Create account')
  await expect(form.getByLabel('No Guild consent')).toBeChecked()
  await form.getByRole('button', { name: 'Create account' }).click()
  await confirm(page, 'Create account')
  await expect(page.getByText('Account created').first()).toBeVisible()
  await expect(queued).toHaveCount(0)

  const answer = await visitor.request.post('/api/enterprise-login', { data: { name: username, password: PASSWORD } })
  expect([answer.status(), ((await answer.json()) as { sixty_day_signup: boolean }).sixty_day_signup]).toEqual([
    200,
    true,
  ])
  await context.close()
})

test('addresses found after a visitor has moved on do not open above the field they type in', async ({ page }) => {
  await page.goto('/calculator')
  const search = page.getByRole('combobox', { name: /^Find your/ })
  await search.pressSequentially('Wollongong')
  const found = page.getByRole('listbox', { name: 'Addresses' }).getByRole('option')
  await expect(found.first()).toBeVisible()
  await page.route('**/api/signup/places', async (route) => {
    await new Promise((done) => setTimeout(done, 500))
    await route.continue()
  })
  const late = page.waitForResponse('**/api/signup/places')
  const asked = page.waitForRequest('**/api/signup/places')
  await search.press('Backspace')
  await asked
  await page.getByLabel('Street address').focus()
  await (await late).finished()
  await page.waitForTimeout(200)
  await expect(search).toHaveAttribute('aria-expanded', 'false')
  await expect(found).toHaveCount(0)
})

/** Signs somebody up as the page does. @returns the path of the mailed link */
async function signedUp(page: Page, username: string): Promise<string> {
  const { challenge } = await (await page.request.post('/api/captcha-challenge', { data: {} })).json()
  const data = {
    ...{ username, email: `${username}@mail.example`, first_name: 'Robin', last_name: 'Wren', sources: ['fred'] },
    ...{ pharmacy_name: `Wren ${username}`, pharmacy_phone: '03 5550 1234', street_address: '12 Sturt Street' },
    ...{ town: 'Ballarat', region: 'VIC', postcode: '3350', country_name: 'Australia' },
    ...{ privacy_statement: true, email_marketing: false, captcha: await solve(challenge) },
  }
  expect((await page.request.post('/api/signup', { data })).status()).toBe(200)
  await page.goto('/outbox')
  const letter = page.getByRole('article').filter({ hasText: `${username}@mail.example` })
  return new URL((await letter.getByRole('link').getAttribute('href')) ?? '').pathname
}

test('whoever got no answer to the password they chose is not told to sign up again', async ({ page }) => {
  await page.goto(await signedUp(page, `wren-lost-${Date.now()}`))
  await page.route(
    '**/api/signup/confirm',
    async (route) => {
      await route.fetch()
      await route.fulfill({ status: 504, contentType: 'text/html', body: '<h1>504 Gateway Time-out</h1>' })
    },
    { times: 1 },
  )
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Confirm Password').fill(PASSWORD)
  const submit = page.getByRole('button', { name: 'Submit' })
  await submit.click()
  await expect(page.getByRole('alert')).toContainText('may or may not have been confirmed. Try again.')
  await submit.click()
  await expect(page.getByRole('alert')).toContainText('there is nothing more to do: we email you when')
})
