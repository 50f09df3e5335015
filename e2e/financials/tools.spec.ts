import { readFile } from 'node:fs/promises'
import type { ReplyOf } from '@pillar/contract'
import type { financials } from '@pillar/contract/financials'
import { choiceAt } from '@pillar/domain/time/period'
import { expect, type Page, test } from '@playwright/test'
import { expectAccessibleInBoth } from '../support/axe.ts'
import { ask as askFile } from '../support/files.ts'
import { grid } from '../support/grid.ts'
import { addPerson, addPharmacy, upload } from '../support/install.ts'
import { expectDialog } from '../support/matrix.ts'
import { open, RUNNING, signInAs } from '../support/people.ts'
import { picture, tableOf } from '../support/picture.ts'
import { TODAY, writeRecord } from '../support/record.ts'

type Info = ReplyOf<typeof financials.initInfo>

/** A separate company, so that nobody else's targets and views interfere. @returns the name to sign in with */
async function makeCompany(): Promise<string> {
  const stamp = `${Date.now()}-${test.info().workerIndex}`
  const company = `Tools ${stamp}`
  const person = `tools-${stamp}`
  const key = await addPharmacy(company, 'Corner Pharmacy', '2000')
  await addPharmacy(company, 'Silent Pharmacy', '2001')
  await addPerson(company, 'AU', person)
  await upload(key, 'canonical', await writeRecord([{ script: '1', patient: '1', paid: '7.70' }]))
  return person
}

async function saved(page: Page, press: () => Promise<void>): Promise<{ name: string; bytes: Buffer }> {
  const started = page.waitForEvent('download')
  await press()
  const file = await started
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) }
}

test('a target is set, shown under the figures in words, and removed', { tag: '@main' }, async ({ page }) => {
  await open(page, '/financials', await makeCompany())
  await page.getByRole('button', { name: 'Targets' }).click()
  const list = page.getByRole('dialog', { name: /^Targets: Financial year/ })
  await expect(list.getByText(/^No targets are set for/)).toBeVisible()
  await list.getByRole('button', { name: 'Set a target…' }).click()
  const form = page.getByRole('dialog', { name: 'Set a target' })
  await form.getByRole('button', { name: 'Set target' }).click()
  await expect(form.getByText('Please enter a target above 0.').first()).toBeVisible()
  await form.getByLabel('Target ($)').fill('10')
  await form.getByRole('button', { name: 'Set target' }).click()
  await expect(list.getByRole('cell', { name: 'Target reached' })).toBeVisible()
  await expectAccessibleInBoth(page, 'targets', '[role=dialog]')
  await list.getByRole('button', { name: 'Close' }).last().click()
  const card = page.getByRole('region', { name: 'Revenue', exact: true })
  await expect(card.getByText('Target $10')).toBeVisible()
  await expect(card.getByText('Target reached')).toBeVisible()

  await page.getByRole('button', { name: 'Targets' }).click()
  await list.getByRole('button', { name: 'Change the target of revenue for Whole company' }).click()
  await page.getByRole('dialog', { name: 'Change the target' }).getByLabel('Target ($)').fill('1000000')
  await page.getByRole('button', { name: 'Update' }).click()
  await expect(list.getByRole('cell', { name: /behind the pace needed$/ })).toBeVisible()
  await list.getByRole('button', { name: /^More/ }).click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await page.getByRole('button', { name: 'Remove target' }).click()
  await expect(list.getByText(/^No targets are set for/)).toBeVisible()
})

test('targets are in the charts and on a pharmacy’s page, in words and in the tables', async ({ page }) => {
  const ask = await signInAs(page, await makeCompany())
  const { pharmacies } = await ask<Info>('enterprise-init-info', RUNNING)
  const { pharmacy_id, pharmacy_name } = pharmacies.find(({ data_to }) => data_to !== null)!
  const month = choiceAt('AU', 'month', TODAY - 2)
  const own = { figure: 'revenue', pharmacy_id, target: 1_000_000 }
  await ask('target/set', { ...own, ...RUNNING })
  await ask('target/set', { ...own, ...month })
  await ask('target/set', { ...RUNNING, figure: 'revenue', pharmacy_id: null, target: 2_000_000 })
  await page.goto('/financials?view=chart')
  const bars = async () => tableOf(picture(page, 'Who leads, who lags?'))
  const row = async () => (await bars()).find(([name]) => name === pharmacy_name) ?? []
  await expect.poll(async () => (await row())[2]).toBe('$1,000,000')
  expect((await row())[4]).toMatch(/behind the pace needed$/)
  const dots = await tableOf(picture(page, 'Where does each pharmacy stand?'))
  expect(dots.map(([name]) => name)).toContain('Company target by now, per pharmacy')

  await page.goto(`/financials/pharmacy/${pharmacy_id}`)
  const card = page.getByRole('region', { name: 'Revenue', exact: true })
  await expect(card.getByText('Target $1,000,000')).toBeVisible()
  await expect(card.getByText(/behind the pace needed$/)).toBeVisible()
  await expectAccessibleInBoth(page, 'a pharmacy with a target')
  await page.getByRole('button', { name: /Revenue: show the trend/ }).click()
  const drawer = page.getByRole('dialog')
  await expect(drawer.getByText(/Target of .*: \$1,000,000, or \$[\d,]+ per business day\./)).toBeVisible()
  const months = await tableOf(picture(page, 'How are we doing, and since when?'))
  expect(months.at(-1)!.at(-1)).toBe('$1,000,000')
})

