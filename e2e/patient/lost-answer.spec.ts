import { expect, type Page, test } from '@playwright/test'
import { patientLinks } from '../support/patients.ts'
import { invitedPatient } from '../support/trial.ts'

/** The server does what it is asked; the page gets a proxy's page instead of its answer, once. */
const loseAnswer = (page: Page, call: string) =>
  page.route(
    call,
    async (route) => {
      await route.fetch()
      await route.fulfill({ status: 504, contentType: 'text/html', body: '<h1>504 Gateway Time-out</h1>' })
    },
    { times: 1 },
  )

async function tick(page: Page): Promise<void> {
  await page.getByRole('checkbox', { name: 'I am a person' }).check()
  await expect(page.getByText('Checked, thank you')).toBeVisible()
}

test('whoever gets no answer and then chooses otherwise reads which answers count', async ({ page }) => {
  const links = await patientLinks()
  await page.goto(links.consent)
  await loseAnswer(page, '**/api/communication-consent/*/submit')
  await tick(page)
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(page.getByRole('alert')).toContainText('The server could not answer (504).')
  await page.getByRole('switch').first().uncheck()
  await tick(page)
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(page.getByRole('heading', { name: 'Your earlier answers count' })).toBeVisible()
  await expect(page.getByRole('listitem').first()).toContainText(': Yes')
  await expect(page.getByText(`To change that, call ${links.pharmacy}.`)).toBeVisible()
  expect(await links.consentRow()).toMatchObject({ sms_health_outreach: 'in' })
})

test('whoever signs up for a study and gets no answer can try again, and gets the link to withdraw', async ({
  page,
}) => {
  const { path, pharmacy } = await invitedPatient()
  await page.goto(path)
  await loseAnswer(page, '**/api/consent/*/submit')
  const go = page.getByRole('button', { name: 'Sign Up Now' })
  await page.getByLabel('Postcode').fill('2500')
  await tick(page)
  await go.click()
  await expect(page.getByRole('alert')).toContainText('The server could not answer (504).')
  await page.getByLabel('Postcode').fill('2501')
  await tick(page)
  await go.click()
  await expect(page.getByRole('heading', { name: 'You are signed up' })).toBeVisible()
  await expect(page.getByText('Your earlier details count.')).toContainText(`if it matters, call ${pharmacy}.`)
  await expect(page.locator('a.keep')).toHaveAttribute('href', /\/clinicaltrial\/.+\/withdraw$/)
})
