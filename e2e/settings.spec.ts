import { expect, type Page, test } from '@playwright/test'
import { expectAccessible, OPENED } from './support/axe.ts'
import { open, PASSWORD } from './support/people.ts'

test.setTimeout(120_000)

const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })
const row = (page: Page, name: string) =>
  page.getByRole('row').filter({ has: page.getByRole('rowheader', { name, exact: true }) })
const unique = (name: string) => `${name} ${test.info().workerIndex}-${Date.now() % 1_000_000}`

async function confirm(page: Page, button: string | RegExp): Promise<void> {
  await page.getByLabel('Password', { exact: true }).last().fill(PASSWORD)
  await page.getByRole('button', { name: button }).last().click()
}

async function find(page: Page, what: string, name: string): Promise<void> {
  await page.getByRole('searchbox', { name: what }).fill(name)
  await expect(page).toHaveURL(/find=/)
}

/** Chooses the companies that a template is made for; one Escape closes the list and not the dialog. */
async function choose(page: Page, ...names: string[]): Promise<void> {
  await page.getByRole('button', { name: /Selected companies/ }).click()
  for (const name of names) {
    await page.getByRole('combobox', { name: 'Search Selected companies' }).fill(name)
    await page.getByRole('option', { name }).click()
  }
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeVisible()
}

test('support lands on Settings, whose tabs are the ones that exist', async ({ page }) => {
  await open(page, '/settings', 'support')
  await expect(page).toHaveTitle('Settings - Pillar')
  const tabs = page.getByRole('navigation', { name: 'Settings', exact: true }).getByRole('link')
  await expect(tabs).toHaveText(['Companies', 'Templates', 'Sequences'])
  await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Settings' })).toBeVisible()
  await expect(page.getByRole('rowheader').first()).toBeVisible()
  await expectAccessible(page, 'Companies')
  await tabs.first().focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/tab=7/)
  await expectAccessible(page, 'Sequences')
})

test('a sequence event: what is wrong stands in place, and it is created and edited', async ({ page }) => {
  const name = unique('Repeat is due')
  await open(page, '/settings?tab=7', 'support')
  await page.getByRole('button', { name: 'Create Event' }).click()
  const form = dialog(page, 'Create sequence event')
  await form.getByRole('button', { name: 'Create' }).click()
  await expect(form.getByRole('alert')).toHaveText('Please enter an event name and select what starts the sequence.')
  await expect(form.getByLabel('Event')).toBeFocused()
  await expect(form.getByText('Enter an event name', { exact: true })).toBeVisible()
  await expectAccessible(page, 'a form with problems', OPENED)
  await form.getByLabel('Event').fill(name)
  await form.getByLabel('Description').selectOption('refill_due')
  await form.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByText('Sequence Event Created Successfully')).toBeVisible()
  await find(page, 'Find a sequence event', name)
  await row(page, name)
    .getByRole('button', { name: `Edit ${name}` })
    .click()
  await dialog(page, 'Edit sequence event').getByLabel('Event').fill(`${name} soon`)
  await dialog(page, 'Edit sequence event').getByRole('button', { name: 'Update' }).click()
  await expect(page.getByText('Sequence Event Edited Successfully')).toBeVisible()
  await expect(row(page, `${name} soon`)).toBeVisible()
})

test('two people edit one event: both versions are shown, and nothing is lost', async ({ page }) => {
  const name = unique('Lapsed')
  const ask = await open(page, '/settings?tab=7', 'support')
  const { id } = await ask<{ id: string }>('sequence-event/admin/create', { name, value: 'refill_due' })
  await page.reload()
  await find(page, 'Find a sequence event', name)
  await row(page, name)
    .getByRole('button', { name: `Edit ${name}` })
    .click()
  const form = dialog(page, 'Edit sequence event')
  await form.getByLabel('Event').fill(`${name} mine`)
  await ask(`sequence-event/admin/${id}/edit`, { name: `${name} theirs`, value: 'refill_due' })
  await form.getByRole('button', { name: 'Update' }).click()
  await expect(form.getByText('Someone else saved this while you were editing.')).toBeVisible()
  await expect(form.getByRole('row', { name: `Event ${name} theirs ${name} mine` })).toBeVisible()
  await form.getByRole('button', { name: 'Save mine over it' }).click()
  await expect(row(page, `${name} mine`)).toBeVisible()
})

test('unsaved work is asked about, and the form comes back as it was', async ({ page }) => {
  await open(page, '/settings?tab=7', 'support')
  await page.getByRole('button', { name: 'Create Event' }).click()
  await dialog(page, 'Create sequence event').getByLabel('Event').fill('Half written')
  await page.keyboard.press('Escape')
  await expect(dialog(page, 'Leave without saving?')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog(page, 'Create sequence event').getByLabel('Event')).toHaveValue('Half written')
})

