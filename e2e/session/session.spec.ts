import { type BrowserContext, expect, type Page, test } from '@playwright/test'
import { settled } from '../support/grid.ts'
import { open } from '../support/people.ts'

/** The window is 900 seconds from the last refresh; the warning shows for its last 120. */
const warning = (page: Page) => page.getByRole('dialog', { name: 'Are you still there?' })

async function openAtRest(page: Page): Promise<void> {
  await page.clock.install()
  await open(page)
  await atRest(page)
}

/** All requests of the page have finished: a call still to be sent would refresh the session once the clock jumps. */
async function atRest(page: Page): Promise<void> {
  let last = Date.now()
  const note = () => {
    last = Date.now()
  }
  page.on('request', note)
  await settled(page)
  const patience = { message: 'the page asks for nothing more', intervals: [100] }
  await expect.poll(() => Date.now() - last, patience).toBeGreaterThan(1000)
  page.off('request', note)
}

/** Two tabs of one browser. The clock belongs to the browser context, so both use the same one. */
async function twoTabs(context: BrowserContext): Promise<[Page, Page]> {
  const [first, second] = [await context.newPage(), await context.newPage()]
  await openAtRest(first)
  await second.goto('/financials')
  await atRest(second)
  return [first, second]
}

/** Requests another period, and with it a new token. */
async function refreshingCall(tab: Page): Promise<void> {
  const refreshed = tab.waitForResponse('**/api/refresh')
  await tab.getByRole('button', { name: /^Back one/ }).click()
  expect((await refreshed).status()).toBe(200)
  await atRest(tab)
}

test.describe('the warning', () => {
  test.beforeEach(async ({ page }) => openAtRest(page))

  test('comes 120 seconds before the end, counts down, and Continue keeps the session', async ({ page }) => {
    await page.clock.fastForward('12:50')
    await expect(warning(page)).toHaveCount(0)
    await page.clock.fastForward('00:10')
    await expect(warning(page)).toContainText(/You will be signed out in (2:00|1:5\d)/)
    // Moving the mouse is no answer: automatic reads keep nothing open in the meantime.
    await page.mouse.move(300, 300)
    await page.clock.fastForward('01:30')
    await expect(warning(page)).toContainText(/You will be signed out in 0:(2|3)\d/)
    // The question must be answered: Esc does not close it.
    await page.keyboard.press('Escape')
    await expect(warning(page)).toBeVisible()

    const refreshed = page.waitForResponse('**/api/refresh')
    await warning(page).getByRole('button', { name: 'Continue' }).click()
    expect((await refreshed).status()).toBe(200)
    await expect(warning(page)).toHaveCount(0)
    // Past the end of the old window.
    await page.clock.fastForward('10:00')
    await expect(page).toHaveURL('/financials')
    await expect(warning(page)).toHaveCount(0)
  })

  test('Sign out ends the session, on the server too', async ({ page }) => {
    await page.clock.fastForward('13:30')
    await warning(page).getByRole('button', { name: 'Sign out' }).click()
    await expect(page).toHaveURL('/login')
    await expect(page.getByLabel('Username or email')).toBeVisible()
    await expect(page.getByText('You were signed out after')).toHaveCount(0)
    expect((await page.request.post('/api/refresh', { data: {} })).status()).toBe(401)
  })

  test('at zero the person is signed out and told why', { tag: '@main' }, async ({ page }) => {
    await page.clock.fastForward('13:30')
    await expect(warning(page)).toBeVisible()
    await page.clock.fastForward('01:31')
    await expect(page).toHaveURL('/login')
    await expect(page.getByText('You were signed out after 15 minutes of inactivity.')).toBeVisible()
    expect((await page.request.post('/api/refresh', { data: {} })).status()).toBe(401)
  })

  test('a Continue that fails says so and leaves the choice', async ({ page }) => {
    await page.clock.fastForward('13:30')
    await page.route('**/api/refresh', (route) => route.abort())
    await warning(page).getByRole('button', { name: 'Continue' }).click()
    await expect(warning(page).getByRole('alert')).toContainText('The server did not answer.')
    await page.unroute('**/api/refresh')
    await warning(page).getByRole('button', { name: 'Continue' }).click()
    await expect(warning(page)).toHaveCount(0)
  })
})

test('activity in one tab keeps the others open', async ({ context }) => {
  const [busy, idle] = await twoTabs(context)
  // A call more than five minutes after the last refresh refreshes first.
  await context.clock.fastForward('06:00')
  await refreshingCall(busy)
  await context.clock.fastForward('12:00')
  await expect(idle).toHaveURL('/financials')
  await expect(warning(idle)).toHaveCount(0)

  await context.clock.fastForward('02:00')
  await expect(warning(idle)).toBeVisible()
  await warning(busy).getByRole('button', { name: 'Continue' }).click()
  await expect(warning(busy)).toHaveCount(0)
  await expect(warning(idle)).toHaveCount(0)
})

test('two tabs that refresh at once do not log each other out', { tag: '@main' }, async ({ context }) => {
  const tabs = await twoTabs(context)
  for (let round = 0; round < 3; round++) {
    await context.clock.fastForward('06:00')
    await Promise.all(tabs.map(refreshingCall))
  }
  for (const tab of tabs) {
    await expect(tab.getByRole('grid')).toBeVisible()
    await expect(tab).toHaveURL(/\/financials/)
  }
})

test('signing out in one tab also signs out the others', async ({ context }) => {
  const [first, second] = await twoTabs(context)
  await first.getByRole('navigation', { name: 'Main' }).getByRole('button', { name: 'Helen Kowalski' }).click()
  await first.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(first).toHaveURL('/login')
  await expect(second).toHaveURL('/login')
})

test('a half-written form does not keep the page open when the session ends in another tab', async ({ context }) => {
  const [first, second] = await twoTabs(context)
  await second.goto('/campaigns?dialog=new-campaign')
  await second.getByRole('dialog').getByLabel('Campaign name').fill('Half written')
  const asked: string[] = []
  second.on('dialog', (question) => {
    asked.push(question.type())
    void question.dismiss()
  })
  await first.getByRole('navigation', { name: 'Main' }).getByRole('button', { name: 'Helen Kowalski' }).click()
  await first.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(second).toHaveURL('/login')
  expect(asked).toEqual([])
})
