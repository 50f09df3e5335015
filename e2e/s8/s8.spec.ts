import { expect, test } from '@playwright/test'
import { expectAccessible, OPENED } from '../support/axe.ts'
import { open } from '../support/people.ts'

test('the S8 manager sees the issues, finds the altered entry, and prints a page of a register', {
  tag: '@main',
}, async ({ page }) => {
  await open(page, '/s8management', 'controlled')
  await expect(page).toHaveTitle('S8 Management - Pillar')
  const list = page.getByRole('table', { name: 'Pharmacies' })
  await expect(list.getByRole('columnheader')).toHaveText([
    ...[
      'Pharmacy',
      'Last Stocktake',
      'Overdue Products',
      'Incoming Scripts',
      'Incoming Invoices',
      'Owed Scripts',
      'Partial Supplies',
    ],
    ...[
      'Pending Countersigned',
      'Pending Destructions',
      'Active ODT Patients',
      'Pending ODT Claims',
      'Active SS Patients',
      'Last Upload',
    ],
  ])
  // Of a pharmacy that never sent its register nothing is counted: a row of zeros would read as all in order.
  const cells = await list
    .getByRole('row')
    .evaluateAll((rows) => rows.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent)))
  const silent = cells.filter((row) => row.at(-1) === '–')
  expect(silent).toEqual([Array.from({ length: 12 }, () => '–')])
  await expectAccessible(page, 'pharmacies')

  await page.getByRole('link', { name: /Needs attention/ }).click()
  const queue = page.getByRole('table', { name: 'Items' })
  const altered = queue.getByRole('row', { name: /Register altered/ })
  await expect(altered).toContainText(/Entry \d+ \(transaction \d+\) was altered or moved\./)
  await expect(altered).toContainText('Stop relying on this register.')
  await expectAccessible(page, 'needs attention')
  const number = /\(transaction (\d+)\)/.exec((await altered.textContent())!)![1]!
  await altered.getByRole('link').first().click()
  await expect(page.getByRole('region', { name: 'State of the register' })).toContainText('Register altered')
  // The entry itself, of whatever day, by the number that the item names.
  await expect(page.getByRole('searchbox', { name: 'Find an entry' })).toHaveValue(number)
  await expect(page.getByRole('table', { name: 'Entries' }).getByRole('row')).not.toHaveCount(1)

  await page.getByRole('button', { name: 'Contact' }).click()
  await expect(page.getByRole('dialog')).toContainText('Pharmacy Phone')
  await page.keyboard.press('Escape')
  await page.getByRole('radio', { name: 'Drug Register' }).click()
  const entries = page.getByRole('table', { name: 'Entries' })
  await expect(entries.getByRole('columnheader')).toHaveText([
    ...[
      'Date',
      'Product',
      'Balance Check',
      'Action',
      'Name',
      'Address',
      'In',
      'Out',
      'Balance',
      'Reference #',
      'Pharmacist',
      'Doctor',
      'Note',
    ],
  ])
  await expectAccessible(page, 'drug register')
  // On paper too it says which days it covers, and what was searched for.
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('button', { name: /^Days/ })).toBeVisible()
  await expect(page.getByRole('searchbox', { name: 'Find an entry' })).toBeHidden()
  await page.emulateMedia({ media: 'screen' })
  await page.getByRole('searchbox', { name: 'Find an entry' }).fill('Oxycodone')
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('searchbox', { name: 'Find an entry' })).toBeVisible()
  await page.emulateMedia({ media: 'screen' })
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  expect((await saved).suggestedFilename()).toMatch(/_drug_register\.csv$/)

  await page.getByRole('radio', { name: 'Stock Register' }).click()
  await page.getByRole('link', { name: /^Page of Oxycodone 5 mg tablet/ }).click()
  const sheet = page.getByRole('article', { name: 'Register page' })
  await expect(sheet).toContainText('Opening balance')
  await expect(sheet).toContainText('Closing balance')
  await expect(sheet).toContainText('This register is not as it was written.')
  await expectAccessible(page, 'register page')
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('button', { name: 'Print' })).toBeHidden()
  await expect(sheet).toBeVisible()
  // Longer than a sheet, it begins on the first one all the same.
  await expect(sheet).toHaveCSS('break-inside', 'auto')
})

