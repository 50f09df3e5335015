import { expect, type Page, test } from '@playwright/test'
import { settled } from '../support/grid.ts'
import { open } from '../support/people.ts'

/** What a window of 1440 px leaves at 200 %, and one of 1280 px at 400 %. */
const WIDTHS = [720, 320] as const

const DIALOGS = [
  'campaigns',
  'new-campaign',
  'templates',
  'new-template',
  'recommendations',
  'sending-rules',
  'sms-cost',
  'ai-help',
] as const

/** What lies beyond the edge of the window with nothing to scroll it into view. */
const beyond = (page: Page) =>
  page.evaluate(() => {
    const found: string[] = []
    const scrolls = (element: Element | null): boolean =>
      element !== null && (/auto|scroll/.test(getComputedStyle(element).overflowX) || scrolls(element.parentElement))
    for (const element of document.querySelectorAll<HTMLElement>('button, a, input, select, h1, h2, h3')) {
      const box = element.getBoundingClientRect()
      if (box.width < 2 || box.height < 2 || getComputedStyle(element).visibility === 'hidden') continue
      if (element.closest('#rail, .sr, .skip')) continue
      if ((box.right > window.innerWidth + 1 || box.left < -1) && !scrolls(element.parentElement)) {
        found.push(`${element.tagName} ${element.getAttribute('aria-label') ?? element.textContent?.slice(0, 40)}`)
      }
    }
    if (document.documentElement.scrollWidth > window.innerWidth) found.push('the page scrolls sideways')
    return found
  })

for (const width of WIDTHS) {
  test(`enlarged until ${width} px are left, everything can be reached`, async ({ page }) => {
    test.setTimeout(120_000)
    await page.setViewportSize({ width, height: 512 })
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await open(page)
    await settled(page)
    expect.soft(await beyond(page), 'Financials').toEqual([])
    for (const [button, name] of [
      [/^Financial year/, 'Period'],
      [/^Filter$/, 'Filter Category'],
    ] as const) {
      await page.getByRole('button', { name: button }).click()
      await expect(page.getByRole('dialog', { name })).toHaveCSS('opacity', '1')
      expect.soft(await beyond(page), name).toEqual([])
      await page.keyboard.press('Escape')
    }
    await page.goto('/campaigns')
    await expect(page.getByRole('table', { name: 'Messages by pharmacy' })).toBeVisible()
    expect.soft(await beyond(page), 'Campaigns').toEqual([])
    for (const name of DIALOGS) {
      await page.goto(`/campaigns?dialog=${name}`)
      await expect(page.getByRole('dialog')).toHaveCSS('opacity', '1')
      await page.waitForLoadState('networkidle')
      expect.soft(await beyond(page), name).toEqual([])
      // The buttons at the foot leave room for what stands above them.
      const body = page.getByRole('dialog').locator('[class*=_body_]').first()
      const { height } = (await body.boundingBox()) ?? { height: 0 }
      expect.soft(height, `${name}: room between head and foot`).toBeGreaterThan(150)
    }
  })
}
