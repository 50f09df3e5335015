import { expect, type Page, test } from '@playwright/test'
import { dialog } from '../support/dialog.ts'
import { refuse } from '../support/faults.ts'
import { grid, settled } from '../support/grid.ts'
import { open } from '../support/people.ts'

test.setTimeout(90_000)

/** A note above the old answer when reading it again fails: one note, gone once it succeeds. */
async function staysUntilRead(page: Page, what: string, mend: () => Promise<void>): Promise<void> {
  const said = page.getByRole('alert').filter({ hasText: `Could not refresh ${what}. Broken.` })
  await expect(said).toHaveCount(1)
  await mend()
  await said.getByRole('button', { name: 'Try again' }).click()
  await expect(said).toHaveCount(0)
}

const main = (page: Page) => page.getByRole('navigation', { name: 'Main' })

test('the table of Financials stays when it cannot be read again', async ({ page }) => {
  await page.clock.install()
  await open(page)
  await settled(page)
  await main(page).getByRole('link', { name: 'Campaigns and Marketing' }).click()
  await expect(page.getByRole('heading', { name: 'My pharmacies' })).toBeVisible()
  await page.clock.fastForward('01:05')
  const mend = await refuse(page, '**/api/enterprise-pharmacy-table')
  await main(page).getByRole('link', { name: 'Financials' }).click()
  await staysUntilRead(page, 'the table', async () => {
    await expect(grid(page)).toBeVisible()
    await mend()
  })
  await expect(grid(page)).toBeVisible()
})

test('the uploads of a pharmacy stay when they cannot be read again', async ({ page }) => {
  await open(page, '/settings?tab=0&find=Saltbush', 'support')
  await page.getByRole('button', { name: /^Details of Saltbush/ }).click()
  await page
    .getByRole('region', { name: 'Pharmacies' })
    .getByRole('button', { name: /^More about / })
    .first()
    .click()
  await page.getByRole('menuitem', { name: /upload/i }).click()
  const history = dialog(page, /^Pharmacy Upload History/)
  const uploads = history.getByRole('table', { name: 'Uploads' })
  await expect(uploads).toBeVisible()
  const mend = await refuse(page, '**/api/support/view-etl-queue-items')
  await history.getByRole('button', { name: 'Refresh uploads' }).click()
  await staysUntilRead(page, 'the uploads', async () => {
    await expect(uploads).toBeVisible()
    await mend()
  })
  await expect(uploads).toBeVisible()
})

test('a table in an opened row stays when it cannot be read again', async ({ page }) => {
  await page.clock.install()
  await open(page, '/settings?tab=0&find=Saltbush', 'support')
  const opener = page.getByRole('button', { name: /^Details of Saltbush/ })
  await opener.click()
  const pharmacies = page.getByRole('region', { name: 'Pharmacies' }).getByRole('table')
  await expect(pharmacies).toBeVisible()
  await opener.click()
  await page.clock.fastForward('01:05')
  const mend = await refuse(page, '**/api/company/*/locations')
  await opener.click()
  await staysUntilRead(page, 'pharmacies', async () => {
    await expect(pharmacies).toBeVisible()
    await mend()
  })
})

test('a growing list stays when it cannot be read again', async ({ page }) => {
  await page.clock.install()
  await open(page, '/campaigns?dialog=campaigns')
  const list = dialog(page, 'Campaigns').getByRole('list', { name: 'Campaigns' })
  await expect(list.getByRole('button').first()).toBeVisible()
  await page.keyboard.press('Escape')
  await page.clock.fastForward('01:05')
  const mend = await refuse(page, '**/api/campaign/enterprise/list')
  await page.getByRole('button', { name: 'All campaigns' }).click()
  await staysUntilRead(page, 'the campaigns', async () => {
    await expect(list.getByRole('button').first()).toBeVisible()
    await mend()
  })
})

const crumb = (page: Page, name: string) => page.getByRole('heading', { level: 1 }).getByRole('link', { name })

/** Pages of one item, how to reach them and go back up, and the reads that repeat on the way back. */
const PAGES = [
  {
    ...{ what: 'the pharmacy', title: 'the page of a pharmacy', up: 'Pharmacies', call: '**/api/enterprise-pharmacy' },
    enter: async (page: Page) => {
      await open(page)
      await settled(page)
      await page.getByRole('grid').getByRole('link').first().click()
    },
  },
  {
    ...{ what: 'the campaign', title: 'the page of a campaign', up: 'Campaigns' },
    call: '**/api/campaign/*/info/enterprise',
    enter: (page: Page) => open(page, '/campaigns/0192d3b0-0002-7000-8000-000000000003'),
  },
  {
    ...{ what: 'this pharmacy', title: 'a pharmacy’s register', up: 'S8 Management', call: '**/api/s8/*/info' },
    enter: async (page: Page) => {
      await open(page, '/s8management', 'controlled')
      await page.getByRole('table', { name: 'Pharmacies' }).getByRole('link').first().click()
    },
  },
]

for (const { what, title, up, call, enter } of PAGES)
  test(`${title} stays when it cannot be read again`, async ({ page }) => {
    await page.clock.install()
    await enter(page)
    const name = page.getByRole('heading', { level: 1 })
    await expect(name).toContainText(up)
    await expect(name).not.toHaveText(new RegExp(`^${up}\\s+(Pharmacy|Campaign)$`))
    const was = await name.textContent()
    await crumb(page, up).click()
    await expect(crumb(page, up)).toHaveCount(0)
    await page.clock.fastForward('01:05')
    const mend = await refuse(page, call)
    await page.goBack()
    await staysUntilRead(page, what, async () => {
      await expect(name).toHaveText(was!)
      await mend()
    })
  })

test('register issues stay when they cannot be counted again', async ({ page }) => {
  await page.clock.install()
  await open(page, '/s8management', 'controlled')
  await page.getByRole('table', { name: 'Pharmacies' }).getByRole('link').first().click()
  await expect(crumb(page, 'S8 Management')).toBeVisible()
  await page.clock.fastForward('01:05')
  const mend = await refuse(page, '**/api/s8/attention/counts')
  await crumb(page, 'S8 Management').click()
  await staysUntilRead(page, 'what needs attention', async () => {
    await expect(page.getByRole('region', { name: 'Late count' }).getByRole('link')).toBeVisible()
    await mend()
  })
})
