import { expect, test } from '@playwright/test'
import { patientLinks } from '../support/patients.ts'

test('whoever gets no answer and then chooses otherwise reads which answers count', async ({ page }) => {
  const links = await patientLinks()
  await page.goto(links.consent)
  await page.route(
    '**/api/communication-consent/*/submit',
    async (route) => {
      await route.fetch()
      await route.fulfill({ status: 504, contentType: 'text/html', body: '<h1>504 Gateway Time-out</h1>' })
    },
    { times: 1 },
  )
  await page.getByRole('checkbox', { name: 'I am a person' }).check()
  await expect(page.getByText('Checked, thank you')).toBeVisible()
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(page.getByRole('alert')).toContainText('The server could not answer (504).')
  await page.getByRole('switch').first().uncheck()
  await page.getByRole('checkbox', { name: 'I am a person' }).check()
  await expect(page.getByText('Checked, thank you')).toBeVisible()
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(page.getByRole('heading', { name: 'Your earlier answers count' })).toBeVisible()
  await expect(page.getByRole('listitem').first()).toContainText(': Yes')
  await expect(page.getByText(`To change that, call ${links.pharmacy}.`)).toBeVisible()
  expect(await links.consentRow()).toMatchObject({ sms_health_outreach: 'in' })
})
