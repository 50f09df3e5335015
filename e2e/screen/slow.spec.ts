import type { ReplyOf } from '@pillar/contract'
import type { financials } from '@pillar/contract/financials'
import { expect, type Page, test } from '@playwright/test'
import { hold } from '../support/faults.ts'
import { grid } from '../support/grid.ts'
import { open, RUNNING, signInAs } from '../support/people.ts'

type Info = ReplyOf<typeof financials.initInfo>

const download = (page: Page) => page.getByRole('button', { name: 'Download', exact: true })
const byMail = (page: Page) => page.getByRole('menuitem', { name: 'Monthly report by email…' })
const mails = (page: Page) => page.getByRole('dialog', { name: 'Monthly report by email' })

/** Presses a menu item, and releases the pointer only once `meanwhile` is done. */
async function pressOver(page: Page, item: ReturnType<typeof byMail>, meanwhile: () => Promise<void>): Promise<void> {
  await item.hover()
  await page.mouse.down()
  await meanwhile()
  await page.mouse.up()
}

test('a list that is still loading has no page arrows', async ({ page }) => {
  const release = await hold(page, '**/api/sequence/admin/search')
  await open(page, '/settings?tab=7&list=pharmacy', 'support')
  const pager = page.getByRole('navigation', { name: 'Pages' })
  await expect(pager).toBeVisible()
  await expect(pager.getByRole('button')).toHaveCount(0)
  release()
  await expect(pager.getByRole('button', { name: 'Next page' })).toBeVisible()
})

test('the menu of files does not move while the table arrives, so a click on it counts', async ({ page }) => {
  const release = await hold(page, '**/api/enterprise-pharmacy-table')
  await open(page)
  await download(page).click()
  await pressOver(page, byMail(page), async () => {
    release()
    await expect(page.getByRole('menuitem', { name: 'Export CSV' })).toBeEnabled()
    await expect(grid(page)).toBeVisible()
  })
  await expect(mails(page)).toBeVisible()
})

test('the menu of files does not move while the single filtered pharmacy is read', async ({ page }) => {
  const ask = await signInAs(page)
  const { pharmacies } = await ask<Info>('enterprise-init-info', RUNNING)
  const postcodes = pharmacies.map(({ postcode }) => postcode)
  const alone = postcodes.find((one) => postcodes.indexOf(one) === postcodes.lastIndexOf(one))
  const release = await hold(page, '**/api/enterprise-init-info')
  await page.goto(`/financials?postcode=${alone}`)
  await download(page).click()
  await pressOver(page, byMail(page), async () => {
    release()
    await expect(grid(page)).toBeVisible()
  })
  await expect(mails(page)).toBeVisible()
})

test('the menu of views does not move while the views are read', async ({ page }) => {
  const view = {
    ...{ id: '01980000-0000-7000-8000-000000000001', name: 'Mine', shared: false, mine: true, may_change: true },
    ...{ made_by: null, is_default: false, state: { statistic: 'loyalty' }, version: 1 },
  }
  let release = () => {}
  const held = new Promise<void>((done) => {
    release = done
  })
  await page.route('**/api/saved-view/list', async (route) => {
    await held
    await route.fulfill({ json: { views: [view] } })
  })
  await open(page, '/financials?statistic=scripts')
  await page.getByRole('button', { name: 'Views', exact: true }).click()
  await pressOver(page, page.getByRole('menuitem', { name: 'Save this view…' }), async () => {
    release()
    await expect(page.getByRole('menuitem', { name: 'Mine' })).toBeVisible()
  })
  await expect(page.getByRole('dialog', { name: 'Save this view' })).toBeVisible()
})

