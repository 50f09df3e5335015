import { expect, test } from '@playwright/test'
import { patientLinks } from '../support/patients.ts'

test('the address of a pharmacy in the United States names its state, as its texts do', async ({ page }) => {
  const links = await patientLinks({ country: 'US' })
  for (const path of [links.consent, links.unsubscribe]) {
    await page.goto(path)
    await expect(page.getByRole('banner')).toContainText('48 Harbour Street')
    await expect(page.getByRole('banner').getByText('Wollongong NSW 2500', { exact: true })).toBeVisible()
  }
})
