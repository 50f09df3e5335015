import { expect, type Page, test } from '@playwright/test'
import { open } from '../support/people.ts'

/** Rail and gutter. */
const EDGE = 56 + 28
/** Anything that begins further right than this is in another column. */
const NEAR = 48

/** Headings and tabs at the left of the page that are not aligned with its gutter, with their position. */
const astray = (page: Page) =>
  page.evaluate(
    ({ edge, near }) =>
      [...document.querySelectorAll('main h1, main h2, main h4, main nav a')].flatMap((one) => {
        const range = document.createRange()
        range.selectNodeContents(one)
        const { left, width } = range.getBoundingClientRect()
        const off = width > 0 && Math.abs(left - edge) > 1 && Math.abs(left - edge) < near
        return off ? [`${one.textContent} at ${Math.round(left)}`] : []
      }),
    { edge: EDGE, near: NEAR },
  )

for (const [path, name] of [
  ['/financials?view=chart', 'headoffice'],
  ['pharmacy', 'headoffice'],
  ['campaign', 'headoffice'],
  ['/guildsixtydd', 'guild'],
  ['/referrals', 'trials'],
] as const) {
  test(`everything at the left of ${path} is aligned`, async ({ page }) => {
    const ask = await open(page, path === 'pharmacy' || path === 'campaign' ? '/financials' : path, name)
    if (path === 'pharmacy') await page.getByRole('link', { name: 'Twin Rivers Pharmacy' }).first().click()
    if (path === 'campaign') {
      const { campaigns } = await ask<{ campaigns: { campaign_id: string }[] }>('campaign/enterprise/list', { page: 1 })
      await page.goto(`/campaigns/${campaigns[0]?.campaign_id}`)
    }
    await expect(page.getByRole('button', { name: /as table$/ }).first()).toBeVisible()
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
    expect(await astray(page)).toEqual([])
  })
}
