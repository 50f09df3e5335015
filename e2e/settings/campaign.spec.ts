import { expect, type Page, test } from '@playwright/test'
import { expectAccessible, OPENED } from '../support/axe.ts'
import { dialog } from '../support/dialog.ts'
import { open } from '../support/people.ts'
import { confirm, find, row, unique, write } from '../support/settings.ts'

test.setTimeout(120_000)

/** Opens the template picker, searches, ticks one and closes the list but not the dialog. */
async function pickTemplate(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: /^Templates/ }).click()
  await page.getByRole('combobox', { name: 'Search Templates' }).fill(name)
  await page.getByRole('option', { name }).first().click()
  await page.keyboard.press('Escape')
}

test('a recommended campaign: missing fields in one sentence, a template created inline, how many companies it reaches', async ({
  page,
}) => {
  const name = unique('Heart week')
  const template = unique('Heart text')
  await open(page, '/settings?tab=3', 'support')
  await expect(page.getByRole('navigation', { name: 'Campaigns' }).getByRole('link')).toHaveText([
    'Recommended',
    'Company',
  ])
  await expect(page.getByRole('rowheader').first()).toBeVisible()
  await expectAccessible(page, 'Campaigns')
  await page.getByRole('button', { name: 'Create Recommended Campaign' }).click()
  const form = dialog(page, 'Create recommended campaign')
  await form.getByRole('button', { name: 'Create', exact: true }).click()
  await expect(form.getByRole('alert')).toHaveText(
    'Please enter a campaign name, select a goal type, select a measurement type, enter a goal amount, and select atleast one template.',
  )
  await expect(form.getByLabel('Campaign name')).toBeFocused()
  await expectAccessible(page, 'a campaign form with problems', OPENED)
  await form.getByLabel('Campaign name').fill(name)
  await form.getByLabel('Goal type').selectOption('scripts')
  await form.getByLabel('Measure by').selectOption('value')
  await form.getByLabel('Goal type').selectOption('loyalty')
  // A percentage cannot be measured by value: the choice is cleared and no longer offered.
  await expect(form.getByLabel('Measure by')).toHaveValue('')
  await expect(form.getByLabel('Measure by').getByRole('option', { name: 'Value' })).toHaveCount(0)
  await form.getByLabel('Measure by').selectOption('target')
  await form.getByLabel('Goal amount').fill('80')
  await expect(form.getByText('Loyalty to 80.00%')).toBeVisible()
  await form.getByRole('button', { name: 'Create template' }).click()
  const made = dialog(page, 'Create recommended template')
  await made.getByLabel('Template name').fill(template)
  await made.getByRole('textbox', { name: 'Message' }).click()
  await page.keyboard.insertText('Hi from {Pharmacy Name}')
  await made.getByRole('button', { name: 'Create', exact: true }).click()
  await confirm(page, 'Create recommended template')
  await expect(form.getByRole('button', { name: /^Templates/ })).toContainText(template)
  await form.getByRole('button', { name: 'Create', exact: true }).click()
  await expect(page.getByText(/It is offered to all \d+ companies\./)).toBeVisible()
  await confirm(page, 'Create recommended campaign')
  await expect(page.getByText('Campaign created successfully')).toBeVisible()
  await find(page, 'Find a recommended campaign', name)
  await expect(row(page, name)).toContainText(template)
})