test('a dialog whose file is slow says so, and opens once it has loaded', async ({ page }) => {
  const release = await hold(page, /\/assets\/ReportMailDialog-[^/]*\.js$/)
  await open(page)
  await download(page).click()
  await byMail(page).click()
  await expect(page.getByRole('dialog').getByText('Loading records, please wait...')).toBeVisible()
  release()
  await expect(mails(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(download(page)).toBeFocused()
})

test('a dialog whose file fails to load says so, leaves the page unchanged, and opens the next time', async ({
  page,
}) => {
  const files = /\/assets\/ReportMailDialog-[^/]*\.js$/
  let file = ''
  await page.route(files, (route) => {
    file = route.request().url()
    return route.abort()
  })
  await open(page)
  await expect(grid(page)).toBeVisible()
  await download(page).click()
  await byMail(page).click()
  const missing = page.getByRole('dialog', { name: 'This part of the page did not load' })
  await expect(missing.getByRole('button', { name: 'Load the page again' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(grid(page)).toBeVisible()
  await page.unroute(files)
  // Older browsers remember a failed load until the page is reloaded, whoever requests it.
  const remembered = await page.evaluate((url) => import(url).then(() => false).catch(() => true), file)
  await download(page).click()
  await byMail(page).click()
  if (remembered) {
    await Promise.all([page.waitForEvent('load'), missing.getByRole('button', { name: 'Load the page again' }).click()])
    await expect(grid(page)).toBeVisible()
    await download(page).click()
    await byMail(page).click()
  }
  await expect(mails(page)).toBeVisible()
})

test('a dialog whose style sheet fails to load is not shown without styles the next time', async ({ page }) => {
  const sheet = /\/assets\/MessageHistory-[^/]*\.css$/
  await page.route(sheet, (route) => route.abort())
  await open(page)
  const history = async () => {
    await page.getByRole('button', { name: 'Helen Kowalski' }).click()
    await page.getByRole('menuitem', { name: 'Message History Report' }).click()
  }
  await history()
  await expect(page.getByRole('dialog', { name: 'This part of the page did not load' })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.unroute(sheet)
  await history()
  const dates = page.getByRole('dialog', { name: 'Generate Message History Report' }).locator('[class*=_dates_]')
  await expect(dates).toHaveCSS('display', /grid|flex/)
})

test('a page opened before a newer version was installed is loaded again for a screen whose files are gone', async ({
  page,
}) => {
  const files = /\/assets\/CampaignsPage-[^/]*$/
  await open(page)
  await expect(grid(page)).toBeVisible()
  await page.route(files, (route) => route.fulfill({ status: 404, contentType: 'text/plain', body: 'Not found' }))
  // The page itself then comes from the newer version, whose files are there.
  const again = page.waitForRequest((request) => request.isNavigationRequest()).then(() => page.unroute(files))
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Campaigns' }).click()
  await again
  await expect(page.getByRole('heading', { level: 1, name: 'Campaigns' })).toBeVisible()
})

test('a tab of Settings whose files are gone says so, and the other tabs stay', async ({ page }) => {
  await open(page, '/settings', 'support')
  const tabs = page.getByRole('navigation', { name: 'Settings', exact: true })
  await page.route(/\/assets\/AuditPage-[^/]*$/, (route) => route.fulfill({ status: 404, body: 'Not found' }))
  await tabs.getByRole('link', { name: 'Audit' }).click()
  await expect(page.getByRole('heading', { name: 'This part of the page did not load' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Load the page again' })).toBeVisible()
  await tabs.getByRole('link', { name: 'Users' }).click()
  await expect(page.getByRole('searchbox', { name: 'Find a user' })).toBeVisible()
})

test('charts whose files are gone say so, and the table is still there', async ({ page }) => {
  await open(page)
  await expect(grid(page)).toBeVisible()
  await page.route(/\/assets\/Charts-[^/]*$/, (route) => route.fulfill({ status: 404, body: 'Not found' }))
  await page.getByRole('radio', { name: 'Chart' }).click()
  await expect(page.getByRole('heading', { name: 'This part of the page did not load' })).toBeVisible()
  await page.getByRole('radio', { name: 'Table' }).click()
  await expect(grid(page)).toBeVisible()
})
