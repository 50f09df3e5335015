import { type Browser, expect, type Page, test } from '@playwright/test'
import { dialog } from '../support/dialog.ts'
import { grid } from '../support/grid.ts'
import { upload } from '../support/install.ts'
import { fillIn, open } from '../support/people.ts'
import { writeRecord } from '../support/record.ts'
import { confirm, unique } from '../support/settings.ts'

test.setTimeout(120_000)

const PHARMACY = 'Bottlebrush North'
const stepOf = (page: Page, name: string) =>
  page.getByRole('heading').getByRole('button', { name: new RegExp(`^(\\d|Done) ${name}`) })

test('from Create Account to the first upload in Financials', { tag: '@main' }, async ({ page, browser }) => {
  const company = unique('Bottlebrush Chemists')
  const owner = `olive${Date.now()}`
  await open(page, '/settings', 'support')
  await page.getByRole('button', { name: 'Create Account' }).click()
  await createCompany(page, company, owner)
  await createPharmacy(page)
  const key = await showKey(page)
  await linkAndWelcome(page, owner)
  const theirs = await acceptInvitation(browser, owner)
  // Signed in before any upload.
  await expect(theirs.getByRole('heading', { name: 'Nothing has been uploaded yet' })).toBeVisible()

  const supplies = [
    { script: '1', patient: 'A', paid: '7.70' },
    { script: '2', patient: 'B', paid: '31.60' },
  ]
  const sent = await upload(key, 'canonical', await writeRecord(supplies), '--initial')
  expect(sent.code, sent.out).toBe(0)
  await theirs.reload()
  // 7.70 + 31.60 from patients, 2 × 10.00 from the government.
  const total = grid(theirs).getByRole('row', { name: /^TOTAL/ })
  await expect(total.getByRole('gridcell').first()).toHaveText(/^\$592 2 scripts\./)
  await expect(grid(theirs).getByRole('row', { name: new RegExp(PHARMACY) })).toBeVisible()
  await theirs.context().close()
})

async function createCompany(page: Page, company: string, owner: string): Promise<void> {
  await dialog(page, 'Create Account').getByRole('button', { name: 'Create Company' }).click()
  const form = dialog(page, 'Create company')
  await form.getByLabel('Company name').fill(company)
  await form.getByLabel('Username').fill(owner)
  await form.getByLabel('Email').fill(`${owner}@mail.example`)
  await form.getByLabel('First name').fill('Olive')
  await form.getByLabel('Last name').fill('Owner')
  await form.getByRole('button', { name: 'Create' }).click()
  await confirm(page, 'Create company')
  const wizard = dialog(page, `Create Account: ${company}`)
  await expect(wizard.getByRole('row', { name: /Olive Owner/ })).toContainText('Invited')
}

async function createPharmacy(page: Page): Promise<void> {
  await stepOf(page, 'Locations').click()
  await page
    .getByRole('dialog', { name: /Create Account/ })
    .getByRole('button', { name: 'Create Pharmacy' })
    .click()
  const form = dialog(page, 'Create pharmacy')
  await form.getByLabel('Name', { exact: true }).fill(PHARMACY)
  await form.getByLabel('Find the suburb').fill('3350')
  await page.getByRole('option', { name: 'Ballarat Central VIC 3350' }).click()
  await form.getByRole('button', { name: 'Create' }).click()
  await confirm(page, 'Create pharmacy')
  await expect(page.getByText('Pharmacy Created Successfully')).toBeVisible()
}

/** The upload key, which support reads out to the pharmacy. */
async function showKey(page: Page): Promise<string> {
  const wizard = dialog(page, /Create Account/)
  await wizard.getByRole('button', { name: `Details of ${PHARMACY}` }).click()
  const keys = page.getByRole('region', { name: 'Upload keys' })
  await keys.getByRole('button', { name: /^Show pillar_upload_/ }).click()
  await confirm(page, 'Show key')
  const key = keys.locator('code').filter({ hasText: /^pillar_upload_[0-9A-Za-z]{49}$/ })
  return (await key.textContent()) ?? ''
}

async function linkAndWelcome(page: Page, owner: string): Promise<void> {
  const wizard = dialog(page, /Create Account/)
  await stepOf(page, 'Link Users').click()
  await wizard.getByRole('button', { name: /^Users .*Select users/ }).click()
  await page.getByRole('option', { name: /Olive Owner/ }).click()
  await page.keyboard.press('Escape')
  await wizard.getByRole('button', { name: /^Locations .*Select locations/ }).click()
  await page.getByRole('option', { name: new RegExp(PHARMACY) }).click()
  await page.keyboard.press('Escape')
  await wizard.getByRole('button', { name: 'Link Users', exact: true }).last().click()
  await confirm(page, 'Link users')
  await expect(page.getByText('Locations Linked Successfully')).toBeVisible()
  await stepOf(page, 'Onboarding').click()
  await expect(wizard.getByLabel(`${owner}, ${PHARMACY}`)).toBeChecked()
  await wizard.getByRole('button', { name: 'Send 1 welcome email' }).click()
  await confirm(page, 'Send 1 welcome email')
  await expect(page.getByText('Welcome Email Sent Successfully')).toBeVisible()
  await wizard.getByRole('button', { name: 'Done', exact: true }).click()
}

/** Opens the one-time link of the welcome letter in a separate browser, chooses a password and signs in. */
async function acceptInvitation(browser: Browser, owner: string): Promise<Page> {
  const password = `four galahs at ${owner}'s gate`
  const page = await (await browser.newContext()).newPage()
  const link = page
    .getByRole('article')
    .filter({ hasText: `${owner}@mail.example` })
    .filter({ hasText: 'Welcome to' })
    .getByRole('link')
  await expect(async () => {
    await page.goto('/outbox')
    await expect(link).toHaveCount(1, { timeout: 2_000 })
  }).toPass()
  await link.click()
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Confirm Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(page).toHaveURL('/login')
  await fillIn(page, owner, password)
  await expect(page).toHaveURL(/\/financials/)
  return page
}
