import { expect, type Page, test } from '@playwright/test'
import { patientLinks } from '../support/patients.ts'
import { open } from '../support/people.ts'
import { translate } from '../support/translate.ts'
import { invitedPatient } from '../support/trial.ts'

const broken: string[] = []
test.beforeEach(async ({ page }) => {
  broken.length = 0
  page.on('pageerror', ({ message }) => broken.push(message))
  await translate(page)
})
test.afterEach(() => expect(broken).toEqual([]))

const translated = (page: Page) => page.locator('font font')
const press = (page: Page, name: string) => page.getByRole('button', { name }).click()

async function tick(page: Page): Promise<void> {
  await page.getByRole('checkbox', { name: 'I am a person' }).click()
  await expect(page.getByText('Checked, thank you')).toBeVisible()
}

test('a patient whose browser translates the pages chooses, signs up for a trial, withdraws and unsubscribes', async ({
  page,
}) => {
  const links = await patientLinks()
  await page.goto(links.consent)
  await expect(translated(page).getByText('Choose what we send you, Margaret')).toBeVisible()
  const choice = page.getByRole('switch', { name: 'SMS Marketing' })
  await choice.click()
  await expect(choice).toBeChecked()
  await expect(page.getByText('Tick “I am a person” to submit.')).toBeVisible()
  await tick(page)
  await expect(page.getByText('Tick “I am a person” to submit.')).toBeHidden()
  await press(page, 'Submit')
  await expect(page.getByText('SMS Marketing: Yes')).toBeVisible()

  await page.goto(links.unsubscribe)
  await expect(page.getByText('Tick “I am a person” to unsubscribe.')).toBeVisible()
  await page.route('**/api/captcha-challenge', (route) => route.abort(), { times: 2 })
  await page.reload()
  await page.getByRole('checkbox', { name: 'I am a person' }).click()
  await expect(page.getByText('You can unsubscribe without the check.')).toBeVisible()
  await tick(page)
  await expect(page.getByText('You can unsubscribe without the check.')).toBeHidden()
  await press(page, 'Unsubscribe')
  await expect(page.getByText(/You have successfully unsubscribed/)).toBeVisible()

  const trial = await invitedPatient()
  await page.goto(trial.path)
  await page.getByLabel('Postcode').fill('2203')
  await tick(page)
  await press(page, 'Sign Up Now')
  await expect(page.getByRole('heading', { name: 'You are signed up' })).toBeVisible()
  await page.getByRole('link', { name: /withdraw/i }).click()
  await tick(page)
  await press(page, 'Withdraw')
  await expect(page.getByRole('button', { name: 'Withdraw' })).toBeHidden()
})

test('the portal is not translated: its figures would stay those of the period before, and its pages would break', async ({
  page,
}) => {
  await page.goto('/login')
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
  await expect(translated(page)).toHaveCount(0)
  await open(page, '/campaigns')
  await page.getByRole('searchbox').first().fill('a')
  await expect(page).toHaveURL(/find=a/)
  await expect(translated(page)).toHaveCount(0)
})
