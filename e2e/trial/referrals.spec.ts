import { expect, test } from '@playwright/test'
import { expectAccessible } from '../support/axe.ts'
import { open } from '../support/people.ts'

test.setTimeout(60_000)

test('a recruiter finds a patient, switches by keyboard, and sees who switched what; the name stays out of the address', {
  tag: '@main',
}, async ({ page }) => {
  await open(page, '/referrals', 'trials')
  await expect(page).toHaveTitle(/^Referrals Dashboard/)
  await expect(page.getByRole('heading', { name: 'Meridian Trials - Clinical Trials Referrals' })).toBeVisible()
  const first = page.getByRole('row').nth(1)
  const name = (await first.getByRole('cell').nth(2).textContent()) ?? ''
  await page.getByRole('searchbox', { name: 'Find a referral' }).fill(name)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('row').nth(1)).toContainText(name)
  expect(page.url()).not.toContain(name)
  const contacted = page
    .getByRole('row')
    .nth(1)
    .getByRole('switch', { name: /^Contacted/ })
  const was = await contacted.isChecked()
  await contacted.focus()
  await page.keyboard.press('Space')
  await expect(contacted).toBeChecked({ checked: !was })
  await expect(page.getByRole('row').nth(1).getByText('Saved')).toBeVisible()
  await page.getByRole('row').nth(1).getByRole('button').first().click()
  await expect(page.getByText(was ? 'Switched to not contacted' : 'Switched to contacted').first()).toBeVisible()
  await expectAccessible(page, 'referrals')
})

test('a switch that cannot be saved is put back, with the reason', async ({ page }) => {
  await open(page, '/referrals', 'trials')
  await page.route('**/api/clinical-trial-pharmacy-referral-list/*/edit', (route) =>
    route.fulfill({
      status: 409,
      json: { code: 'conflict', message: 'Somebody else has changed this referral meanwhile.' },
    }),
  )
  const enrolled = page
    .getByRole('row')
    .nth(1)
    .getByRole('switch', { name: /^Enrolled/ })
  const was = await enrolled.isChecked()
  await enrolled.focus()
  await page.keyboard.press('Space')
  await expect(page.getByRole('alert')).toContainText(
    'was put back. Somebody else has changed this referral meanwhile.',
  )
  await expect(enrolled).toBeChecked({ checked: was })
})

test('both switches of a patient, pressed one right after the other, are saved', async ({ page }) => {
  await open(page, '/referrals', 'trials')
  await page.route('**/api/clinical-trial-pharmacy-referral-list/*/edit', async (route) => {
    await new Promise((done) => setTimeout(done, 300))
    await route.continue()
  })
  const row = page.getByRole('row').nth(2)
  const [enrolled, contacted] = [
    row.getByRole('switch', { name: /^Enrolled/ }),
    row.getByRole('switch', { name: /^Contacted/ }),
  ]
  const was = [await enrolled.isChecked(), await contacted.isChecked()] as const
  await enrolled.press('Space')
  await contacted.press('Space')
  await expect(contacted).toBeChecked({ checked: !was[1] })
  await expect(row.getByText('Saved')).toHaveCount(2)
  await expect(page.getByRole('alert')).toHaveCount(0)
  await page.reload()
  await expect(enrolled).toBeChecked({ checked: !was[0] })
  await expect(contacted).toBeChecked({ checked: !was[1] })
})

test('days without a referral say so, even on a phone in dark mode', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await open(page, '/referrals?from=2020-01-01&to=2020-01-31', 'trials')
  await expect(page.getByText('No records found')).toBeVisible()
  await expectAccessible(page, 'referrals without rows, dark on a phone')
})

test('a date typed key by key is applied once it is complete, and a short one once the field is left', async ({
  page,
}) => {
  await open(page, '/referrals', 'trials')
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  const asked = new Set<string>()
  page.on('request', (request) => {
    if (request.url().endsWith('/api/clinical-trial-pharmacy-referral-list'))
      asked.add(request.postDataJSON().start_date)
  })
  await page.getByRole('button', { name: /^Days/ }).click()
  const from = page.getByRole('textbox', { name: 'From' })
  await from.pressSequentially('01/12/2020', { delay: 20 })
  await expect(page).toHaveURL(/from=2020-12-01/)
  await expect.poll(() => [...asked]).toEqual(['2020-12-01'])
  await from.fill('5/2/21')
  await expect(page).toHaveURL(/from=2020-12-01/)
  await from.press('Tab')
  await expect(page).toHaveURL(/from=2021-02-05/)
  await expect(from).toHaveValue('05/02/2021')
  await expect.poll(() => [...asked]).toEqual(['2020-12-01', '2021-02-05'])
})
