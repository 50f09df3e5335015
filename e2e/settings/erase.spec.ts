import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, type Locator, type Page, test } from '@playwright/test'
import { dialog } from '../support/dialog.ts'
import { addPharmacy, upload } from '../support/install.ts'
import { open } from '../support/people.ts'
import { writeRecord } from '../support/record.ts'
import { confirm, unique } from '../support/settings.ts'

const NOBODY = 'This pharmacy has no patient with that number and last name. Nothing was erased.'

/** A company with one pharmacy. @returns a function that uploads its only patient, 7001, Ida Bluebush */
async function bringPatient(company: string, pharmacy: string): Promise<() => Promise<{ code: number; out: string }>> {
  const key = await addPharmacy(company, pharmacy, '2204')
  const folder = await writeRecord([{ script: '1', patient: '7001', paid: '7.70' }])
  const patients = ['patient_id,first_name,last_name,sex,date_of_birth', '7001,Ida,Bluebush,F,1956-04-04']
  await writeFile(join(folder, 'patients.csv'), `${patients.join('\n')}\n`)
  return () => upload(key, 'canonical', folder)
}

async function eraseDialog(page: Page, pharmacy: string): Promise<Locator> {
  await page.getByRole('button', { name: `More about ${pharmacy}` }).click()
  await page.getByRole('menuitem', { name: 'Erase a patient' }).click()
  return dialog(page, 'Erase a patient')
}

async function ask(page: Page, asked: Locator, lastName: string): Promise<void> {
  await asked.getByLabel('Patient number').fill('7001')
  await asked.getByLabel('Last name').fill(lastName)
  await asked.getByLabel('Reason').fill('Asked by letter, 3 November')
  await asked.getByRole('button', { name: 'Erase…' }).click()
  await expect(page.getByRole('heading', { name: `Erase patient 7001, ${lastName}, of ` })).toBeVisible()
  await confirm(page, 'Erase for good')
}

test('support erases a patient on request; a wrong name erases nobody, and a later upload brings nobody back', {
  tag: '@main',
}, async ({ page }) => {
  const [company, pharmacy] = [unique('Bluebush Group'), unique('Bluebush')]
  const send = await bringPatient(company, pharmacy)
  expect(await send()).toMatchObject({ code: 0 })
  await open(page, `/settings?find=${encodeURIComponent(company)}`, 'support')
  const details = page.getByRole('button', { name: /^Details of/ })
  await details.first().click()

  const asked = await eraseDialog(page, pharmacy)
  await asked.getByRole('button', { name: 'Erase…' }).click()
  await expect(asked.getByText(/enter the patient’s number/i).first()).toBeVisible()
  await expect(asked.getByText('Enter a reason', { exact: true })).toBeVisible()
  await ask(page, asked, 'Saltbush')
  await expect(page.getByText(NOBODY)).toBeVisible()
  await page.getByRole('button', { name: 'Back' }).click()
  await ask(page, asked, 'Bluebush')
  await expect(page.getByText('Patient erased').first()).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)

  expect(await send()).toMatchObject({ code: 0 })
  await ask(page, await eraseDialog(page, pharmacy), 'Bluebush')
  await expect(page.getByText(NOBODY)).toBeVisible()
})

test('no data of a patient being erased stays in the browser when the session ends', async ({ page }) => {
  const [company, pharmacy] = [unique('Sheoak Group'), unique('Sheoak')]
  await addPharmacy(company, pharmacy, '2204')
  await open(page, `/settings?find=${encodeURIComponent(company)}`, 'support')
  await page
    .getByRole('button', { name: /^Details of/ })
    .first()
    .click()
  const asked = await eraseDialog(page, pharmacy)
  await page.route('**/api/**', (route) =>
    route.fulfill({
      status: 401,
      json: { code: 'session_expired', message: 'Your session has expired. Please sign in again.' },
    }),
  )
  await ask(page, asked, 'Bluebush')
  await expect(page).toHaveURL(/\/login/)
  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))
  expect(kept).not.toContain('Bluebush')
})
