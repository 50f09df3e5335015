import { expect, test } from '@playwright/test'
import { patientLinks } from '../support/patients.ts'

test.use({ viewport: { width: 390, height: 844 } })

test('a patient stops the texts of a pharmacy whose sender is a name, with one press', { tag: '@main' }, async ({
  page,
}) => {
  const links = await patientLinks()
  await page.goto(links.optOut)
  await expect(page.getByRole('heading', { name: 'Unsubscribe from Pharmacy SMS Communications' })).toBeVisible()
  await expect(page).toHaveTitle('Unsubscribe - Pillar')
  await expect(page.getByText(`all SMS from ${links.pharmacy} to my number`)).toBeVisible()
  await expect(page.getByRole('checkbox')).toHaveCount(0)
  await expect(page.getByText("for everyone whose texts go to your number. You'll still get emails.")).toBeVisible()
  expect(await links.consentRow()).toBeUndefined()
  await page.getByRole('button', { name: 'Unsubscribe' }).click()
  await expect(page.getByText('You have successfully unsubscribed from SMS communications.')).toBeVisible()
  await expect(page.getByText('If you would like texts again later')).toBeVisible()
  expect(await links.consentRow()).toMatchObject({
    ...{ sms_health_outreach: 'out', sms_marketing: 'out' },
    ...{ email_health_outreach: 'unknown', email_marketing: 'unknown' },
  })
  await page.goto(`/en_gb${links.optOut}`)
  await expect(page.getByText('You have already unsubscribed from SMS communications.')).toBeVisible()
  await page.goto(links.unsubscribe)
  await expect(page.getByRole('button', { name: 'Unsubscribe' })).toBeVisible()
})
