import { expect, test } from '@playwright/test'
import { expectAccessible, OPENED } from '../support/axe.ts'
import { dialog } from '../support/dialog.ts'
import { open } from '../support/people.ts'
import { confirm, find, row, unique } from '../support/settings.ts'

test.setTimeout(120_000)

test('a dashboard is created after bad input, edited, deactivated, removed and restored', { tag: '@main' }, async ({
  page,
}) => {
  const name = unique('Category sales')
  await open(page, '/settings?tab=6', 'support')
  await expect(row(page, 'Pilot of 2025')).toContainText('Inactive')
  await expectAccessible(page, 'Analytics Dashboards')
  await page.getByRole('button', { name: 'Create Dashboard' }).click()
  const form = dialog(page, 'Create dashboard')
  await expect(form.getByLabel('Domain URL')).toHaveValue('https://analytics.pillar.example')
  await form.getByLabel('Domain URL').fill('https://evil.example')
  await form.getByRole('button', { name: 'Create' }).click()
  await expect(
    form.getByText(
      'Please enter a dashboard name, select a company, select a dashboard type, enter a dashboard ID, and enter a domain URL that begins with https://analytics.pillar.example.',
    ),
  ).toBeVisible()
  await expect(form.getByLabel('Dashboard name')).toBeFocused()
  await expectAccessible(page, 'a dashboard with problems', OPENED)
  await form.getByLabel('Dashboard name').fill(name)
  await form.getByLabel('Company').fill('Saltbush Pharmacy Group')
  await page.getByRole('option', { name: 'Saltbush Pharmacy Group' }).click()
  await form.getByLabel('Dashboard type').selectOption('Advertising')
  await form.getByLabel('Dashboard ID').fill(crypto.randomUUID())
  await form.getByLabel('Domain URL').fill('https://analytics.pillar.example/')
  await form.getByRole('button', { name: 'Create' }).click()
  await confirm(page, 'Create dashboard')
  await expect(page.getByText('Dashboard Created Successfully')).toBeVisible()

  await find(page, 'Find a dashboard', name)
  await expect(row(page, name)).toContainText('Advertising')
  await row(page, name)
    .getByRole('button', { name: `Edit ${name}` })
    .click()
  await dialog(page, 'Edit dashboard').getByLabel('Production status').selectOption('Not production')
  await dialog(page, 'Edit dashboard').getByRole('button', { name: 'Update' }).click()
  await confirm(page, 'Edit dashboard')
  await expect(page.getByText('Dashboard Updated Successfully')).toBeVisible()

  const more = row(page, name).getByRole('button', { name: `More about ${name}` })
  await more.click()
  await page.getByRole('menuitem', { name: 'Deactivate' }).click()
  await expect(page.getByText('Saltbush Pharmacy Group no longer sees it under Analytics.')).toBeVisible()
  await confirm(page, 'Deactivate dashboard')
  await expect(row(page, name)).toContainText('Inactive')
  await more.click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await expect(page.getByText('Are you sure you want to remove this dashboard?')).toBeVisible()
  await confirm(page, 'Remove dashboard')
  await expect(page.getByText('No records found')).toBeVisible()
  // The removed row had the focus last: now the row in its place has it.
  await expect(page.getByRole('button', { name: 'Clear filters' })).toBeFocused()
  await page.route('**/api/dashboard/admin/*/restore', (route) => route.abort(), { times: 1 })
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'The server did not answer' })).toBeVisible()
  await page.goto(`/settings?tab=6&removed=yes&find=${encodeURIComponent(name)}`)
  await page.getByRole('button', { name: `Restore ${name}` }).click()
  await expect(page.getByText('Dashboard restored')).toBeVisible()
})
