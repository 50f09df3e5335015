import { expect, type Locator, test } from '@playwright/test'
import { open } from '../support/people.ts'

const heights = (cells: Locator) => cells.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height))

test('in the list of registers the names of pharmacies and their values are on one line at 1440', async ({ page }) => {
  await open(page, '/s8management', 'controlled')
  const names = page.getByRole('rowheader').getByRole('link')
  await expect(names.first()).toBeVisible()
  expect(Math.max(...(await heights(names)))).toBeLessThan(28)
})

test('units in a register are aligned, whichever they are', async ({ page }) => {
  await open(page, '/s8management', 'controlled')
  await page.getByRole('rowheader').getByRole('link').first().click()
  const units = page.getByText(/^(tablets|ampoules|patches)$/)
  await expect(page.getByText('ampoules').first()).toBeVisible()
  const lefts = await units.evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().left)))
  expect(new Set(lefts).size).toBe(1)
})

test('the last upload of a faulty pharmacy shows a day with the time below it', async ({ page }) => {
  await open(page, '/settings?tab=4', 'support')
  const cell = page.getByRole('cell', { name: /^\d+ \w+ \d{4}.*(am|pm)$/ }).first()
  await expect(cell).toBeVisible()
  const [day, time] = (await cell.innerText()).split('\n').filter(Boolean)
  expect(day).toMatch(/^\d+ \w+ \d{4}$/)
  expect(time).toMatch(/^\d+:\d\d (am|pm)$/)
  const words = await cell.evaluate((one) => {
    const range = document.createRange()
    range.selectNodeContents(one)
    return range.getBoundingClientRect().height
  })
  expect(words).toBeLessThan(48)
})

for (const [percent, label] of [
  [92, 'Now'],
  [106, 'Goal'],
  [4, 'Now'],
  [60, 'Now'],
] as const) {
  test(`at ${percent}% of the way the words of ${label} are at their mark`, async ({ page }) => {
    await page.route('**/api/campaign/*/info/enterprise', async (route) => {
      const answer = await route.fetch()
      const info = (await answer.json()) as { goal_place: object }
      const goal_place = { ...info.goal_place, started: true, start: 0, now: percent, goal: 100 }
      await route.fulfill({ response: answer, json: { ...info, goal_place } })
    })
    await open(page, '/campaigns/0192d3b0-0002-7000-8000-000000000003')
    const meter = page.getByRole('meter', { name: 'Goal' })
    await expect(meter).toBeVisible()
    const box = (await meter.getByText(new RegExp(`^${label}`)).boundingBox())!
    const way = (await meter.boundingBox())!
    const at = way.x + way.width * Math.min(percent / 100, 100 / percent)
    expect(at).toBeGreaterThan(box.x - 4)
    expect(at).toBeLessThan(box.x + box.width + 4)
  })
}

test('an email address of a referral is shown in full, however long', async ({ page }) => {
  const email = 'margaret.elizabeth.kowalski-featherstone@outpatients.royal-hospital.example'
  await page.route('**/api/clinical-trial-pharmacy-referral-list', async (route) => {
    const answer = await route.fetch()
    const list = (await answer.json()) as { referrals: object[] }
    await route.fulfill({
      response: answer,
      json: { ...list, referrals: list.referrals.map((one) => ({ ...one, email })) },
    })
  })
  await open(page, '/referrals', 'trials')
  const link = page.getByRole('link', { name: email }).first()
  await expect(link).toBeVisible()
  const over = await link.evaluate((one) => one.scrollWidth - one.clientWidth)
  expect(over).toBeLessThanOrEqual(0)
})

test('choosing a campaign’s measure moves nothing: the goal stays beside it', async ({ page }) => {
  await open(page, '/campaigns?dialog=new-campaign')
  const measure = page.getByRole('radiogroup', { name: 'Measure by' })
  const goal = page.getByRole('textbox', { name: 'Goal' })
  await expect(measure).toBeVisible()
  const before = await goal.boundingBox()
  await page.getByRole('radio', { name: 'Adherence' }).click()
  await expect(page.getByText('Adherence is a percentage, so Value is not available.')).toBeVisible()
  expect(await goal.boundingBox()).toEqual(before)
})
