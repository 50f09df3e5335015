import { expect, test } from '@playwright/test'
import { dialog } from '../support/dialog.ts'
import { open } from '../support/people.ts'
import { confirm, find, row, unique, write } from '../support/settings.ts'

test.setTimeout(120_000)

const TEXT = { body: 'Hi from {Pharmacy Name}', communication_type: 'sms' }

test('a template that changes while it is ticked is edited in its present state', async ({ page }) => {
  const tag = unique('Ticked')
  const ask = await open(page, '/settings?tab=2&list=global', 'support')
  await write(ask, 'template/admin/create/global', { ...TEXT, name: tag }, null)
  await find(page, 'Find a global template', tag)
  await page.getByRole('checkbox', { name: `Select ${tag}`, exact: true }).check()
  await page.getByRole('button', { name: `Edit ${tag}`, exact: true }).click()
  const form = dialog(page, 'Edit template')
  await form.getByLabel('Template name').fill(`${tag} renamed`)
  await form.getByRole('button', { name: 'Update' }).click()
  await confirm(page, 'Update 1 template')
  await expect(row(page, `${tag} renamed`)).toBeVisible()

  await page.getByRole('region', { name: 'Selected' }).getByRole('button', { name: 'Edit' }).click()
  await expect(form.getByLabel('Template name')).toHaveValue(`${tag} renamed`)
  await form.getByRole('button', { name: 'Update' }).click()
  await confirm(page, 'Update 1 template')
  await expect(page.getByText('Template Updated Successfully.').last()).toBeVisible()
  await expect(form).toHaveCount(0)
})

test('Shift ticks from a visible row: after turning the page, only the single row', async ({ page }) => {
  const tag = unique('Paged')
  const ask = await open(page, '/settings?tab=2&list=company', 'support')
  const { data } = await ask<{ data: { uuid: string }[] }>('company/list', {})
  const companies = data.slice(0, 5).map(({ uuid }) => uuid)
  for (let n = 0; n < Math.ceil(30 / companies.length); n++) {
    await write(ask, 'template/admin/create', { ...TEXT, name: `${tag} ${n}`, companies }, null)
  }
  await find(page, 'Find a company template', tag)
  await expect(page.getByRole('row').nth(1)).toContainText(tag)
  const ticks = page.getByRole('checkbox', { name: `Select ${tag}` })
  await ticks.nth(5).check()
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect(page.getByText(/^Page 2 of/)).toBeVisible()
  await expect(ticks.nth(1)).not.toBeChecked()
  await ticks.nth(1).click({ modifiers: ['Shift'] })
  const bar = page.getByRole('region', { name: 'Selected' })
  await expect(bar).toContainText('2 selected')
  await ticks.nth(3).click({ modifiers: ['Shift'] })
  await expect(bar).toContainText('4 selected')
})

test('selecting more campaigns than can be activated together is reported before any question', async ({ page }) => {
  await page.route('**/api/campaign/admin/search', async (route) => {
    const answer = await route.fetch()
    const found = (await answer.json()) as { results: { name: string; campaign_id: string }[]; total: number }
    const [first] = found.results
    const results = Array.from({ length: 21 }, (_, at) => ({
      ...{ ...first, name: `Winter ${at}`, active: false, removed_at: null },
      campaign_id: first!.campaign_id.replace(/..$/, String(at).padStart(2, '0')),
    }))
    await route.fulfill({ response: answer, json: { ...found, results, total: 21 } })
  })
  await open(page, '/settings?tab=3&list=company', 'support')
  await page.getByRole('checkbox', { name: 'Select all rows shown' }).check()
  const bar = page.getByRole('region', { name: 'Selected' })
  await expect(bar).toContainText('21 selected')
  await bar.getByRole('button', { name: 'Activate', exact: true }).click()
  await expect(page.getByText('Please activate at most 20 campaigns at a time.')).toBeVisible()
})

test('campaigns that cannot be activated are reported before any question', async ({ page }) => {
  await page.route('**/api/campaign/admin/forecast', async (route) => {
    const answer = await route.fetch()
    const problem = 'Please select at least one template.'
    await route.fulfill({ response: answer, json: { ...((await answer.json()) as object), problem } })
  })
  await open(page, '/settings?tab=3&list=company', 'support')
  const name = 'Demo: medicine check from 65'
  await find(page, 'Find a campaign', name)
  await page.getByRole('button', { name: `More about ${name}` }).click()
  await page.getByRole('menuitem', { name: 'Activate' }).click()
  await expect(page.getByText(`${name} cannot be activated: Please select at least one template.`)).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})
