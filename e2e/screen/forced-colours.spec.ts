import { expect, type Locator, test } from '@playwright/test'
import { still } from '../support/matrix.ts'
import { open } from '../support/people.ts'

test.use({ forcedColors: 'active' })

/** How a tab is drawn: its line and its background. */
const drawn = (tab: Locator) =>
  tab.evaluate((one) => {
    const { borderBottomColor, borderBottomWidth, backgroundColor } = getComputedStyle(one)
    return `${borderBottomWidth} ${borderBottomColor} on ${backgroundColor}`
  })

test('with the system’s colours the open tab still differs from the others, and the parts in a chart’s key do', async ({
  page,
}) => {
  await open(page, '/s8management?view=attention', 'controlled')
  await still(page)
  const tabs = page.getByRole('navigation', { name: 'S8 Management' })
  const others = await drawn(tabs.getByRole('link', { name: 'Pharmacies' }))
  expect(await drawn(tabs.getByRole('link', { name: /^Needs attention/ }))).not.toBe(others)
  const swatches = await page
    .locator('ul')
    .filter({ hasText: 'Late count' })
    .locator('i')
    .evaluateAll((all) => all.map((one) => getComputedStyle(one).backgroundColor))
  expect(new Set(swatches).size).toBe(4)

  await open(page, '/settings', 'support')
  await still(page)
  const lists = page.getByRole('navigation', { name: 'Accounts and sign-ups' })
  const closed = await drawn(lists.getByRole('link', { name: /^Sign-ups/ }))
  expect(await drawn(lists.getByRole('link', { name: 'Accounts' }))).not.toBe(closed)
})