test('a row opens its pharmacy on a phone in dark mode, and nothing extends off the side', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await open(page, '/s8management', 'controlled')
  await page.getByRole('table', { name: 'Pharmacies' }).getByRole('cell').first().click()
  await expect(page.getByRole('region', { name: 'State of the register' })).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('S8 Management')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await expectAccessible(page, 'stock register on a phone')
})

test('the drug register shows what came in, what went out, and a balance beside the one recorded', {
  tag: '@main',
}, async ({ page }) => {
  type Entry = { in: number; out: number; balance: number; stated_balance: number | null; balance_check_status: string }
  const answers: Entry[][] = []
  page.on('response', async (response) => {
    if (response.url().endsWith('/drug-register')) answers.push((await response.json()).results)
  })
  await open(page, '/s8management?view=attention&kind=balance', 'controlled')
  await page.getByRole('table', { name: 'Items' }).getByRole('row').nth(1).getByRole('link').first().click()
  const number = (value: number) => value.toLocaleString('en-AU', { minimumFractionDigits: value % 1 ? 2 : 0 })
  const moved = (value: number) => (value === 0 ? '' : number(value))
  const expected = () =>
    answers
      .at(-1)!
      .map((one) => [
        moved(one.in),
        moved(one.out),
        `${number(one.balance)}${one.balance_check_status === 'incorrect' ? `recorded ${number(one.stated_balance!)}` : ''}`,
      ])
  const shown = () =>
    page
      .getByRole('table', { name: 'Entries' })
      .locator('tbody tr')
      .evaluateAll((rows) => rows.map((row) => [...row.querySelectorAll('td.num')].map((cell) => cell.textContent)))
  const has = (of: (entry: Entry) => boolean) => () => answers.at(-1)?.some(of)
  await expect.poll(has((one) => one.balance !== one.stated_balance)).toBe(true)
  await expect.poll(shown).toEqual(expected())
  // Those that are wrong are counts; all others move something.
  await page.goto(page.url().replace('balance=incorrect&', ''))
  await expect.poll(has((one) => one.in > 0)).toBe(true)
  expect(has((one) => one.out > 0)()).toBe(true)
  await expect.poll(shown).toEqual(expected())
})

test('the versions of an entry that was sent twice are compared, and what differs is named', async ({ page }) => {
  await open(page, '/s8management?view=attention&kind=contradiction', 'controlled')
  await page.getByRole('button', { name: 'Compare the versions' }).first().click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('The register keeps the first version')
  await expect(dialog).toContainText('They differ in: Out.')
  const versions = dialog.getByRole('table', { name: 'Versions' })
  await expect(versions.getByRole('columnheader')).toHaveText(['Kept', 'Sent later'])
  await expectAccessible(page, 'two versions', OPENED)
  await page.setViewportSize({ width: 390, height: 844 })
  // Both versions are in view, without scrolling sideways.
  const box = await versions.boundingBox()
  expect(box!.x + box!.width).toBeLessThanOrEqual(390)
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await expect(dialog).toBeHidden()
})

test('on a phone the address of whom to ask breaks before its @, not within a word', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await open(page, '/s8management?view=attention', 'controlled')
  const breaks = page.getByRole('table').locator('wbr')
  await expect(breaks.first()).toBeAttached()
  const linesAfterAt = await breaks.evaluateAll((all) =>
    all.map((one) => {
      const range = document.createRange()
      range.selectNodeContents(one.nextSibling!)
      return range.getClientRects().length
    }),
  )
  expect(linesAfterAt.every((lines) => lines === 1)).toBe(true)
})
