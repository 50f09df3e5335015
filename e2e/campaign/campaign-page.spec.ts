import { expect, type Page, test } from '@playwright/test'
import { expectAccessibleInBoth } from '../support/axe.ts'
import { open } from '../support/people.ts'

const DIABETES = '0192d3b0-0002-7000-8000-000000000003'
const AT = `/campaigns/${DIABETES}`

test('a campaign’s page says how sure its results are, and its name links there', { tag: '@main' }, async ({
  page,
}) => {
  await open(page, '/campaigns?dialog=campaigns')
  const dialog = page.getByRole('dialog', { name: 'Campaigns' })
  await dialog.getByRole('button', { name: /Demo: diabetes review/ }).click()
  await dialog.getByRole('link', { name: 'Demo: diabetes review' }).click()
  await expect(page).toHaveURL(AT)
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Demo: diabetes review')
  for (const label of ['Patients reached', 'Cost', 'Revenue added', 'Return', 'Opt-outs'])
    await expect(page.getByRole('region', { name: label })).toBeVisible()
  const picture = page.getByRole('heading', { name: /messages were delivered$/ })
  await expect(picture).toBeVisible()
  // Each of its pharmacies has few messages, so none shows a result.
  await expect(page.getByRole('cell', { name: /Too few to tell/ }).first()).toBeVisible()
  await expect(page.getByRole('meter', { name: 'Goal' })).toHaveAttribute('aria-valuetext', /Start .*Now .*Goal /)
})

