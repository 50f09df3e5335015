import { expect, type Page, test } from '@playwright/test'
import { addPerson } from '../support/install.ts'
import { makeNetwork } from '../support/messaging.ts'
import { open } from '../support/people.ts'

/** A new company with one pharmacy that has sent nothing, and somebody who may open every screen of it. */
async function firstDay(page: Page, path: string) {
  const { company, sql, username } = await makeNetwork()
  // Only in the demo network may somebody see registers without a second factor.
  await sql('update company set demo = true where id = $1', [company.id])
  await addPerson(company.name, 'AU', `s8-${username}`, false, ['data_analytics', 'ecdr', 'sixty_day_signup'])
  await open(page, path, `s8-${username}`)
}

test('before the first upload Financials says what comes next, and calls nobody late', async ({ page }) => {
  await firstDay(page, '/financials')
  await expect(page.getByText('Nothing has been uploaded yet')).toBeVisible()
  await expect(page.getByText('Support helps each pharmacy to set it up.')).toBeVisible()
  await expect(page.getByText('No data yet')).toBeVisible()
  await expect(page.getByText(/late|previous year|another period/)).toHaveCount(0)
})

test('without a register S8 Management does not claim that every register is in order', async ({ page }) => {
  await firstDay(page, '/s8management?view=attention')
  await expect(page.getByText('No register has been sent yet')).toBeVisible()
  await expect(page.getByText(/counted, signed and intact/)).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Needs attention', exact: true })).toBeVisible()
  const counted = page.getByRole('region', { name: 'Late count' })
  await expect(counted).toContainText('–')
  await expect(counted).not.toContainText('0')
})

test('before the first upload Sixty Day Dispensing does not claim that nothing would be lost', async ({ page }) => {
  await firstDay(page, '/sixtydd')
  await page.getByLabel(/I have read the agreement/).check()
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByText('Nothing has been uploaded yet')).toBeVisible()
  await expect(page.getByText(/would be lost|would lose|\$0/)).toHaveCount(0)
})
