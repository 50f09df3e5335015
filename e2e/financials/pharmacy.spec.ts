import { readFile } from 'node:fs/promises'
import type { ReplyOf } from '@pillar/contract'
import type { financials } from '@pillar/contract/financials'
import { formatMoney, formatNumber } from '@pillar/domain/time/locale'
import { expect, type Page, test } from '@playwright/test'
import { expectAccessible, expectAccessibleInBoth } from '../support/axe.ts'
import { settled } from '../support/grid.ts'
import { fillIn, loseCookies, open, PASSWORD, RUNNING, signInAs } from '../support/people.ts'

type Info = ReplyOf<typeof financials.initInfo>
type Pharmacy = ReplyOf<typeof financials.pharmacy>
type DrugTypes = ReplyOf<typeof financials.pharmacyDrugTypes>

const section = (page: Page) => page.getByRole('region', { name: 'Section', exact: true })

async function visit(page: Page, address = '') {
  const ask = await signInAs(page)
  const { pharmacies } = await ask<Info>('enterprise-init-info', RUNNING)
  const one = pharmacies[0]!
  const reply = await ask<Pharmacy>('enterprise-pharmacy', { pharmacy_id: one.pharmacy_id, ...RUNNING })
  await page.goto(`/financials/pharmacy/${one.pharmacy_id}${address}`)
  await expect(page.getByRole('heading', { level: 1 })).toContainText(one.pharmacy_name)
  return { ask, one, reply }
}

test('a name in the table opens the page, which shows the server’s figures', { tag: '@main' }, async ({ page }) => {
  const ask = await open(page)
  await settled(page)
  const link = page.getByRole('grid').getByRole('link').first()
  const name = (await link.textContent()) ?? ''
  await link.click()
  await expect(page).toHaveURL(/\/financials\/pharmacy\/[0-9a-f-]{36}$/)
  await expect(page).toHaveTitle(`${name} - Pillar`)
  const pharmacy_id = new URL(page.url()).pathname.split('/').at(-1)
  const reply = await ask<Pharmacy>('enterprise-pharmacy', { pharmacy_id, ...RUNNING })
  const types = await ask<DrugTypes>('enterprise-pharmacy-drug-types', { pharmacy_id, ...RUNNING })
  const revenue = reply.headlines[0]!
  await expect(page.getByRole('region', { name: 'Revenue', exact: true })).toContainText(
    formatMoney('AU', revenue.value),
  )
  await expect(page.getByRole('region', { name: 'Revenue', exact: true })).toContainText(
    `Rank ${revenue.rank} of ${revenue.ranked}, group`,
  )
  // A phrase under a figure never wraps, and the chart selector is beside the title.
  const phrase = page.getByRole('region', { name: 'Revenue', exact: true }).getByText(/^group /)
  expect((await phrase.boundingBox())?.height).toBeLessThan(20)
  const head = page.locator('header', { has: page.getByRole('radiogroup', { name: 'Picture' }) })
  await expect(head.getByRole('heading')).toBeVisible()
  const rows = section(page).getByRole('row')
  await expect(rows).toHaveCount(types.rows.length + 1)
  await expect(rows.nth(1)).toContainText(formatMoney('AU', types.rows[0]!.revenue))
  await expect(rows.nth(1)).toContainText(formatNumber('AU', types.rows[0]!.scripts))
  const notes = page.getByRole('region', { name: 'What needs attention' }).getByRole('listitem')
  await expect(notes).toHaveCount(reply.attention.length)
  await page.getByRole('link', { name: 'Pharmacies', exact: true }).click()
  await settled(page)
})

test('Enter on a name in the table opens the page', async ({ page }) => {
  await open(page)
  await settled(page)
  await page.getByRole('grid').focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/financials\/pharmacy\/[0-9a-f-]{36}$/)
})

