import { expect, type Locator, type Page, test } from '@playwright/test'
import { still } from '../support/matrix.ts'
import { patientLinks } from '../support/patients.ts'
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
  const swatches = page.locator('ul').filter({ hasText: 'Late count' }).locator('i')
  await expect(swatches).not.toHaveCount(0)
  const colours = await swatches.evaluateAll((all) => all.map((one) => getComputedStyle(one).backgroundColor))
  expect(new Set(colours).size).toBe(4)

  await open(page, '/settings', 'support')
  await still(page)
  const lists = page.getByRole('navigation', { name: 'Accounts and sign-ups' })
  const closed = await drawn(lists.getByRole('link', { name: /^Sign-ups/ }))
  expect(await drawn(lists.getByRole('link', { name: 'Accounts' }))).not.toBe(closed)
})

/** How the options of an open list are marked, each by its outline and its shadow. */
const marks = (page: Page) =>
  page.locator('[role=option]').evaluateAll((all) =>
    all.map((one) => {
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(one)
      return {
        at: one.ariaSelected === 'true',
        outline: `${outlineWidth} ${outlineStyle}`,
        ringed: boxShadow !== 'none',
      }
    }),
  )

for (const forcedColors of ['active', 'none'] as const) {
  test(`the option reached by keyboard is seen in the list of merge fields and in Find, forced colours: ${forcedColors}`, async ({
    page,
  }) => {
    await page.emulateMedia({ forcedColors })
    const wanted = (at: boolean) =>
      forcedColors === 'active'
        ? expect.objectContaining({ at, outline: at ? '2px solid' : expect.stringContaining('none') })
        : expect.objectContaining({ at, ringed: at })
    await open(page, '/campaigns?dialog=new-template')
    await still(page)
    await page.getByRole('textbox', { name: 'Message' }).click()
    await page.keyboard.type('Hi {na')
    await expect(page.getByRole('option', { name: 'Last Name' })).toBeVisible()
    await page.keyboard.press('ArrowDown')
    expect((await marks(page)).slice(0, 3)).toEqual([wanted(false), wanted(true), wanted(false)])

    await open(page, '/settings', 'support')
    await still(page)
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Find' }).fill('saltbush')
    await expect(page.getByRole('option').nth(1)).toBeVisible()
    await page.keyboard.press('ArrowDown')
    expect((await marks(page)).slice(0, 2)).toEqual([wanted(false), wanted(true)])
  })
}

test('the switches of a patient’s consent are seen with the system’s colours, and on differs from off', async ({
  page,
}) => {
  await page.goto((await patientLinks()).consent)
  const background = (name: string) =>
    page.getByRole('switch', { name }).evaluate((one) => getComputedStyle(one).backgroundColor)
  await expect(page.getByRole('switch')).toHaveCount(4)
  const behind = await page.locator('body').evaluate((one) => getComputedStyle(one).backgroundColor)
  const [on, off] = [await background('SMS Health Outreach'), await background('SMS Marketing')]
  expect(new Set([on, off, behind]).size).toBe(3)
})

test('the dots of a list on a patient’s page are seen with the system’s colours', async ({ page }) => {
  await page.goto((await patientLinks()).unsubscribe)
  const dot = page.getByRole('listitem').first()
  await expect(dot).toBeVisible()
  const drawn = await dot.evaluate((one) => [
    getComputedStyle(one, '::before').backgroundColor,
    getComputedStyle(one).color,
    getComputedStyle(document.body).backgroundColor,
  ])
  expect(drawn[0]).toBe(drawn[1])
  expect(drawn[0]).not.toBe(drawn[2])
})
