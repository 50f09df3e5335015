import { expect, test } from '@playwright/test'
import { dialog } from '../support/dialog.ts'
import { open } from '../support/people.ts'

test('Back closes what is open over the page, and the page stays; the next one leaves it', async ({ page }) => {
  await open(page, '/campaigns')
  await page.getByRole('link', { name: 'Financials', exact: true }).click()
  const filters = dialog(page, 'Filter Category')
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await expect(filters).toBeVisible()
  await page.goBack()
  await expect(filters).toBeHidden()
  await expect(page).toHaveURL(/\/financials/)

  const drawer = dialog(page, /pharmacies$/)
  await page.getByRole('button', { name: /^Revenue: how/ }).click()
  await expect(drawer).toBeVisible()
  await page.goBack()
  await expect(drawer).toBeHidden()
  await expect(page).toHaveURL(/\/financials/)
  await page.goBack()
  await expect(page).toHaveURL(/\/campaigns/)
})

test('Back from a form asks before anything typed is lost, and leaves only the form', async ({ page }) => {
  await open(page, '/settings?tab=0', 'support')
  await page.getByRole('link', { name: 'Users', exact: true }).click()
  const form = dialog(page, 'Create user')
  const question = dialog(page, 'Leave without saving?')
  await page.getByRole('button', { name: 'Create User' }).click()
  await form.getByLabel('Username').fill('jo')
  await page.goBack()
  await expect(question).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(question).toBeHidden()
  await expect(form.getByLabel('Username')).toHaveValue('jo')
  await page.goBack()
  await question.getByRole('button', { name: 'Leave without saving' }).click()
  await expect(form).toBeHidden()
  await expect(page).toHaveURL(/tab=1/)

  // A dialog inside one that is in the address closes alone.
  await page.getByRole('link', { name: 'Companies', exact: true }).click()
  await page.getByRole('button', { name: 'Create Account' }).click()
  await dialog(page, /Create Account/)
    .getByRole('button', { name: 'Create Company' })
    .click()
  await expect(dialog(page, 'Create company')).toBeVisible()
  await page.goBack()
  await expect(dialog(page, 'Create company')).toBeHidden()
  await expect(dialog(page, /Create Account/)).toBeVisible()
})
