import { expect, type Page, test } from '@playwright/test'
import { addPerson } from '../support/install.ts'
import { fillIn, PASSWORD } from '../support/people.ts'

const SENT = 'If the username you entered exists, you will receive an email with a link to reset your password.'
const DONE = 'Password successfully reset! Redirecting to Login...'

/** Requests a link as the login page offers it. */
async function ask(page: Page, name: string): Promise<void> {
  await page.goto('/login')
  await page.getByRole('button', { name: 'Forgot password?' }).click()
  await page.getByLabel('Username or email').fill(name)
  await page.getByRole('button', { name: 'Send the link' }).click()
  await expect(page.getByRole('status')).toHaveText(SENT)
}

async function submit(page: Page, password: string, confirmation = password): Promise<void> {
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Confirm Password', { exact: true }).fill(confirmation)
  await page.getByRole('button', { name: 'Submit' }).click()
}

test('a forgotten password is reset with a mailed link, once', { tag: '@main' }, async ({ page }) => {
  // A separate person: nobody else may have the old password afterwards.
  const name = `reset-${Date.now()}`
  const fresh = `sugar gum creek ${Date.now()}`
  await addPerson('Saltbush Pharmacy Group', 'AU', name)
  await ask(page, name)
  await page.getByRole('button', { name: 'Back to sign in' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()

  const link = page
    .getByRole('article')
    .filter({ hasText: `${name}@e2e.example` })
    .getByRole('link')
  await expect(async () => {
    await page.goto('/outbox')
    await expect(page.getByText('This installation has no mail server.')).toBeVisible()
    await expect(link).toHaveCount(1, { timeout: 2_000 })
  }).toPass()
  await expect(page).toHaveTitle('Outbox - Pillar')
  const address = (await link.getAttribute('href')) ?? ''
  await link.click()
  // An invitation leads here too, so the page speaks of no reset before it is done.
  await expect(page).toHaveTitle('Choose Password - Pillar')
  await expect(page.getByRole('heading', { name: 'Choose your password' })).toBeVisible()

  await submit(page, 'short')
  await expect(page.getByRole('alert')).toHaveText(/^\s*Warning: .*15 characters/)
  await submit(page, fresh, `${fresh}!`)
  await expect(page.getByRole('alert')).toHaveText(/Warning: The two passwords are not the same/)
  await submit(page, 'pharmacypassword')
  await expect(page.getByRole('alert')).toHaveText(/Warning: /)

  await submit(page, fresh)
  await expect(page.getByText(DONE)).toBeVisible()
  await expect(page).toHaveURL('/login')
  await fillIn(page, name, PASSWORD)
  await expect(page.getByRole('alert')).toHaveText('Incorrect username or password.')
  await fillIn(page, name, fresh)
  await expect(page).toHaveURL('/financials')

  await page.goto(address)
  await expect(page.getByRole('alert')).toHaveText(
    'Warning: This reset link has expired or been used. Request a new one.',
  )
  await expect(page.getByLabel('Password', { exact: true })).toHaveCount(0)
  await page.getByRole('link', { name: 'Request a new link' }).click()
  await expect(page.getByRole('heading', { name: 'Forgot password' })).toBeVisible()
})

test('a name that does not exist gets the same sentence and no letter', async ({ page }) => {
  const name = `stranger-${Date.now()}`
  const known = `known-${Date.now()}`
  await addPerson('Saltbush Pharmacy Group', 'AU', known)
  await ask(page, name)
  await ask(page, known)
  // Once the letter for the later request has arrived, one for the stranger would have, too.
  await expect(async () => {
    await page.goto('/outbox')
    await expect(page.getByRole('article').filter({ hasText: known })).toHaveCount(1, { timeout: 2_000 })
  }).toPass()
  await expect(page.getByText(name)).toHaveCount(0)
})

test('an empty name is reported', async ({ page }) => {
  await page.goto('/login')
  await page.getByRole('button', { name: 'Forgot password?' }).click()
  await page.getByRole('button', { name: 'Send the link' }).click()
  await expect(page.getByRole('alert')).toHaveText('Please enter your username.')
})
