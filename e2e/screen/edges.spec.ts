import { expect, type Page, test } from '@playwright/test'
import { dialog } from '../support/dialog.ts'
import { settled } from '../support/grid.ts'
import { open } from '../support/people.ts'

/** The number of boxes in the window that scroll sideways, and the names of those without a visible hint. */
const sideways = (page: Page) =>
  page.evaluate(() => {
    const boxes = [...document.querySelectorAll<HTMLElement>('body *')].filter((box) => {
      const { overflowX } = getComputedStyle(box)
      return /auto|scroll/.test(overflowX) && box.scrollWidth > box.clientWidth + 2 && box.clientWidth > 0
    })
    const plain = boxes.filter((box) => getComputedStyle(box).maskImage === 'none')
    return { boxes: boxes.length, plain: plain.map((box) => box.getAttribute('aria-label') ?? box.className) }
  })

const PAGES = [
  ['/financials', 'headoffice'],
  ['/settings', 'support'],
  ['/settings?tab=4', 'support'],
  ['/s8management', 'controlled'],
  ['/referrals', 'trials'],
  ['/guildsixtydd', 'guild'],
] as const

for (const [address, person] of PAGES) {
  test(`sideways scrolling on a phone is visible: ${address}`, async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await open(page, address, person)
    await expect(page.locator('table').first()).toBeVisible()
    await expect.poll(async () => (await sideways(page)).plain).toEqual([])
    expect((await sideways(page)).boxes).toBeGreaterThan(0)
  })
}

test('the side of a table with more to it fades, but not at its end, under the focus, or on paper', async ({
  page,
}) => {
  await open(page, '/financials')
  await settled(page)
  // On paper another table replaces the grid, so the grid has no role.
  const box = page.locator('[role=grid]').locator('..')
  const mask = () => box.evaluate((element) => getComputedStyle(element).maskImage)
  await expect(box).toHaveAttribute('data-more', 'right')
  expect(await mask()).not.toBe('none')
  await page.emulateMedia({ media: 'print' })
  expect(await mask()).toBe('none')
  await page.emulateMedia({ media: 'screen', colorScheme: 'dark' })
  expect(await mask()).not.toBe('none')
  await box.evaluate((element) => element.scrollBy({ left: 100_000 }))
  // The name stays at the left, so nothing fades over it.
  await expect(box).not.toHaveAttribute('data-more')
  expect(await mask()).toBe('none')
  await box.evaluate((element) => element.scrollTo({ left: 0 }))
  await expect(box).toHaveAttribute('data-more', 'right')
  await page.keyboard.press('Tab')
  await page.getByRole('grid').focus()
  await expect.poll(mask).toBe('none')
})

test('a double click on a button that asks first leaves the question open, and a click beside it closes it', async ({
  page,
}) => {
  await open(page, '/settings', 'support')
  await page.getByRole('button', { name: 'Create Company' }).click()
  const form = dialog(page, 'Create company')
  for (const [label, value] of [
    ['Company name', 'Double Chemists'],
    ['Username', 'double.click'],
    ['Email', 'double@click.example'],
    ['First name', 'Dora'],
    ['Last name', 'Double'],
  ] as const)
    await form.getByLabel(label, { exact: true }).fill(value)
  await form.getByRole('button', { name: 'Create', exact: true }).dblclick({ delay: 40 })
  const question = dialog(page, 'Create company?')
  await expect(question.getByLabel('Password', { exact: true })).toBeFocused()
  await page.waitForTimeout(600)
  await expect(question).toBeVisible()
  await page.mouse.click(5, 5)
  await expect(question).toHaveCount(0)
  await expect(form.getByLabel('Company name')).toHaveValue('Double Chemists')
})