test('its charts are also tables, and arrow keys read them', async ({ page }) => {
  await open(page, AT)
  const group = page.getByRole('group', { name: /messages were delivered: arrow keys/ })
  await group.focus()
  await page.keyboard.press('ArrowRight')
  await expect(group.locator('[aria-live]')).toHaveText(/Delivered \d+/)
  await page.getByRole('button', { name: /messages were delivered” as table/ }).click()
  const table = page.getByRole('table', { name: /messages were delivered/ })
  await expect(table.getByRole('columnheader').filter({ hasText: 'Held back' })).toBeVisible()
  await page.getByRole('link', { name: 'Messages', exact: true }).focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${AT}?tab=messages`)
  await expect(page.getByRole('region', { name: 'Sending' })).toBeVisible()
})

test('while its messages are still loading, it does not claim that nothing was sent', async ({ page }) => {
  let answer = () => {}
  const held = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route(`**/api/campaign/${DIABETES}/run/enterprise`, async (route) => {
    await held
    await route.continue()
  })
  await open(page, `${AT}?tab=messages`)
  await expect(page.getByRole('heading', { name: /messages were delivered$/ })).toBeVisible()
  await expect(page.getByText('Nothing has been sent yet.')).toHaveCount(0)
  answer()
  await expect(page.getByRole('region', { name: 'Sending' })).toBeVisible()
})

for (const width of [1440, 390, 320])
  test(`none of it is wider than a window of ${width}, and it is accessible`, async ({ page }) => {
    await page.setViewportSize({ width, height: 844 })
    await open(page, AT)
    await expect(page.getByRole('heading', { name: /messages were delivered$/ })).toBeVisible()
    await page.waitForLoadState('networkidle')
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    if (width !== 390) await expectAccessibleInBoth(page, `campaign ${width}`)
  })

test('it prints completely, on white', async ({ page }) => {
  await open(page, AT)
  await expect(page.getByRole('heading', { name: /messages were delivered$/ })).toBeVisible()
  await expect(page.locator('table').first()).toBeVisible()
  await page.emulateMedia({ media: 'print' })
  const cut = await page.evaluate(() => {
    const table = document.querySelector('table')!.getBoundingClientRect()
    return table.bottom > document.documentElement.scrollHeight + 1
  })
  expect(cut).toBe(false)
})

test('a campaign without sent messages has not started', async ({ page }) => {
  await open(page, '/campaigns/0192d3b0-0002-7000-8000-000000000002')
  await expect(page.getByRole('heading', { name: 'Not started' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Revenue added' })).toContainText('Not started')
})

test('a campaign of a few dozen patients is too small even as a whole', async ({ page }) => {
  await open(page, '/campaigns/0192d3b0-0002-7000-8000-000000000005')
  await expect(page.getByRole('region', { name: 'Revenue added' })).toContainText('Too few to tell')
  await expect(page.getByRole('heading', { name: /messages were delivered$/ })).toBeVisible()
  await expect(page.getByText('Did it work?')).toHaveCount(0)
})

test('a campaign that began two pharmacies at a time shows its days, and for whom it worked', async ({ page }) => {
  await open(page, '/campaigns/0192d3b0-0002-7000-8000-000000000004')
  await page.getByRole('button', { name: /messages were delivered” as table/ }).click()
  const days = page.getByRole('table', { name: /messages were delivered/ }).getByRole('row')
  expect(await days.count()).toBeGreaterThan(14)
  await expect(page.getByText('Did it work?')).toBeVisible()
  const group = page.getByRole('group', { name: /^(Messages|No clear effect).*: arrow keys/ })
  await group.focus()
  for (const words of [/^All patients: .*between .* and .*messaged \d+, held out \d+/, /^Women: /, /^Men: /]) {
    await page.keyboard.press('ArrowRight')
    await expect(group.locator('[aria-live]')).toHaveText(words)
  }
  await page.getByRole('button', { name: /^Show “(Messages|No clear effect).*as table/ }).click()
  const table = page.getByRole('table', { name: /^(Messages|No clear effect)/ })
  await expect(
    table.getByRole('cell', { name: 'Under 65' }).or(table.getByRole('rowheader', { name: 'Under 65' })),
  ).toBeVisible()
})

const deliveries = (page: Page) => page.locator('section').filter({ hasText: 'What went out, day by day?' }).last()

test('a chart of few messages has whole-number ticks, and is saved with its full title and its key', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.route(`**/api/campaign/${DIABETES}/pictures/enterprise`, async (route) => {
    const answer = await (await route.fetch()).json()
    const day = { day: '2026-10-05', delivered: 1, failed: 0, held_back: 1, unsettled: 0 }
    await route.fulfill({ json: { ...answer, days: [day, { ...day, day: '2026-10-06', held_back: 0 }] } })
  })
  // Records the text drawn on any canvas, with the part that lies beyond the edge.
  await page.addInitScript(() => {
    const written: { text: string; ends: number; width: number }[] = []
    Object.assign(window, { written })
    const fillText = CanvasRenderingContext2D.prototype.fillText
    CanvasRenderingContext2D.prototype.fillText = function (text: string, x, ...rest) {
      const ends = (x + this.measureText(text).width) * this.getTransform().a
      written.push({
        text,
        ends: this.textAlign === 'left' || this.textAlign === 'start' ? ends : 0,
        width: this.canvas.width,
      })
      fillText.call(this, text, x, ...rest)
    }
  })
  type Written = { text: string; ends: number; width: number }[]
  const written = () => page.evaluate(() => (window as unknown as { written: Written }).written)
  await open(page, AT)
  const picture = deliveries(page)
  await expect(picture.locator('canvas')).toBeVisible()
  const marks = async () => (await written()).map(({ text }) => text).filter((text) => /^\d+$/.test(text))
  await expect.poll(async () => [...new Set(await marks())]).toEqual(['0', '1', '2'])
  expect((await marks()).filter((text) => text === '1').length).toBe(
    (await marks()).filter((text) => text === '0').length,
  )
  const title = (await picture.getByRole('heading', { level: 2 }).textContent())!
  await picture.getByRole('button', { name: /^Download/ }).click()
  const before = (await written()).length
  await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: 'Picture (PNG)' }).click()])
  const kept = (await written()).slice(before)
  expect(kept.filter(({ ends, width }) => ends > width)).toEqual([])
  expect(kept.map(({ text }) => text).join(' ')).toContain(title)
  expect(kept.map(({ text }) => text)).toEqual(expect.arrayContaining(['Delivered', 'Failed', 'Held back']))
})

test('a chart whose files failed to load is drawn once somebody tries again', async ({ page }) => {
  await page.route('**/chart-js-*.js', (route) => route.abort())
  await open(page, AT)
  await expect(page.getByRole('heading', { name: /^Could not draw the chart$/ }).first()).toBeVisible()
  await page.unroute('**/chart-js-*.js')
  await deliveries(page).getByRole('button', { name: 'Try again' }).click()
  await expect(deliveries(page).locator('canvas')).toBeVisible()
  await expect(deliveries(page).getByText('Could not draw the chart')).toHaveCount(0)
})
