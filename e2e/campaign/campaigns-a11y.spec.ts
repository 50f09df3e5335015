import { expect, type Locator, type Page, test } from '@playwright/test'
import { expectAccessible, expectAccessibleInBoth, OPENED } from '../support/axe.ts'
import { dialog } from '../support/dialog.ts'
import { makeNetwork, texted } from '../support/messaging.ts'
import { open, signInAs } from '../support/people.ts'

/** The dialogs with an address, by title. */
const DIALOGS = {
  campaigns: 'Campaigns',
  'new-campaign': 'New campaign',
  templates: 'Templates',
  'new-template': 'New Template',
  recommendations: 'Recommendations',
  replies: 'Replies',
  'sending-rules': 'Sending rules',
  'sms-cost': 'How text parts are counted',
  'ai-help': /./,
} as const

const WINDOWS = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
] as const

/** The open dialog has stopped moving, and all its data has arrived. */
async function ready(page: Page, opened: Locator): Promise<void> {
  await expect(opened).toBeVisible()
  await expect(opened).toHaveCSS('opacity', '1')
  await page.waitForLoadState('networkidle')
}

const noWider = async (page: Page, width: number, state: string) =>
  expect.soft(await page.evaluate(() => document.documentElement.scrollWidth), state).toBe(width)

for (const viewport of WINDOWS) {
  const tag = viewport === WINDOWS[0] ? '@main' : []
  test.describe(`${viewport.width} wide`, () => {
    test.use({ viewport })
    test.setTimeout(300_000)

    test('Campaigns', { tag }, async ({ page }) => {
      await open(page, '/campaigns')
      await expect(page.getByRole('table', { name: 'Messages by pharmacy' })).toBeVisible()
      await page.waitForLoadState('networkidle')
      await expectAccessibleInBoth(page, 'Campaigns')
      await noWider(page, viewport.width, 'Campaigns')
    })

    test('every dialog of Campaigns with an address', async ({ page }) => {
      await signInAs(page)
      for (const [name, title] of Object.entries(DIALOGS)) {
        await page.goto(`/campaigns?dialog=${name}`)
        await ready(page, dialog(page, title))
        await expectAccessibleInBoth(page, name, OPENED)
        await noWider(page, viewport.width, name)
      }
    })
  })
}

test.describe('on a phone', () => {
  test.use({ viewport: WINDOWS[1] })
  test.setTimeout(120_000)

  test('the cohort and the question before sending', async ({ page }) => {
    const network = await makeNetwork({
      people: [texted(), texted({ sms_opt_out: true })],
      campaign: 'Repeats due',
    })
    await open(page, '/campaigns?dialog=campaigns', network.username)
    const campaigns = dialog(page, 'Campaigns')
    await campaigns.getByRole('button', { name: /^Repeats due/ }).click()
    await campaigns.getByRole('button', { name: 'Activate…' }).click()
    const sure = dialog(page, 'Send “Repeats due”?')
    await expect(sure.getByRole('button', { name: 'Send 1 text, $0.12' })).toBeVisible()
    await sure.getByText('Who is held back, and what it costs').click()
    await ready(page, sure)
    await expectAccessibleInBoth(page, 'before sending', OPENED)
    await noWider(page, WINDOWS[1].width, 'before sending')
    await page.keyboard.press('Escape')
    await campaigns.getByRole('button', { name: 'Edit' }).click()
    await dialog(page, 'Edit campaign').getByRole('button', { name: 'Refine Cohort' }).click()
    const cohort = dialog(page, /^Refine Cohort/)
    await expect(cohort.getByRole('button', { name: 'Save cohort of 1' })).toBeVisible()
    await ready(page, cohort)
    await expectAccessibleInBoth(page, 'cohort', OPENED)
    await noWider(page, WINDOWS[1].width, 'cohort')
  })
})

test('on a phone a list leads to the selected item, and Back leads to the list', async ({ page }) => {
  test.setTimeout(120_000)
  await page.setViewportSize({ width: 390, height: 844 })
  await signInAs(page)
  for (const name of ['campaigns', 'templates'] as const) {
    await page.goto(`/campaigns?dialog=${name}`)
    const opened = dialog(page, DIALOGS[name])
    const items = opened.getByRole('list', { name: DIALOGS[name] }).getByRole('button')
    await expect(items.first()).toBeVisible()
    // Acts on a single item are not offered beside a list.
    await expect(opened.getByRole('button', { name: /^(Activate|Deactivate)…/ })).toHaveCount(0)
    await items.nth(1).click()
    await expect(items.first()).toBeHidden()
    await expect(opened.getByRole('button', { name: /^(Activate|Deactivate)…/ })).toBeVisible()
    await opened.getByRole('button', { name: 'Back to the list' }).click()
    await expect(items.first()).toBeVisible()
  }
})

test('a search for a molecule without results says so, and can be changed', async ({ page }) => {
  await open(page, '/campaigns?dialog=new-campaign')
  await dialog(page, 'New campaign').getByRole('button', { name: 'Refine Cohort' }).click()
  const cohort = dialog(page, /^Refine Cohort/)
  const search = cohort.getByLabel('Search molecules')
  await search.fill('no such thing')
  await expect(cohort.getByText('No records found')).toBeVisible()
  await search.fill('metf')
  const found = cohort.getByRole('listbox', { name: 'Molecules' }).getByRole('option')
  await expect(found.first()).toContainText(/metformin/i)
  await cohort.getByRole('listbox', { name: 'Molecules' }).focus()
  await page.keyboard.press('Space')
  await expect(found.first()).toHaveAttribute('aria-selected', 'true')
})

test('the calendar of an end date opens where days can be picked, and its arrows have names', async ({ page }) => {
  await open(page, '/campaigns?dialog=new-campaign')
  const form = dialog(page, 'New campaign')
  const year = new Date().getUTCFullYear() + 1
  await form.getByLabel('Start date').fill(`20/06/${year}`)
  await form.getByLabel('End date').click()
  await expect(page.getByRole('button', { name: `20 June ${year}`, exact: true })).toBeEnabled()
  await expectAccessible(page, 'the calendar', OPENED)
  await page.getByRole('button', { name: 'Next month' }).click()
  await page.getByRole('button', { name: `3 July ${year}`, exact: true }).click()
  await expect(form.getByLabel('End date')).toHaveValue(`03/07/${year}`)
})

test('a link that names no campaign says so, and leads back', async ({ page }) => {
  await open(page, '/campaigns?dialog=edit-campaign&campaign=cut-off')
  await expect(dialog(page, 'Edit campaign')).toContainText('This link names no campaign')
  await dialog(page, 'Edit campaign').getByRole('link', { name: 'All campaigns' }).click()
  await expect(dialog(page, 'Campaigns')).toBeVisible()
})
