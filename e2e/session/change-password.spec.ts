import { expect, type Page, test } from '@playwright/test'
import { expectAccessibleInBoth } from '../support/axe.ts'
import { addPerson } from '../support/install.ts'
import { fillIn, loseCookies, open, PASSWORD } from '../support/people.ts'

const OWN = 'Saltbush Pharmacy Group'
const heading = (page: Page) => page.getByRole('heading', { name: 'Choose a new password' })
const field = (page: Page, label: string) => page.getByLabel(label, { exact: true })

/** A person whose password somebody else set. */
async function newcomer(country: 'AU' | 'GB' = 'AU', company = OWN): Promise<string> {
  const name = `newcomer-${Date.now()}-${test.info().parallelIndex}`
  await addPerson(company, country, name, true)
  return name
}

async function choose(page: Page, current: string, password: string, confirmation = password): Promise<void> {
  await field(page, 'Current password').fill(current)
  await field(page, 'New password').fill(password)
  await field(page, 'Confirm new password').fill(confirmation)
  await page.getByRole('button', { name: 'Change password' }).click()
}

test('a password that someone else set is replaced before anything else, whatever the address', {
  tag: '@main',
}, async ({ page }) => {
  const name = await newcomer()
  const fresh = `quandong on the hill ${Date.now()}`
  await page.goto('/login')
  await fillIn(page, name, PASSWORD)
  await expect(page).toHaveURL('/change-password')
  await expect(page).toHaveTitle('Change Password - Pillar')
  await expect(heading(page)).toBeVisible()
  await expect(page.getByText('Someone else chose your password.')).toBeVisible()
  await expect(field(page, 'Current password')).toBeFocused()
  for (const path of ['/', '/financials?statistic=loyalty', '/campaigns']) {
    await page.goto(path)
    await expect(page).toHaveURL('/change-password')
  }

  await choose(page, PASSWORD, 'short')
  await expect(page.getByRole('alert')).toHaveText(/15 characters/)
  await expectAccessibleInBoth(page, 'change password')
  await choose(page, PASSWORD, fresh, `${fresh}!`)
  await expect(page.getByRole('alert')).toHaveText(/The two passwords are not the same/)
  await expect(field(page, 'Confirm new password')).toBeFocused()
  await choose(page, PASSWORD, PASSWORD)
  await expect(page.getByRole('alert')).toHaveText(/The new password is the current one/)
  await expect(field(page, 'New password')).toBeFocused()
  await choose(page, 'not the password', fresh)
  await expect(page.getByRole('alert')).toHaveText(/The current password is not right/)
  await expect(field(page, 'Current password')).toBeFocused()

  await choose(page, PASSWORD, fresh)
  await expect(page.getByText('Password changed. Opening the portal...')).toBeVisible()
  await expect(page).toHaveURL('/financials')
  await expect(page.getByRole('heading', { name: 'Financials' })).toBeVisible()
  await page.goto('/campaigns')
  await expect(page.getByRole('heading', { name: 'Campaigns', exact: true })).toBeVisible()

  await loseCookies(page)
  await page.goto('/login')
  await fillIn(page, name, PASSWORD)
  await expect(page.getByRole('alert')).toHaveText('Incorrect username or password.')
  await fillIn(page, name, fresh)
  await expect(page).toHaveURL('/campaigns')
})

test('after an answer that was lost, a person who tries again is not left with a wrong current password', async ({
  page,
}) => {
  const name = await newcomer()
  const fresh = `bottlebrush by the gate ${Date.now()}`
  await page.goto('/login')
  await fillIn(page, name, PASSWORD)
  await expect(heading(page)).toBeVisible()
  await page.route(
    '**/api/user/change-password',
    async (route) => {
      await route.fetch()
      await route.abort()
    },
    { times: 1 },
  )
  await choose(page, PASSWORD, fresh)
  await expect(page.getByRole('alert')).toContainText('may or may not have been changed')
  await choose(page, PASSWORD, fresh)
  await expect(page.getByRole('alert')).toContainText('try to sign in with the new one')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await fillIn(page, name, fresh)
  await expect(page).toHaveURL('/financials')
})

test('the form works by keyboard alone', async ({ page }) => {
  const name = await newcomer()
  const fresh = `wattle and ironbark ${Date.now()}`
  await page.goto('/login')
  await expect(page.getByLabel('Username or email')).toBeFocused()
  await page.keyboard.type(name)
  await page.keyboard.press('Tab')
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(heading(page)).toBeVisible()
  for (const text of [PASSWORD, fresh, fresh]) {
    await page.keyboard.type(text)
    // The Show button of each field is in between.
    await page.keyboard.press('Tab')
    await expect(page.getByRole('button', { name: /^Show / }).and(page.locator(':focus'))).toHaveCount(1)
    await page.keyboard.press('Tab')
  }
  await expect(page.getByRole('button', { name: 'Change password' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/financials')
})

test('signing out instead leaves everything unchanged', async ({ page }) => {
  const name = await newcomer()
  await page.goto('/login')
  await fillIn(page, name, PASSWORD)
  await expect(heading(page)).toBeVisible()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page).toHaveURL('/login')
  expect((await page.request.post('/api/refresh', { data: {} })).status()).toBe(401)
  await fillIn(page, name, PASSWORD)
  await expect(page).toHaveURL('/change-password')
})

test('a country keeps its path, a visitor is sent to the login, and others find their way back', async ({ page }) => {
  const name = await newcomer('GB', `Dover Chemists ${Date.now()}`)
  await page.goto('/en_gb/login')
  await fillIn(page, name, PASSWORD)
  await expect(page).toHaveURL('/en_gb/change-password')
  await choose(page, PASSWORD, `white cliffs and gulls ${Date.now()}`)
  await expect(page).toHaveURL('/en_gb/financials')

  await loseCookies(page)
  await page.goto('/change-password')
  await expect(page).toHaveURL('/login')
  await expect(page.getByLabel('Username or email')).toBeVisible()
  await expect(page.getByText('expired')).toHaveCount(0)

  await open(page, '/change-password')
  await expect(heading(page)).toBeVisible()
  await expect(page.getByText('Someone else')).toHaveCount(0)
  await page.getByRole('button', { name: 'Back to the portal' }).click()
  await expect(page).toHaveURL('/financials')
})
