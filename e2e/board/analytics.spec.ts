import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page, test } from '@playwright/test'
import { openSuperset } from '../../apps/server/src/gateways/superset.ts'
import { startSuperset } from '../../apps/server/test/outside/superset.ts'
import { expectAccessible, expectAccessibleInBoth } from '../support/axe.ts'
import { open } from '../support/people.ts'

const DASHBOARD = '0192d3b0-0019-7000-8000-000000000001'
const boardOf = (page: Page) => page.frameLocator('iframe')
const tabs = (page: Page) => page.getByRole('navigation', { name: 'Dashboards' })
/** Published during the night after the first start; a test may run before that. */
const PUBLISHED = { timeout: 60_000 }

async function untilPublished(page: Page): Promise<void> {
  await expect(async () => {
    await page.reload()
    await expect(boardOf(page).getByRole('heading', { level: 2 }).nth(1)).toBeVisible({ timeout: 8_000 })
  }).toPass(PUBLISHED)
}

test('a supplier sees its products against the rest, and the address keeps the view', { tag: '@main' }, async ({
  page,
}) => {
  test.setTimeout(120_000)
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  await open(page, '/analytics', 'supplier')
  await expect(page).toHaveTitle('Analytics Dashboard - Pillar')
  await expect(tabs(page).getByRole('link')).toHaveText(['Supplier', 'Industry Dashboard'])
  await expect(tabs(page).getByRole('link', { name: 'Supplier' })).toHaveAttribute('aria-current', 'page')
  await untilPublished(page)
  const board = boardOf(page)
  await expect(board.getByText(/^Our share of .+ scripts$/)).toBeVisible()
  const types = board.getByLabel('Drug type', { exact: true })
  const second = String(await types.locator('option').nth(1).textContent())
  await types.selectOption(second)
  await expect(page).toHaveURL(new RegExp(`about=${encodeURIComponent(second).replaceAll('%20', '(%20|\\+)')}`))
  await expect(board.getByText(`Our share of ${second} scripts`)).toBeVisible()

  // The figures as a table and as a file, by keyboard.
  const picture = board.getByRole('button', { name: /as table$/ }).first()
  await picture.focus()
  await page.keyboard.press('Enter')
  await expect(board.getByRole('table').first()).toContainText('%')
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    board
      .getByRole('button', { name: /^Download/ })
      .first()
      .click()
      .then(() => board.getByRole('menuitem', { name: 'Figures (CSV)' }).click()),
  ])
  expect(file.suggestedFilename()).toMatch(/\.csv$/)

  // The frame is another origin: it has no session, and no address contains a token.
  const frame = page.frames().find((one) => one.url().includes('/embedded/'))!
  expect(new URL(frame.url()).origin).not.toBe(new URL(page.url()).origin)
  expect(await frame.evaluate(() => document.cookie)).toBe('')
  expect(requests.filter((url) => /eyJ|token=/.test(url))).toEqual([])
  await page.reload()
  await expect(board.getByLabel('Drug type', { exact: true })).toHaveValue(second)
  await expectAccessibleInBoth(page, 'Analytics of a supplier')
})

test('a board is accessible inside its frame of another origin, in both themes', async ({ page }) => {
  test.setTimeout(120_000)
  await open(page, '/analytics', 'supplier')
  await untilPublished(page)
  const root = boardOf(page).locator('html')
  for (const theme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
    await expect(root).toHaveAttribute('data-theme', theme)
    await expectAccessible(page, `the board, ${theme}`, [['iframe', 'main']])
  }
  // The accessibility checks reach into the frame: a fault planted there is found.
  await root.evaluate(() => {
    document.querySelector('main')!.append(document.createElement('button'))
  })
  const { violations } = await new AxeBuilder({ page }).include(['iframe', 'main']).withRules(['button-name']).analyze()
  expect(violations.map(({ id }) => id)).toEqual(['button-name'])
})

test('an advertiser sees whom its messages reached, even on a phone', async ({ page }) => {
  test.setTimeout(120_000)
  await open(page, '/analytics', 'advertiser')
  await expect(tabs(page).getByRole('link')).toHaveText(['Advertising', 'Industry Dashboard'])
  await untilPublished(page)
  await expect(boardOf(page).getByRole('heading', { name: /people reached|No campaign has reached/ })).toBeVisible()
  await page.setViewportSize({ width: 390, height: 844 })
  await tabs(page).getByRole('link', { name: 'Industry Dashboard' }).click()
  await expect(boardOf(page).getByLabel('Drug type', { exact: true })).toBeVisible()
  const frame = page.frames().find((one) => one.url().includes('/embedded/'))!
  expect(await frame.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0)
  await expectAccessible(page, 'Analytics on a phone')
})

test('a failed dashboard says why, and tries again', async ({ page }) => {
  let away = true
  await page.route('**/api/superset-token', (route) =>
    away
      ? route.fulfill({
          status: 503,
          json: { code: 'unavailable', message: 'The analytics server cannot be reached: it refused the connection.' },
        })
      : route.continue(),
  )
  await open(page, '/analytics', 'supplier')
  await expect(page.getByRole('alert')).toContainText('The analytics server cannot be reached')
  away = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(boardOf(page).getByRole('heading').first()).toBeAttached()
})

test.describe('with an analytics server unknown to this installation', () => {
  test.use({ bypassCSP: true })

  test('the official SDK shows a dashboard of Superset and renews its token', async ({ page }) => {
    const superset = await startSuperset()
    superset.dashboards = [DASHBOARD]
    superset.lifetime = 6
    const { username, password } = superset.account
    const gateway = openSuperset({ SUPERSET_URL: superset.url, SUPERSET_USER: username, SUPERSET_PASSWORD: password })!
    const listed = {
      id: DASHBOARD,
      dashboard_id: DASHBOARD,
      name: 'Sales',
      dashboard_type: 'Supplier',
      domain_url: superset.url,
    }
    await page.route('**/api/get-dashboards', (route) => route.fulfill({ json: [listed] }))
    await page.route('**/api/superset-token', async (route) => {
      const token = await gateway.guestToken({ dashboardId: DASHBOARD, username: 'supplier', companyId: 42 })
      await route.fulfill({ json: { token } })
    })
    await open(page, '/analytics', 'supplier')
    await expect(boardOf(page).getByText('Token 1 for company_id = 42')).toBeVisible()
    await expect(boardOf(page).getByText('Token 2 for company_id = 42')).toBeVisible({ timeout: 15_000 })
    await expect(page.getByText('Loading Analytics...')).toBeHidden()
    const [embedded] = superset.heard.filter((one) => one.url.pathname.startsWith('/embedded/'))
    expect(embedded!.url.search).toBe('?uiConfig=1')
    expect(embedded!.headers.referer).toBe(`${new URL(page.url()).origin}/`)
    await superset.close()
  })
})
