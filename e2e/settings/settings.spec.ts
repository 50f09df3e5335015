import { expect, test } from '@playwright/test'
import { expectAccessible, OPENED } from '../support/axe.ts'
import { dialog } from '../support/dialog.ts'
import { open, signInAs } from '../support/people.ts'
import { confirm, find, row, unique, write } from '../support/settings.ts'

test.setTimeout(120_000)

test('support lands on Settings, which has exactly the existing tabs', { tag: '@main' }, async ({ page }) => {
  await open(page, '/settings', 'support')
  await expect(page).toHaveTitle('Settings - Pillar')
  const tabs = page.getByRole('navigation', { name: 'Settings', exact: true }).getByRole('link')
  await expect(tabs).toHaveText([
    ...['Companies', 'Users', 'Templates', 'Campaigns', 'Faulty ETL uploads', 'Clinical Trials'],
    ...['Analytics Dashboards', 'Sequences', 'Audit'],
  ])
  await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Settings' })).toBeVisible()
  await expect(page.getByRole('rowheader').first()).toBeVisible()
  await expectAccessible(page, 'Companies')
  await tabs.first().focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/tab=2/)
  await expectAccessible(page, 'Templates')
})

test('a sequence event shows problems in place, and is created and edited', async ({ page }) => {
  const name = unique('Repeat is due')
  await open(page, '/settings?tab=7&list=events', 'support')
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

test('when two people edit one event, both versions are shown, and nothing is lost', { tag: '@main' }, async ({
  page,
}) => {
  const name = unique('Lapsed')
  const ask = await signInAs(page, 'support')
  const { id } = await ask<{ id: string }>('sequence-event/admin/create', { name, value: 'refill_due' })
  await page.goto('/settings?tab=7&list=events')
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

test('when two people edit one pharmacy, both versions use names, and the saved one can be taken', async ({ page }) => {
  const company_name = unique('Banksia Chemists')
  const stamp = Date.now()
  const ask = await open(page, '/settings', 'support')
  const person = { email: `ada${stamp}@mail.example`, first_name: 'Ada', last_name: 'Hill' }
  const company = { company_name, username: `ada${stamp}`, ...person }
  const { uuid } = await write<{ uuid: string }>(ask, 'company/create', company, null)
  const { data } = await ask<{ data: { uuid: string }[] }>(`company/${uuid}/users`, {})
  const modules = (await ask<{ data: { uuid: string; name: string }[] }>('modules', {})).data
  const place = { name: 'Banksia East', town: 'Ballarat', region: 'VIC', postcode: '3350', country_name: 'Australia' }
  const pharmacy = { company_id: uuid, ...place, module_ids: [] }
  const made = await write<{ uuid: string }>(ask, 'create-company-pharmacy', pharmacy, null)
  await page.reload()
  await find(page, 'Find a company', company_name)
  await page.getByRole('button', { name: `Details of ${company_name}` }).click()
  await page.getByRole('button', { name: 'Edit Banksia East' }).click()
  const form = dialog(page, 'Edit pharmacy')
  await form.getByLabel('Data source').selectOption('Fred Dispense Plus')
  const theirs = {
    ...place,
    owner: data[0]?.uuid,
    data_source: 'minfos',
    module_ids: modules.filter(({ name }) => name === 'strong_pro').map((one) => ({ module_id: one.uuid })),
  }
  await write(ask, `location/${made.uuid}/edit`, theirs, made.uuid)
  await form.getByRole('button', { name: 'Update' }).click()
  await confirm(page, 'Edit pharmacy')
  await expect(form.getByRole('row', { name: 'Owner Ada Hill Nobody' })).toBeVisible()
  await expect(form.getByRole('row', { name: 'Data source Minfos Fred Dispense Plus' })).toBeVisible()
  await expect(form.getByRole('row', { name: 'Modules Upload –' })).toBeVisible()
  await expect(form.getByRole('table')).not.toContainText(/[0-9a-f]{8}-[0-9a-f]{4}/)
  await expect(form.getByRole('row', { name: /^Owner/ })).toContainText('you did not change it, so theirs stays')
  await expect(form.getByRole('row', { name: /^Data source/ })).not.toContainText('theirs stays')
  await form.getByRole('button', { name: 'Use the saved version' }).click()
  await expect(form.getByLabel('Owner')).toHaveValue(data[0]?.uuid ?? '')
  await expect(form.getByLabel('Upload', { exact: true })).toBeChecked()
})

test('leaving unsaved work asks first, and the form returns unchanged', async ({ page }) => {
  await open(page, '/settings?tab=7&list=events', 'support')
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

test('a company is created with the password, edited and removed', { tag: '@main' }, async ({ page }) => {
  const name = unique('Coastal Chemists')
  const username = `coastal${Date.now()}`
  await open(page, '/settings', 'support')
  await page.getByRole('button', { name: 'Create Company' }).click()
  const form = dialog(page, 'Create company')
  await form.getByRole('button', { name: 'Create' }).click()
  await expect(form.getByText('Enter a company name', { exact: true })).toBeVisible()
  await form.getByLabel('Company name').fill(name)
  // The support person's own country first. 60 day dispensing exists only in Australia.
  await expect(form.getByLabel('Country')).toHaveValue('AU')
  await expect(form.getByLabel('60 Day Signup')).toBeVisible()
  await form.getByLabel('Country').selectOption('United Kingdom')
  await expect(form.getByLabel('60 Day Signup')).toHaveCount(0)
  await form.getByLabel('Username').fill(username)
  await form.getByLabel('Email').fill(`${username}@coastal.example`)
  await form.getByLabel('First name').fill('Jo')
  await form.getByLabel('Last name').fill('Marsh')
  await form.getByLabel('Password', { exact: true }).fill('short')
  await form.getByRole('button', { name: 'Create' }).click()
  await confirm(page, 'Create company')
  // The server's own rule, shown in place, with every entry kept.
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

test('a list of thousands draws only the visible rows, and reports what it could not load', async ({ page }) => {
  await open(page, '/settings?tab=2&list=global', 'support')
  const many = Array.from({ length: 3000 }, (_, at) => ({
    event_id: `01980000-0000-7000-8000-${String(at).padStart(12, '0')}`,
    ...{ name: `Event ${at}`, value: 'refill_due', sequences: 0, recommended_sequences: 0, version: 1 },
  }))
  const paged = { current_page: 1, page_count: 1, per_page: 3000, total: 3000 }
  const path = '**/api/sequence-event/admin/list'
  await page.route(path, (route) => route.fulfill({ json: { ...paged, sequence_events: many } }))
  await page.getByRole('link', { name: 'Sequences' }).click()
  await page.getByRole('link', { name: 'Events', exact: true }).click()
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

test('a form that is opened again starts with what somebody else has saved since', async ({ page }) => {
  const name = 'Boronia Street Pharmacies'
  const ask = await open(page, '/settings', 'support')
  await find(page, 'Find a company', name)
  await expect(row(page, name)).toBeVisible()
  const { results } = await ask<{ results: { uuid: string }[] }>('company/search', { page: 1, name })
  const id = results[0]!.uuid
  const form = dialog(page, `Sending rules: ${name}`)
  const share = form.getByLabel('Percent kept back')
  const openRules = async () => {
    await page.getByRole('button', { name: `More about ${name}` }).click()
    await page.getByRole('menuitem', { name: 'Sending rules' }).click()
  }
  await openRules()
  const before = Number(await share.inputValue())
  await form.getByRole('button', { name: 'Cancel' }).click()
  await expect(form).toHaveCount(0)

  const rules = await ask<{ version: number }>(`company/${id}/sending`, {})
  await write(ask, `company/${id}/sending/save`, { ...rules, holdout_percent: before + 3 }, id)
  await page.route(`**/api/company/${id}/sending`, async (route) => {
    await new Promise((done) => setTimeout(done, 1000))
    await route.continue()
  })
  await openRules()
  await expect(share).toHaveValue(String(before + 3))
  await share.fill(String(before))
  await form.getByRole('button', { name: 'Save' }).click()
  await confirm(page, 'Save rules')
  await expect(page.getByText('Sending rules saved')).toBeVisible()
})