test('a view is saved, shared, opened, made the default and removed', async ({ page }) => {
  const person = await makeCompany()
  await open(page, '/financials?statistic=scripts&group=Sex', person)
  await expect(grid(page)).toBeVisible()
  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByRole('menuitem', { name: 'Save this view…' }).click()
  const form = page.getByRole('dialog', { name: 'Save this view' })
  await form.getByLabel('Name').fill('Scripts by sex')
  await form.getByLabel('Share with the company').check()
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Scripts by sex' }).click()
  await page.getByRole('menuitem', { name: 'Open Financials with this view' }).click()
  await expect(page.getByText('Financials opens with Scripts by sex')).toBeVisible()

  await page.goto('/financials')
  await expect(page).toHaveURL(/group=Sex/)
  await expect(page.getByRole('radio', { name: 'Number of Scripts' })).toHaveAttribute('aria-checked', 'true')
  // A reset shows everything, and does not return to the default.
  await page.getByRole('button', { name: 'Reset' }).click()
  await expect(page).not.toHaveURL(/group=Sex/)
  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByRole('menuitem', { name: 'Scripts by sex' }).click()
  await expect(page).toHaveURL(/group=Sex/)

  await page.getByRole('button', { name: 'Scripts by sex' }).click()
  await page.getByRole('menuitem', { name: 'Manage views…' }).click()
  const all = page.getByRole('dialog', { name: 'Saved views' })
  await expect(all.getByText('Shared with the company; Financials opens with it')).toBeVisible()
  await expectAccessibleInBoth(page, 'saved views', '[role=dialog]')
  await all.getByRole('button', { name: /^More/ }).click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await page.getByRole('button', { name: 'Remove view' }).click()
  await expect(all.getByText('No saved views yet.')).toBeVisible()
})

test('a view of a pharmacy that has left the company says that it is missing', async ({ page }) => {
  const ask = await signInAs(page, await makeCompany())
  const { pharmacies } = await ask<Info>('enterprise-init-info', RUNNING)
  const corner = pharmacies.find(({ pharmacy_name }) => pharmacy_name === 'Corner Pharmacy')!
  const left = '1 selected pharmacy is no longer in the company'
  await page.goto(`/financials?pharmacies=${corner.pharmacy_id.slice(-12)}`)
  await expect(page.getByText(/^Data to/)).toBeVisible()
  await expect(page.getByText(left)).toHaveCount(0)
  await page.goto(`/financials?pharmacies=${corner.pharmacy_id.slice(-12)}%2C0123456789ab`)
  await expect(page.getByText(left)).toBeVisible()
})

test('the report is a PDF of one page, and the table an Excel file', { tag: '@main' }, async ({ page }) => {
  await open(page, '/financials', await makeCompany())
  await expect(grid(page)).toBeVisible()
  const report = await saved(page, () => askFile(page, 'Whole company'))
  expect(report.name).toMatch(new RegExp(`^Tools .* ${RUNNING.year}\\.pdf$`))
  expect(report.bytes.subarray(0, 5).toString()).toBe('%PDF-')
  expect(report.bytes.toString('latin1').match(/\/Type \/Page\b(?!s)/g)).toHaveLength(1)
  const table = await saved(page, () => askFile(page, 'Export Excel'))
  expect(table.name).toBe(`${RUNNING.year}_adherence_data.xlsx`)
  expect(table.bytes.subarray(0, 2).toString()).toBe('PK')
})

test('the monthly report: somebody is added, stops it in the account menu, and its link leads to the file', {
  tag: '@main',
}, async ({ page }) => {
  await open(page, '/financials', await makeCompany())
  await askFile(page, 'Monthly report by email…')
  const list = page.getByRole('dialog', { name: 'Monthly report by email' })
  await expect(list.getByText('Nobody gets it yet.')).toBeVisible()
  await list.getByRole('button', { name: 'Add somebody…' }).click()
  const form = page.getByRole('dialog', { name: 'Add somebody' })
  await form.getByLabel('Who').selectOption({ index: 1 })
  await form.getByLabel('Report of').selectOption('Whole company')
  await form.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(list.getByText('Test Person (you)')).toBeVisible()
  await expectAccessibleInBoth(page, 'monthly report', '[role=dialog]')
  await page.keyboard.press('Escape')
  await expect(list).toHaveCount(0)

  await page.getByRole('navigation', { name: 'Main' }).hover()
  await page.getByRole('button', { name: /Test Person/ }).click()
  await page.getByRole('menuitem', { name: 'Monthly report' }).click()
  const mine = page.getByRole('dialog', { name: 'Monthly report' })
  await expect(mine.getByText('You get a monthly report by email of the whole company.')).toBeVisible()
  await mine.getByRole('button', { name: 'Stop monthly reports' }).click()
  await expect(mine.getByText('You get no monthly reports. Nobody else can sign you up.')).toBeVisible()

  await page.goto(`/financials?period=${RUNNING.year}&report=company`)
  const ready = page.getByRole('dialog', { name: /^Report of Financial year/ })
  const { name } = await saved(page, () => ready.getByRole('button', { name: 'Download (PDF)' }).click())
  expect(name).toMatch(/\.pdf$/)
  await ready.getByRole('button', { name: 'Close' }).last().click()
  await expect(page).not.toHaveURL(/report=/)
})

test('every dialog can be reached by keyboard, in both themes and at 320 px', async ({ page }) => {
  test.setTimeout(180_000)
  await open(page, '/financials', await makeCompany())
  await expect(grid(page)).toBeVisible()
  await expectDialog(page, ['targets', { button: 'Targets' }])
  await expectDialog(page, ['set a target', { button: 'Targets' }, { button: 'Set a target…' }])
  await expectDialog(page, ['save a view', { button: 'Views', item: 'Save this view…' }])
  await expectDialog(page, ['monthly report', { button: 'Download', item: 'Monthly report by email…' }])
})