test('a company campaign is created, activated with the affected templates named, edited by two people, and deactivated', {
  tag: '@main',
}, async ({ page }) => {
  const name = unique('Flu round')
  const template = unique('Flu text')
  const ask = await open(page, '/settings?tab=3&list=company', 'support')
  const { data } = await ask<{ data: { uuid: string; name: string }[] }>('company/list', {})
  const company = data.find((one) => one.name === 'Saltbush Pharmacy Group')!
  const resting = unique('Resting text')
  const text = { name: resting, body: 'Hi from {Pharmacy Name}', communication_type: 'sms' }
  await write(ask, 'template/admin/create', { ...text, active: false, companies: [company.uuid] }, null)
  await page.getByRole('button', { name: 'Create Campaign' }).click()
  const form = dialog(page, 'Create campaign')
  await form.getByLabel('Campaign name').fill(name)
  await form.getByRole('button', { name: 'Create template' }).click()
  await expect(form.getByText('Please select a company first')).toBeVisible()
  await form.getByLabel('Company', { exact: true }).first().fill('Saltbush')
  await page.getByRole('option', { name: company.name }).click()
  await form.getByLabel('Goal type').selectOption('scripts')
  await form.getByLabel('Measure by').selectOption('value')
  await form.getByLabel('Goal amount').fill('25')
  await form.getByRole('button', { name: 'Create', exact: true }).click()
  await expect(form.getByRole('alert')).toHaveText(
    'Please select atleast one pharmacy and select atleast one template.',
  )
  await form.getByRole('button', { name: /^Pharmacies/ }).click()
  await page.getByRole('listbox', { name: 'Pharmacies' }).getByRole('option').first().click()
  await page.keyboard.press('Escape')
  await form.getByRole('button', { name: 'Create template' }).click()
  const made = dialog(page, 'Create company template')
  await made.getByLabel('Template name').fill(template)
  await made.getByRole('textbox', { name: 'Message' }).click()
  await page.keyboard.insertText('Hi from {Pharmacy Name}')
  await made.getByRole('button', { name: 'Create', exact: true }).click()
  await confirm(page, 'Create company template')
  await pickTemplate(page, resting)
  await form.getByRole('button', { name: 'Refine Cohort' }).click()
  await dialog(page, 'Refine Cohort').getByRole('button', { name: '75+' }).click()
  await dialog(page, 'Refine Cohort').getByRole('button', { name: 'Save cohort' }).click()
  await form.getByRole('button', { name: 'Create', exact: true }).click()
  await confirm(page, 'Create campaign')
  await expect(page.getByText('Campaign Created Successfully')).toBeVisible()

  await find(page, 'Find a campaign', name)
  await expect(row(page, name)).toContainText('Scripts by 25')
  const more = () =>
    row(page, name)
      .getByRole('button', { name: `More about ${name}` })
      .click()
  await more()
  await page.getByRole('menuitem', { name: 'Activate' }).click()
  await expect(page.getByText(`Templates that will be activated: ${resting}.`)).toBeVisible()
  await expect(page.getByText(/held back\. Sending starts after two minutes/)).toBeVisible()
  await confirm(page, /^Send \d/)
  await expect(page.getByText('1 campaign activated')).toBeVisible()
  await expect(row(page, name)).toContainText('Active')

  const { results } = await ask<{ results: { campaign_id: string }[] }>('campaign/admin/search', { search_term: name })
  await row(page, name)
    .getByRole('button', { name: `Edit ${name}` })
    .click()
  await dialog(page, 'Edit campaign').getByLabel('Goal amount').fill('30')
  const id = results[0]!.campaign_id
  await write(ask, 'campaign/admin/edit', { campaign_ids: [id], goal: 40 }, id)
  await dialog(page, 'Edit campaign').getByRole('button', { name: 'Update' }).click()
  await confirm(page, 'Update 1 campaign')
  await expect(page.getByRole('row', { name: 'Goal amount 40 30' })).toBeVisible()
  await page.getByRole('button', { name: 'Use the saved version' }).click()
  await page.keyboard.press('Escape')

  await more()
  await page.getByRole('menuitem', { name: 'Deactivate' }).click()
  await expect(page.getByText(/Templates that will be deactivated/)).toBeVisible()
  await confirm(page, 'Deactivate 1 campaign')
  await expect(page.getByText('1 campaign deactivated')).toBeVisible()
  await expect(row(page, name)).toContainText('Inactive')
  await more()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await confirm(page, 'Delete 1 campaign')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('1 campaign restored, inactive')).toBeVisible()
})

test('fifty templates are edited together: differences are named, and only changes are written', async ({ page }) => {
  const tag = unique('Fifty')
  const ask = await open(page, '/settings?tab=2&list=company', 'support')
  const { data } = await ask<{ data: { uuid: string }[] }>('company/list', {})
  const companies = data.slice(0, 5).map(({ uuid }) => uuid)
  const times = 50 / companies.length
  for (let n = 0; n < times; n++) {
    const text = { name: `${tag} ${n}`, body: 'Hi from {Pharmacy Name}', communication_type: 'sms' }
    await write(ask, 'template/admin/create', { ...text, companies }, null)
  }
  await find(page, 'Find a company template', tag)
  // Rows from before the search would lose their selection.
  await expect(page.getByRole('row').nth(1)).toContainText(tag)
  await page.getByRole('checkbox', { name: 'Select all rows shown' }).check()
  const bar = page.getByRole('region', { name: 'Selected' })
  await bar.getByRole('button', { name: 'Select All Matching (50)' }).click()
  await expect(bar).toContainText('50 selected')
  await bar.getByRole('button', { name: 'Edit' }).click()
  const form = dialog(page, 'Edit templates')
  await expect(form.getByText('Not all selected templates have the same name.', { exact: false })).toBeVisible()
  await form.getByRole('textbox', { name: 'Message' }).click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.insertText('Hello from {Pharmacy Name}')
  await form.getByRole('button', { name: 'Update' }).click()
  await expect(page.getByText('No campaign or sequence is affected.')).toBeVisible()
  await confirm(page, 'Update 50 templates')
  await expect(page.getByText('Template Updated Successfully.')).toBeVisible()
  const { results } = await ask<{ results: { name: string; body: string }[] }>('template/admin/search', {
    ...{ search_term: tag, paginate: false },
  })
  expect(new Set(results.map(({ body }) => body))).toEqual(new Set(['Hello from {Pharmacy Name}']))
  expect(new Set(results.map((one) => one.name)).size).toBe(times)

  // Deleted together, and restored together.
  await page.getByRole('checkbox', { name: 'Select all rows shown' }).check()
  await bar.getByRole('button', { name: 'Select All Matching (50)' }).click()
  await bar.getByRole('button', { name: 'Delete' }).click()
  await confirm(page, 'Delete 50 templates')
  await expect(page.getByText('No records found')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('50 templates restored, inactive')).toBeVisible()
  await expect(page.getByText('50 company templates', { exact: true })).toBeVisible()
})
