import { expect, type Page, test } from '@playwright/test'
import { open } from '../support/people.ts'
import { beyond, cutOff, strayBars } from '../support/reach.ts'

/** The reader's browser setting; the default is 16. */
const OWN_SIZE = 24

/** Sets the font size of the browser itself, which no page can set. */
async function setFontSize(page: Page, standard: number): Promise<void> {
  const wire = await page.context().newCDPSession(page)
  await wire.send('Page.setFontSizes', { fontSizes: { standard, fixed: standard } })
}

/** The smallest visible text, in px. */
const smallest = (page: Page) =>
  page.evaluate(() => {
    const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    let least = Number.POSITIVE_INFINITY
    while (words.nextNode()) {
      const parent = words.currentNode.parentElement
      if (!words.currentNode.textContent?.trim() || !parent || parent.closest('script, style, noscript')) continue
      if (!parent.checkVisibility()) continue
      // A drawing grows as a whole.
      const drawn = parent instanceof SVGGraphicsElement ? (parent.getScreenCTM()?.a ?? 1) : 1
      least = Math.min(least, drawn * Number.parseFloat(getComputedStyle(parent).fontSize))
    }
    return least
  })

/** The main screens, each with the person who may open it; null for anybody. */
const SCREENS: readonly (readonly [path: string, name: string | null])[] = [
  ['/login', null],
  ['/calculator', null],
  ['/financials', 'headoffice'],
  ['/financials?view=chart', 'headoffice'],
  ['/campaigns', 'headoffice'],
  ['/campaigns?dialog=campaigns', 'headoffice'],
  ['/campaigns?dialog=new-campaign', 'headoffice'],
  ['/campaigns?dialog=templates', 'headoffice'],
  ['/sixtydd', 'headoffice'],
  ['/guildsixtydd', 'guild'],
  ['/s8management', 'controlled'],
  ['/referrals', 'trials'],
  ['/analytics', 'supplier'],
  ['/settings', 'support'],
  ['/settings?tab=1', 'support'],
]

for (const width of [1440, 390]) {
  test(`in a browser set to text of ${OWN_SIZE} px everything grows with it, and nothing is cut off at ${width} px`, async ({
    page,
  }) => {
    test.setTimeout(180_000)
    await page.setViewportSize({ width, height: width === 390 ? 844 : 900 })
    await setFontSize(page, OWN_SIZE)
    for (const [path, name] of SCREENS) {
      await (name === null ? page.goto(path) : open(page, path, name))
      await page.waitForLoadState('networkidle')
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
      expect.soft(await smallest(page), `${path}: the smallest text`).toBeGreaterThanOrEqual(11 * 1.5)
      expect.soft(await beyond(page), `${path}: in reach`).toEqual([])
      expect.soft(await cutOff(page), `${path}: cut off`).toEqual([])
      expect.soft(await strayBars(page), `${path}: scrollbars beside what is all shown`).toEqual([])
    }
  })
}
