import { expect, type Page, test } from '@playwright/test'
import { open } from '../support/people.ts'

/** What has the focus: its role or tag, and its words. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const one = document.activeElement!
    return `${one.getAttribute('role') ?? one.tagName.toLowerCase()} ${one.getAttribute('aria-label') ?? one.textContent}`
  })

for (const [name, first] of [
  ['campaigns', 'Find a campaign'],
  ['templates', 'Find a template'],
  ['recommendations', 'Find a recommended campaign'],
] as const) {
  test(`the dialog of ${name} opens with the focus in its list, not on its ×`, async ({ page }) => {
    await open(page, `/campaigns?dialog=${name}`)
    await expect(page.getByRole('searchbox', { name: first })).toBeFocused()
  })
}

test('on a phone such a dialog opens with the focus in its list, on nothing that brings up the keyboard', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await open(page, '/campaigns?dialog=templates')
  await expect(page.getByRole('dialog', { name: 'Templates' })).toBeVisible()
  await expect.poll(() => focused(page)).toMatch(/^button (?!Close)/)
})

test('while the session opens the place of the rail is there at once, and the screen begins beside it', async ({
  page,
}) => {
  let release = () => {}
  const held = new Promise<void>((done) => {
    release = done
  })
  await open(page)
  await page.route('**/api/refresh', async (route) => {
    await held
    await route.continue()
  })
  await page.reload()
  const words = page.getByText('Opening your session...')
  await expect(words).toBeVisible()
  const left = (await words.boundingBox())!.x
  expect(left).toBeGreaterThanOrEqual(56)
  await expect(
    page
      .locator('#root > div')
      .filter({ has: page.locator('svg') })
      .last(),
  ).toHaveCSS('width', '56px')
  release()
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
  await expect(words).toHaveCount(0)
})

test('the screen stays in its frame while another one is opened', async ({ page }) => {
  await open(page)
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
  const gone = page.evaluate(
    () =>
      new Promise<boolean>((done) => {
        const rail = document.querySelector('nav#rail')
        new MutationObserver(() => rail?.isConnected || done(true)).observe(document.body, {
          ...{ childList: true, subtree: true },
        })
        setTimeout(() => done(false), 3000)
      }),
  )
  const rail = page.getByRole('navigation', { name: 'Main' })
  await rail.hover()
  await rail.getByRole('link', { name: 'Campaigns' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Campaigns' })).toBeVisible()
  expect(await gone).toBe(false)
})
