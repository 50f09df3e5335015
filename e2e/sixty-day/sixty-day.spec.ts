import { readFile } from 'node:fs/promises'
import { expect, test } from '@playwright/test'
import { expectAccessible, OPENED } from '../support/axe.ts'
import { open } from '../support/people.ts'

test.setTimeout(90_000)
const cell = (page: import('@playwright/test').Page, name: string) => page.getByRole('region', { name, exact: true })

test('a company agrees once, sees what it would lose, and changes the assumptions', { tag: '@main' }, async ({
  page,
}) => {
  await open(page, '/sixtydd')
  const agreement = page.getByRole('dialog', { name: 'End User License Agreement' })
  await expect(agreement).toContainText('Version 1.0')
  await expect(agreement.getByRole('button', { name: 'Confirm' })).toBeDisabled()
  // Who does not agree may still leave the screen.
  await agreement.getByRole('button', { name: 'Not now' }).click()
  await expect(agreement).toBeHidden()
  await page.getByRole('link', { name: 'Financials' }).first().click()
  await expect(page).toHaveURL(/financials/)
  await page.getByRole('link', { name: 'Sixty Day Dispensing' }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Read the agreement' }).click()
  await agreement.getByLabel(/I have read the agreement/).check()
  await agreement.getByRole('button', { name: 'Confirm' }).click()
  await expect(agreement).toBeHidden()
  await expect(cell(page, 'Pharmacies')).toContainText('24')
  await expect(cell(page, 'In short supply')).toContainText('no list of shortages is loaded')
  await expect(page.getByRole('note')).toContainText('63% was the 2023 forecast, not what has happened.')
  const table = page.getByRole('table', { name: 'Revenue lost by Condition' })
  await expect(table.getByRole('row')).not.toHaveCount(0)
  await expectAccessible(page, 'Sixty Day Dispensing')

  // Half the uptake is half the loss; the address keeps it.
  const lost = async () =>
    Number(
      (((await cell(page, 'Revenue lost').textContent()) ?? '').match(/\$([\d,]+)/)?.[1] ?? '').replaceAll(',', ''),
    )
  const before = await lost()
  await page.getByRole('textbox', { name: 'Uptake' }).fill('31.5')
  await expect(page).toHaveURL(/uptake=31\.5/)
  await expect.poll(async () => Math.abs((await lost()) * 2 - before)).toBeLessThan(3)
  await page.reload()
  await expect(agreement).toBeHidden()
  await expect(page.getByRole('textbox', { name: 'Uptake' })).toHaveValue('31.5%')

  // The TOTAL of the table is the figure above it.
  const headline = ((await cell(page, 'Revenue lost').textContent()) ?? '').match(/\$[\d,]+/)?.[0]
  await expect(table.getByRole('button', { name: `TOTAL, 24 pharmacies, All conditions: ${headline},` })).toBeVisible()

  // The map shows the same as the table; a revenue cell names the scripts behind it.
  await table.getByRole('button', { name: /^TOTAL.*All conditions/ }).click()
  const cellDrawer = page.getByRole('dialog', { name: /^TOTAL.*All conditions/ })
  await expect(cellDrawer).toContainText(/[\d,.]+ scripts × \$13\.79 = \$/)
  await page.keyboard.press('Escape')
  await expect(cellDrawer).toBeHidden()
  await page.goto('/sixtydd?show=affected_patients_percent&uptake=31.5')
  await expect(page.getByText(/has the largest share: \d/)).toBeVisible()
  await page.goto('/sixtydd?uptake=31.5')

  await page.getByRole('button', { name: 'Filters' }).click()
  const filters = page.getByRole('dialog', { name: 'Filter Category' })
  await expectAccessible(page, 'the filters', OPENED)
  await filters.getByText('Tranche 1').click()
  await filters.getByLabel('Category').selectOption('Age Group')
  await filters.getByRole('button', { name: 'Confirm' }).click()
  await expect(page).toHaveURL(/tranche=1/)
  await expect(page.getByRole('table', { name: 'Revenue lost by Age Group' })).toContainText('75+')

  await page.getByRole('button', { name: 'Revenue lost: how it is calculated' }).click()
  const drawer = page.getByRole('dialog', { name: 'Revenue lost' })
  await expect(drawer).toContainText('$8.88 dispensing + $4.91 handling (estimated)')
  await expect(drawer).toContainText('12 complete months')
  await page.keyboard.press('Escape')
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click(),
  ])
  expect(file.suggestedFilename()).toMatch(/^\d{4}_Age.Group\.csv$/)
  expect(await readFile(await file.path(), 'utf8')).toContain('31.5%')
})

test('the Guild sees states and no pharmacy, even on a phone in dark mode', { tag: '@main' }, async ({ page }) => {
  await open(page, '/guildsixtydd', 'guild')
  await expect(page.getByText('would lose most', { exact: false })).toBeVisible()
  await expect(page.getByRole('table', { name: 'Revenue lost by Condition' })).toContainText('NSW')
  for (const name of ['Saltbush', 'Wattle & Co', 'Twin Rivers', 'Canal Road'])
    await expect(page.locator('body')).not.toContainText(name)
  await expectAccessible(page, 'Guild Sixty Day Dispensing')
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(cell(page, 'Revenue lost')).toBeVisible()
  await expectAccessible(page, 'Guild Sixty Day Dispensing on a dark phone')
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
})

test('the uptake being typed stays when an earlier value comes back', async ({ page }) => {
  await open(page, '/guildsixtydd', 'guild')
  const uptake = page.getByRole('textbox', { name: 'Uptake' })
  // The next key comes at the moment the address changes, before the page has drawn it.
  await page.evaluate(() => {
    const push = history.pushState.bind(history)
    history.pushState = (...to) => {
      push(...to)
      history.pushState = push
      document.execCommand('insertText', false, '5')
    }
  })
  await uptake.fill('')
  await uptake.pressSequentially('3')
  await expect(page).toHaveURL(/uptake=35/)
  await expect(uptake).toHaveValue('35%')
})

test('an uptake that was cleared is back as the figures have it once its field is left', async ({ page }) => {
  await open(page, '/guildsixtydd', 'guild')
  const uptake = page.getByRole('textbox', { name: 'Uptake' })
  await uptake.fill('')
  await uptake.press('Tab')
  await expect(uptake).toHaveValue('63%')
  // What was typed is taken before what is pressed next.
  await uptake.fill('40')
  await uptake.press('Tab')
  await expect(page).toHaveURL(/uptake=40/)
})

test('the Guild reads why no postcode is listed', async ({ page }) => {
  await open(page, '/guildsixtydd?by=postcode', 'guild')
  await expect(page.getByRole('heading', { name: 'No records found' })).toBeVisible()
  await expect(page.getByText('Only postcodes with at least three pharmacies', { exact: false })).toBeVisible()
  await page.getByRole('button', { name: 'Filters' }).click()
  await expect(page.getByText('No postcode of these states can be shown.')).toBeVisible()
})
