import { expect, test } from '@playwright/test'
import { dialog } from '../support/dialog.ts'
import { press, tabTo } from '../support/focus.ts'
import { grid, settled } from '../support/grid.ts'
import { makeNetwork, texted } from '../support/messaging.ts'
import { open, PASSWORD } from '../support/people.ts'

test.setTimeout(120_000)
test.use({ reducedMotion: 'no-preference' })

test('by keyboard alone: from the rail into a campaign, and back to the starting point', { tag: '@main' }, async ({
  page,
}) => {
  const network = await makeNetwork({ people: [texted()], campaign: 'Repeats due' })
  await open(page, '/financials', network.username)
  await press(page, page.getByRole('link', { name: 'Campaigns and Marketing' }))
  await expect(page).toHaveURL('/campaigns')
  const all = page.getByRole('button', { name: 'All campaigns' })
  await press(page, all)
  const campaigns = dialog(page, 'Campaigns')
  await press(page, campaigns.getByRole('button', { name: 'Activate…' }))
  const sure = dialog(page, 'Send “Repeats due”?')
  await expect(sure.getByLabel('Password', { exact: true })).toBeFocused()
  // The focus stays inside the open dialog.
  for (let presses = 0; presses < 12; presses++) await page.keyboard.press('Tab')
  expect(await sure.evaluate((element) => element.contains(document.activeElement))).toBe(true)
  await page.keyboard.press('Escape')
  await expect(sure).toHaveCount(0)
  await expect(campaigns.getByRole('button', { name: 'Activate…' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(campaigns).toHaveCount(0)
  await expect(all).toBeFocused()
})

test('the key / moves to the search of the page, or of the open dialog', async ({ page }) => {
  const network = await makeNetwork({ people: [texted()], campaign: 'Repeats due' })
  await open(page, '/campaigns', network.username)
  const opener = page.getByRole('button', { name: 'All campaigns' })
  await press(page, opener)
  const campaigns = dialog(page, 'Campaigns')
  const find = campaigns.getByRole('searchbox', { name: 'Find a campaign' })
  await expect(campaigns.getByRole('button', { name: 'Activate…' })).toBeVisible()
  await page.keyboard.press('/')
  await expect(find).toBeFocused()
  await page.keyboard.type('a/b')
  await expect(find).toHaveValue('a/b')

  await open(page, '/settings?tab=0', 'support')
  await expect(page.getByRole('rowheader').first()).toBeVisible()
  await page.keyboard.press('/')
  await expect(page.getByRole('main').getByRole('searchbox')).toBeFocused()
})

test('by keyboard alone: a campaign is written, refined, activated, cancelled and left', async ({ page }) => {
  const network = await makeNetwork({ people: [texted(), texted()] })
  await open(page, '/campaigns', network.username)
  const opener = page.getByRole('button', { name: 'New campaign' })
  await press(page, opener)
  const form = dialog(page, 'New campaign')
  await expect(form.getByLabel('Campaign name')).toBeFocused()
  await page.keyboard.type('Repeats due')

  const pharmacies = form.getByRole('button', { name: /^Pharmacies/ })
  await press(page, pharmacies)
  await expect(page.getByRole('combobox', { name: 'Search Pharmacies' })).toBeFocused()
  // The options are reached with the arrows: the list itself, which does nothing with a key, is no stop.
  await expect(page.getByRole('listbox', { name: 'Pharmacies' })).toHaveAttribute('tabindex', '-1')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('option')).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Escape')
  await expect(form).toBeVisible()
  await expect(pharmacies).toBeFocused()
  await expect(pharmacies).toHaveAccessibleName(`Pharmacies ${network.pharmacies[0]!.name}`)

  for (const group of ['Goal type', 'Measure by']) {
    await press(page, form.getByRole('radiogroup', { name: group }).getByRole('radio').first(), 'Space')
  }
  await tabTo(page, form.getByLabel('Goal', { exact: true }))
  await page.keyboard.type('100')
  const refine = form.getByRole('button', { name: 'Refine Cohort' })
  await press(page, refine)
  const cohort = dialog(page, /^Refine Cohort/)
  const levels = cohort.getByRole('group', { name: 'Adherence' }).getByRole('button')
  await tabTo(page, levels.first())
  await page.keyboard.press('ArrowRight')
  await expect(levels.nth(1)).toBeFocused()
  await page.keyboard.press('Space')
  // A small list is open over the dialog: Escape closes only the list.
  await press(page, cohort.getByRole('button', { name: 'Age: another range' }))
  await expect(dialog(page, 'Age: another range').getByLabel('Range')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(dialog(page, 'Age: another range')).toHaveCount(0)
  await expect(cohort.getByRole('button', { name: 'Age: another range' })).toBeFocused()
  await press(page, cohort.getByRole('button', { name: /^Save cohort/ }))
  await expect(cohort).toHaveCount(0)
  await expect(refine).toBeFocused()

  await press(page, form.getByRole('checkbox', { name: new RegExp(network.template) }), 'Space')
  const activate = form.getByRole('button', { name: 'Activate…' })
  await press(page, activate)
  const sure = dialog(page, 'Send “Repeats due”?')
  await expect(sure.getByLabel('Password', { exact: true })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(sure).toHaveCount(0)
  await expect(activate).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(sure.getByRole('button', { name: 'Send 2 texts, $0.24' })).toBeEnabled()
  await expect(sure.getByLabel('Password', { exact: true })).toBeFocused()
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Enter')

  const campaigns = dialog(page, 'Campaigns')
  const back = campaigns.getByRole('button', { name: 'Cancel sending' })
  await expect(back).toBeVisible({ timeout: 30_000 })
  await press(page, back)
  const resume = campaigns.getByRole('button', { name: 'Resume…' })
  await expect(resume).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialog(page, /^Resume sending/)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(resume).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(campaigns).toHaveCount(0)
  await expect(opener).toBeFocused()
})

test('by keyboard alone: signing in, a figure of Financials, the patients behind it, and the file', async ({
  page,
}) => {
  await page.goto('/login')
  await tabTo(page, page.getByLabel('Username or email'))
  await page.keyboard.type('headoffice')
  await tabTo(page, page.getByLabel('Password', { exact: true }))
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/financials')
  await settled(page)

  const period = page.getByRole('button', { name: /^Financial year/ })
  await press(page, period)
  await expect(dialog(page, 'Period')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(period).toBeFocused()

  // Today is already shown: the link takes the focus, says why it leads nowhere, and leads nowhere.
  const today = page.getByRole('button', { name: 'Today' })
  await press(page, today)
  await expect(page.getByRole('tooltip')).toContainText('Figures are counted by month, quarter and year, not by day.')
  await expect(page).toHaveURL('/financials')

  await tabTo(page, page.getByRole('radio', { name: 'Revenue' }))
  for (const name of ['Number of Scripts', 'Adherence']) {
    await page.keyboard.press('ArrowRight')
    await expect(page.getByRole('radio', { name })).toBeFocused()
  }
  await settled(page)
  await tabTo(page, grid(page))
  await page.keyboard.press('ArrowRight')
  // For keyboard users, a cell's tooltip is shown under the table.
  const cell = grid(page).locator(`#${await grid(page).getAttribute('aria-activedescendant')}`)
  const words = (await cell.getAttribute('title')) ?? 'none'
  await expect(cell).toContainText(words)
  await expect(page.getByText(words, { exact: true }).last()).toBeVisible()
  await page.keyboard.press('Enter')
  const drawer = page.getByRole('dialog')
  await tabTo(page, drawer.getByRole('tab', { name: 'Trend' }))
  await page.keyboard.press('ArrowRight')
  await expect(drawer.getByRole('tab', { name: 'How this is calculated' })).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByText(/\d rows, \d+ a page/)).toBeVisible()
  await tabTo(page, page.getByRole('region', { name: 'Patients behind this number' }))
  await page.keyboard.press('Escape')
  await expect(drawer).toHaveCount(0)
  await expect(grid(page)).toBeFocused()

  const files = page.getByRole('button', { name: 'Download', exact: true })
  const file = page.waitForEvent('download')
  await tabTo(page, files, 'Shift+Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem', { name: 'Export CSV' })).toBeFocused()
  await page.keyboard.press('Enter')
  expect((await file).suggestedFilename()).toMatch(/\.csv$/)
  await expect(files).toBeFocused()
})

test('by keyboard alone: when a pressed control disappears or is disabled, focus moves to the one beside it', async ({
  page,
}) => {
  await open(page, '/financials')
  await settled(page)
  const period = page.getByRole('button', { name: /^Financial year/ })
  await page.getByRole('button', { name: 'Back one financial year' }).focus()
  await page.keyboard.press('Enter')
  const forward = page.getByRole('button', { name: 'Forward one financial year' })
  await forward.focus()
  await page.keyboard.press('Enter')
  await expect(forward).toHaveCount(0)
  await expect(period).toBeFocused()

  await open(page, '/settings?tab=0&find=Saltbush', 'support')
  await page.getByRole('button', { name: 'Clear search' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('searchbox', { name: 'Find a company' })).toBeFocused()
})

test('when search results remove the focused row, the focus moves on at once and is never lost', async ({ page }) => {
  let release = () => {}
  const held = new Promise<void>((done) => {
    release = done
  })
  await page.route('**/api/company/search', async (route) => {
    if (route.request().postDataJSON().name) await held
    await route.continue()
  })
  await open(page, '/settings?tab=0', 'support')
  const first = page.getByRole('button', { name: /^Edit / }).first()
  await expect(first).toBeVisible()
  await page.keyboard.press('/')
  await page.keyboard.type('Saltbush')
  await tabTo(page, first)
  // Records the focused element from now on, frame by frame.
  await page.evaluate(() => {
    const note = () => {
      if (document.activeElement === document.body) document.body.dataset.lost = 'yes'
      requestAnimationFrame(note)
    }
    note()
  })
  release()
  await expect(page.getByRole('rowheader')).toHaveText(['Saltbush Pharmacy Group'])
  await expect(page.getByRole('row').getByRole('button').and(page.locator(':focus'))).toHaveCount(1)
  expect(await page.evaluate(() => document.body.dataset.lost)).toBeUndefined()
})

test('once a dialog and its question have closed, the focus returns once, and a person who has moved on keeps theirs', async ({
  page,
}) => {
  await open(page, '/settings?tab=2', 'support')
  const opener = page.getByRole('button', { name: 'Create Recommended Template' })
  await opener.focus()
  await page.keyboard.press('Enter')
  const form = page.getByRole('dialog', { name: 'Create recommended template' })
  await form.getByLabel('Template name').fill(`Moved on ${Date.now()}`)
  await form.getByRole('textbox', { name: 'Message' }).fill('Ready at {Pharmacy Name}')
  await form.getByRole('button', { name: 'Create', exact: true }).focus()
  await page.keyboard.press('Enter')
  await page.getByLabel('Password', { exact: true }).last().fill(PASSWORD)
  // As quickly as possible: the key / at the moment the button has the focus again.
  await opener.evaluate((button) => {
    const onFocus = () => {
      const key = new KeyboardEvent('keydown', { key: '/', bubbles: true, cancelable: true })
      button.dispatchEvent(key)
    }
    button.addEventListener('focus', onFocus, { once: true })
  })
  await page.keyboard.press('Enter')
  const search = page.getByRole('searchbox', { name: 'Find a recommended template' })
  await expect(search).toBeFocused()
  await page.waitForTimeout(500)
  await expect(search).toBeFocused()
})