test('companies are searched, sorted and opened to their pharmacies and users', async ({ page }) => {
  await open(page, '/settings', 'support')
  await find(page, 'Find a company', 'saltbush')
  await expect(page.getByRole('rowheader')).toHaveText(['Saltbush Pharmacy Group'])
  await expect(page.getByText('1 company', { exact: true })).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Pages' })).toContainText('Page 1 of 1')
  await page.getByRole('button', { name: 'Details of Saltbush Pharmacy Group' }).click()
  const pharmacies = page.getByRole('region', { name: 'Pharmacies' })
  await expect(pharmacies.getByRole('row')).toHaveCount(6)
  await expect(pharmacies.getByText('Completed').first()).toBeVisible()
  await pharmacies.getByRole('button', { name: /Show the other/ }).click()
  await expect(pharmacies.getByRole('row')).not.toHaveCount(6)
  await expect(
    page.getByRole('region', { name: 'Users' }).getByRole('cell', { name: 'headoffice', exact: true }),
  ).toBeVisible()
  await expectAccessible(page, 'an opened company')
  await find(page, 'Find a company', 'no such company')
  await expect(page.getByText('1 filter is on.')).toBeVisible()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByRole('button', { name: 'Added' }).click()
  await expect(page.getByRole('columnheader', { name: 'Added' })).toHaveAttribute('aria-sort', 'ascending')
  await expect(page).toHaveURL(/sort=created_at/)
})

test('a company is created with the password, edited and removed', async ({ page }) => {
  const name = unique('Coastal Chemists')
  const username = `coastal${Date.now()}`
  await open(page, '/settings', 'support')
  await page.getByRole('button', { name: 'Create Company' }).click()
  const form = dialog(page, 'Create company')
  await form.getByRole('button', { name: 'Create' }).click()
  await expect(form.getByText('Enter a company name', { exact: true })).toBeVisible()
  await form.getByLabel('Company name').fill(name)
  await form.getByLabel('Username').fill(username)
  await form.getByLabel('Email').fill(`${username}@coastal.example`)
  await form.getByLabel('First name').fill('Jo')
  await form.getByLabel('Last name').fill('Marsh')
  await form.getByLabel('Password', { exact: true }).fill('short')
  await form.getByRole('button', { name: 'Create' }).click()
  await confirm(page, 'Create company')
  // The server's own rule, in place, with everything still there.
  await expect(form.getByLabel('Password', { exact: true })).toHaveAttribute('aria-invalid', 'true')
  await expect(form.getByLabel('Company name')).toHaveValue(name)
  await form.getByLabel('Password', { exact: true }).fill('three herons over Ballarat')
  await form.getByRole('button', { name: 'Create' }).click()
  await confirm(page, 'Create company')
  await expect(page.getByText('Company Created Successfully')).toBeVisible()

  await find(page, 'Find a company', name)
  await row(page, name)
    .getByRole('button', { name: `Edit ${name}` })
    .click()
  await dialog(page, 'Edit company').getByLabel('Cloud eCDR').check()
  await dialog(page, 'Edit company').getByRole('button', { name: 'Confirm' }).click()
  await confirm(page, 'Edit company')
  await expect(page.getByText('Company Edited Successfully.')).toBeVisible()
  await expect(row(page, name)).toContainText('Cloud eCDR')

  await row(page, name)
    .getByRole('button', { name: `More about ${name}` })
    .click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await expect(page.getByText('Are you sure you want to remove this company?')).toBeVisible()
  await confirm(page, 'Remove company')
  await expect(page.getByText('No records found')).toBeVisible()
})

test('a global template: its three problems in one sentence, then it is created', async ({ page }) => {
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

test('Select All Matching sends the filter: what differs is said, and nothing else is changed', async ({ page }) => {
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

test('a list of thousands draws only the rows in view, and says what it could not load', async ({ page }) => {
  await open(page, '/settings?tab=2&list=global', 'support')
  const many = Array.from({ length: 3000 }, (_, at) => ({
    event_id: `01980000-0000-7000-8000-${String(at).padStart(12, '0')}`,
    ...{ name: `Event ${at}`, value: 'refill_due', sequences: 0, recommended_sequences: 0, version: 1 },
  }))
  const paged = { current_page: 1, page_count: 1, per_page: 3000, total: 3000 }
  const path = '**/api/sequence-event/admin/list'
  await page.route(path, (route) => route.fulfill({ json: { ...paged, sequence_events: many } }))
  await page.getByRole('link', { name: 'Sequences' }).click()
  await expect(page.getByRole('rowheader', { name: 'Event 0', exact: true })).toBeVisible()
  expect(await page.getByRole('rowheader').count()).toBeLessThan(100)
  await page.getByRole('table').evaluate((table) => table.parentElement?.scrollTo(0, table.scrollHeight))
  await expect(page.getByRole('rowheader', { name: 'Event 2999' })).toBeVisible()
  await page.unroute(path)
  await page.route(path, (route) => route.fulfill({ status: 503, json: { code: 'unavailable', message: 'Busy.' } }))
  await find(page, 'Find a sequence event', 'anything')
  await expect(page.getByText('Could not load sequence events')).toBeVisible()
  await page.unroute(path)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('No records found')).toBeVisible()
})
