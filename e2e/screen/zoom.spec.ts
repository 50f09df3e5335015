import { expect, test } from '@playwright/test'
import { settled } from '../support/grid.ts'
import { open } from '../support/people.ts'
import { beyond } from '../support/reach.ts'

/** The width left by a window of 1440 px at 200%, and of 1280 px at 400%. */
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

test('the menu of a small screen closes with Escape, wherever the keyboard is, and returns the focus', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await open(page)
  const rail = page.locator('#rail')
  await page.getByRole('button', { name: 'Menu', exact: true }).press('Enter')
  await rail.getByRole('link', { name: 'Campaigns and Marketing' }).focus()
  await page.keyboard.press('Tab')
  await expect(rail).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(rail).toBeHidden()
  await expect(page.getByRole('button', { name: 'Menu', exact: true })).toBeFocused()
})

for (const width of WIDTHS) {
  test(`enlarged until ${width} px are left, everything can be reached`, async ({ page }) => {
    test.setTimeout(120_000)
    await page.setViewportSize({ width, height: 512 })
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
      // The buttons at the foot leave room for the content above them.
      const body = page.getByRole('dialog').locator('[class*=_body_]').first()
      const { height } = (await body.boundingBox()) ?? { height: 0 }
      expect.soft(height, `${name}: room between head and foot`).toBeGreaterThan(150)
    }
  })
}