test('tabs change by keyboard, stay in the address, and are downloaded as shown', async ({ page }) => {
  const { reply } = await visit(page)
  const tabs = page.getByRole('navigation', { name: 'Sections' })
  await tabs.getByRole('link', { name: 'Drug types' }).focus()
  await page.keyboard.press('ArrowRight')
  await expect(tabs.getByRole('link', { name: 'Patients' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/tab=patients/)
  await expect(section(page).getByRole('row', { name: /^New patients/ })).toBeVisible()
  await tabs.getByRole('link', { name: 'Uploads' }).click()
  await expect(section(page).getByRole('row')).toHaveCount(reply.uploads.length + 1)
  const waiting = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download', exact: true }).click()
  const file = await readFile(await (await waiting).path(), 'utf8')
  expect(file.split('\r\n')).toHaveLength(reply.uploads.length + 1)
  await page.reload()
  await expect(section(page).getByRole('table', { name: 'Uploads' })).toBeVisible()
})

test('a headline opens its trend, and the period stays in the address', async ({ page }) => {
  await visit(page)
  await page.getByRole('button', { name: /Revenue: show the trend/ }).click()
  await expect(page.getByRole('dialog')).toContainText('Revenue')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Back one financial year' }).click()
  await expect(page).toHaveURL(new RegExp(`period=${RUNNING.year - 1}`))
})

test('a pasted link survives the sign-in; an unknown pharmacy is not found', async ({ page }) => {
  const { one } = await visit(page)
  await loseCookies(page)
  await page.goto(`/financials/pharmacy/${one.pharmacy_id}?period=${RUNNING.year - 1}&picture=trend&tab=uploads`)
  await expect(page).toHaveURL(/login/)
  await fillIn(page, 'headoffice', PASSWORD)
  await expect(page).toHaveURL(new RegExp(`/financials/pharmacy/${one.pharmacy_id}\\?`))
  for (const part of [`period=${RUNNING.year - 1}`, 'picture=trend', 'tab=uploads']) expect(page.url()).toContain(part)
  await expect(section(page).getByRole('table', { name: 'Uploads' })).toBeVisible()
  await page.goto('/financials/pharmacy/01980000-0000-7000-8000-00000000ffff')
  await expect(page.getByText('That pharmacy was not found')).toBeVisible()
})

test('its report is a PDF of the period on screen, and a new campaign can start there', async ({ page }) => {
  const { one } = await visit(page, `?period=${RUNNING.year - 1}`)
  const waiting = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Report (PDF)' }).click()
  const file = await waiting
  expect(file.suggestedFilename()).toBe(`${one.pharmacy_name} ${RUNNING.year - 1}.pdf`)
  expect((await readFile(await file.path())).subarray(0, 5).toString()).toBe('%PDF-')
  await page.getByRole('link', { name: 'New campaign' }).first().click()
  const form = page.getByRole('dialog', { name: 'New campaign' })
  await expect(form.getByRole('button', { name: /^Pharmacies/ })).toHaveAccessibleName(
    `Pharmacies ${one.pharmacy_name}`,
  )
})

test('Ctrl+K finds a pharmacy from another screen and opens its page', async ({ page }) => {
  const ask = await open(page, '/campaigns')
  const { pharmacies } = await ask<Info>('enterprise-init-info', RUNNING)
  const { pharmacy_id, pharmacy_name } = pharmacies.at(-1)!
  await expect(page.getByRole('heading', { level: 1, name: 'Campaigns' })).toBeVisible()
  await page.keyboard.press('Control+k')
  const dialog = page.getByRole('dialog', { name: 'Find a pharmacy' })
  const field = dialog.getByRole('combobox', { name: 'Find a pharmacy' })
  await expect(field).toBeFocused()
  await field.fill('no pharmacy of this name')
  await expect(dialog.getByText('No pharmacy matches')).toBeVisible()
  await field.fill(pharmacy_name.toUpperCase())
  await expect(dialog.getByRole('option').first()).toContainText(pharmacy_name)
  await expectAccessible(page, 'Find a pharmacy', '[role=dialog]')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/financials/pharmacy/${pharmacy_id}$`))
  await expect(dialog).toHaveCount(0)
})

test('it is accessible in both themes', async ({ page }) => {
  await visit(page)
  await expect(section(page).getByRole('table', { name: 'Drug types' })).toBeVisible()
  await expectAccessibleInBoth(page, 'a pharmacy’s page')
})

for (const width of [390, 320]) {
  test(`nothing scrolls sideways at ${width} px, nor on paper`, async ({ page }) => {
    await page.setViewportSize({ width, height: 844 })
    await visit(page)
    await expect(section(page).getByRole('table', { name: 'Drug types' })).toBeVisible()
    const over = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    // A chart is drawn once its width is known.
    await expect.poll(over).toBeLessThanOrEqual(0)
    await page.emulateMedia({ media: 'print' })
    await expect(page.getByRole('button', { name: 'Download', exact: true })).toBeHidden()
    await expect(section(page).getByRole('table', { name: 'Drug types' })).toBeVisible()
  })
}

test('Back closes what was opened at a pharmacy, and then shows the one before', async ({ page }) => {
  const { ask, one } = await visit(page)
  const { pharmacies } = await ask<Info>('enterprise-init-info', RUNNING)
  const other = pharmacies.find(({ pharmacy_id }) => pharmacy_id !== one.pharmacy_id)!
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Find a pharmacy' }).fill(other.pharmacy_name)
  await page.getByRole('option', { name: other.pharmacy_name }).first().click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText(other.pharmacy_name)
  await page.getByRole('region', { name: 'Revenue', exact: true }).getByRole('button').first().click()
  await expect(page.getByRole('dialog')).toContainText(other.pharmacy_name)
  await page.goBack()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 1 })).toContainText(other.pharmacy_name)
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1 })).toContainText(one.pharmacy_name)
})
