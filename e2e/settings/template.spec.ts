import { expect, type Page, test } from '@playwright/test'
import { expectAccessible, OPENED } from '../support/axe.ts'
import { dialog } from '../support/dialog.ts'
import { open } from '../support/people.ts'
import { confirm, find, row, unique } from '../support/settings.ts'

test.setTimeout(120_000)

/** Selects the companies for a template; a single Escape closes the list and not the dialog. */
async function choose(page: Page, ...names: string[]): Promise<void> {
  await page.getByRole('button', { name: /Selected companies/ }).click()
  for (const name of names) {
    await page.getByRole('combobox', { name: 'Search Selected companies' }).fill(name)
    await page.getByRole('option', { name }).click()
  }
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeVisible()
}

test('a global template: its three problems in one sentence, then it is created', { tag: '@main' }, async ({
  page,
}) => {
  const tag = unique('Bulk')
  const ask = await open(page, '/settings?tab=2&list=global', 'support')
  await expect(page.getByRole('navigation', { name: 'Templates' }).getByRole('link')).toHaveText([
    'Recommended',
    'Company',
    'Global',
  ])
  await page.getByRole('button', { name: 'Create Global Template' }).click()
  const form = dialog(page, 'Create global template')
  await form.getByRole('button', { name: 'Create' }).click()
  await expect(form.getByRole('alert')).toHaveText(
    'Please enter a template name, enter a message body, and include {Pharmacy Name} in the message body.',
  )
  await form.getByLabel('Template name').fill(`${tag} 1`)
  await form.getByRole('textbox', { name: 'Message' }).click()
  await page.keyboard.insertText('Hi from {Pharmacy Name}')
  await form.getByRole('button', { name: 'Create' }).click()
  await confirm(page, 'Create global template')
  await expect(page.getByText('Template Created Successfully.')).toBeVisible()

  await find(page, 'Find a global template', tag)
  await expect(page.getByRole('rowheader')).toHaveText([`${tag} 1`])
  const found = await ask<{ results: { type: string }[] }>('template/admin/search', { search_term: tag })
  expect(found.results.map(({ type }) => type)).toEqual(['sms'])
})

test('a company template is created for chosen companies, deactivated and deleted', async ({ page }) => {
  const tag = unique('Company')
  await open(page, '/settings?tab=2&list=company', 'support')
  await page.getByRole('button', { name: 'Create Company Template' }).click()
  const form = dialog(page, 'Create company template')
  await form.getByLabel('Template name').fill(`${tag} 1`)
  await form.getByRole('textbox', { name: 'Message' }).click()
  await page.keyboard.insertText('Hi from {Pharmacy Name}')
  await form.getByRole('button', { name: 'Create' }).click()
  await expect(form.getByText('Select at least one company', { exact: true })).toBeVisible()
  await choose(page, 'Saltbush Pharmacy Group')
  await form.getByRole('button', { name: 'Create' }).click()
  await confirm(page, 'Create template')
  await expect(page.getByText('Template Created Successfully.')).toBeVisible()

  await find(page, 'Find a company template', tag)
  await page.getByRole('checkbox', { name: `Select ${tag} 1` }).check()
  const bar = page.getByRole('region', { name: 'Selected' })
  await expect(bar).toContainText('1 selected')
  await bar.getByRole('button', { name: 'Deactivate' }).click()
  await expect(page.getByText('No campaign or sequence is affected.')).toBeVisible()
  await expect(page.getByText('No campaign sends it until it is activated again.')).toBeVisible()
  await confirm(page, 'Deactivate 1 template')
  await expect(row(page, `${tag} 1`)).toContainText('Inactive')
  await expect(bar).toHaveCount(0)
  await row(page, `${tag} 1`)
    .getByRole('button', { name: `More about ${tag} 1` })
    .click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await confirm(page, 'Delete 1 template')
  await expect(page.getByText('1 template deleted')).toBeVisible()
})

interface Found {
  results: { uuid: string; name: string; message_kind: string }[]
}

test('Select All Matching sends the filter, names fields that differ, and changes only edited fields', async ({
  page,
}) => {
  const tag = unique('Everywhere')
  const ask = await open(page, '/settings?tab=2&list=company', 'support')
  await page.getByRole('button', { name: 'Create Company Template' }).click()
  const form = dialog(page, 'Create company template')
  await form.getByLabel('Template name').fill(tag)
  await choose(page, 'Saltbush Pharmacy Group', 'Wattle & Co')
  await form.getByRole('textbox', { name: 'Message' }).click()
  await page.keyboard.insertText('Hi from {Pharmacy Name}')
  await form.getByRole('button', { name: 'Create' }).click()
  await confirm(page, 'Create template')
  await expect(page.getByText('Template Created Successfully.')).toBeVisible()
  await find(page, 'Find a company template', tag)
  await expect(page.getByRole('rowheader').first()).toHaveText(tag)
  const { results: made } = await ask<Found>('template/admin/search', { search_term: tag })
  const all = await ask<Found>('template/admin/search', { paginate: false })
  const others = all.results.filter(({ name }) => !name.startsWith(tag))
  expect(made).toHaveLength(2)

  const ticks = page.getByRole('checkbox', { name: `Select ${tag}` })
  const bar = page.getByRole('region', { name: 'Selected' })
  await ticks.first().check()
  await ticks.last().click({ modifiers: ['Shift'] })
  await expect(bar).toContainText(`${made.length} selected`)
  await bar.getByRole('button', { name: 'Clear' }).click()

  await page
    .getByRole('button', { name: `Edit ${tag}` })
    .first()
    .click()
  await dialog(page, 'Edit template').getByLabel('Template name').fill(`${tag} renamed`)
  await dialog(page, 'Edit template').getByRole('button', { name: 'Update' }).click()
  await confirm(page, 'Update 1 template')
  await expect(row(page, `${tag} renamed`)).toBeVisible()

  await ticks.first().check()
  await bar.getByRole('button', { name: /^Select All Matching/ }).click()
  await expect(bar).toContainText(`${made.length} selected`)
  await bar.getByRole('button', { name: 'Edit' }).click()
  const batch = dialog(page, 'Edit templates')
  await expect(batch.getByText('Not all selected templates have the same name.')).toBeVisible()
  await expect(batch.getByLabel('Template name')).toHaveValue('')
  await expectAccessible(page, 'several templates', OPENED)
  await batch.getByLabel('Kind of message').selectOption('marketing')
  await batch.getByRole('button', { name: 'Update' }).click()
  await confirm(page, `Update ${made.length} templates`)
  await expect(page.getByText('Template Updated Successfully.').last()).toBeVisible()
  await expect(bar).toHaveCount(0)

  const after = await ask<Found>('template/admin/search', { paginate: false })
  const changed = after.results.filter(({ name }) => name.startsWith(tag))
  expect(changed.map(({ message_kind }) => message_kind)).toEqual(made.map(() => 'marketing'))
  expect(changed.map(({ name }) => name).sort()).toEqual([...made.slice(1).map(() => tag), `${tag} renamed`])
  for (const other of others) {
    expect(after.results.find(({ uuid }) => uuid === other.uuid)?.message_kind, other.name).toBe(other.message_kind)
  }

  await ticks.first().check()
  await bar.getByRole('button', { name: /^Select All Matching/ }).click()
  await bar.getByRole('button', { name: 'Delete' }).click()
  await confirm(page, `Delete ${made.length} templates`)
  await expect(page.getByText('No records found')).toBeVisible()
})
