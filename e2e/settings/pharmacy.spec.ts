import { expect, type Page, test } from '@playwright/test'
import { expectAccessible, OPENED } from '../support/axe.ts'
import { dialog } from '../support/dialog.ts'
import { addPharmacy } from '../support/install.ts'
import { open } from '../support/people.ts'
import { confirm, find, row, unique } from '../support/settings.ts'

test.setTimeout(120_000)

const COMPANY = 'Boronia Street Pharmacies'

async function openCompany(page: Page, name = COMPANY) {
  await open(page, '/settings', 'support')
  await find(page, 'Find a company', name)
  await expect(row(page, name)).toBeVisible()
  await page.getByRole('button', { name: `Details of ${name}` }).click()
}

test('a pharmacy is created with a looked-up address and a module; errors appear beside their fields', {
  tag: '@main',
}, async ({ page }) => {
  const name = unique('Sturt Street Pharmacy')
  await openCompany(page)
  await page.getByRole('button', { name: 'Create Pharmacy' }).click()
  const form = dialog(page, 'Create pharmacy')
  await form.getByRole('button', { name: 'Create' }).click()
  await expect(form.getByRole('alert')).toHaveText(
    'Please enter a pharmacy name, enter a suburb, select a state, and enter a postcode of four digits.',
  )
  await expect(form.getByLabel('Name', { exact: true })).toBeFocused()
  await form.getByLabel('Name', { exact: true }).fill(name)
  await form.getByLabel('Find the suburb').fill('ballarat c')
  await page.getByRole('option', { name: 'Ballarat Central VIC 3350' }).click()
  await expect(form.getByLabel('Postcode', { exact: true })).toHaveValue('3350')
  await expect(form.getByLabel('State')).toHaveValue('VIC')
  await expect(form.getByText('Australia/Melbourne time.')).toBeVisible()
  await form.getByLabel('Pharmacy Programs').check()
  await form.getByRole('button', { name: 'Create' }).click()
  await expect(form.getByRole('alert')).toHaveText('Please enter an external ID for Pharmacy Programs.')
  await expect(form.getByLabel('Suburb', { exact: true })).toHaveValue('Ballarat Central')
  await expectAccessible(page, 'the pharmacy form', OPENED)
  await form.getByLabel('External ID for Pharmacy Programs').fill('PP-81')
  await form.getByRole('button', { name: 'Create' }).click()
  await confirm(page, 'Create pharmacy')
  await expect(page.getByText('Pharmacy Created Successfully')).toBeVisible()
  const made = page.getByRole('region', { name: 'Pharmacies' }).getByRole('row', { name })
  await expect(made).toContainText('Ballarat Central VIC 3350')
  await expect(made).toContainText('Pharmacy Programs')
})

test('a module added to a pharmacy has the external ID that was entered', async ({ page }) => {
  const [company, name] = [unique('Sturt Street Chemists'), unique('Sturt Street Pharmacy')]
  await addPharmacy(company, name, '3350')
  await openCompany(page, company)
  const place = page.getByRole('region', { name: 'Pharmacies' })
  await place.getByRole('button', { name: `Details of ${name}` }).click()
  await page.getByRole('button', { name: `Add a module to ${name}` }).click()
  const form = dialog(page, 'Add module')
  await form.getByLabel('Module').selectOption('Pharmacy Programs')
  await form.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(form.getByRole('alert').last()).toContainText('enter an external ID')
  await form.getByLabel('External ID').fill('PP-93')
  await form.getByRole('button', { name: 'Add', exact: true }).click()
  await confirm(page, 'Add')
  await expect(page.getByText('Module Added Successfully')).toBeVisible()
  await expect(place.getByTitle('External ID PP-93').first()).toHaveText('Pharmacy Programs')
})

test('the key of a pharmacy is shown, copied and replaced', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await openCompany(page, 'Saltbush Pharmacy Group')
  const place = page.getByRole('region', { name: 'Pharmacies' }).getByRole('rowheader').first()
  await expect(place).toBeVisible()
  await page
    .getByRole('region', { name: 'Pharmacies' })
    .getByRole('button', { name: /^Details of/ })
    .first()
    .click()
  const keys = page.getByRole('region', { name: 'Upload keys' })
  await keys
    .getByRole('button', { name: /^Show pillar_upload_/ })
    .first()
    .click()
  await confirm(page, 'Show key')
  await keys.getByRole('button', { name: 'Copy Key' }).click()
  const key = await page.evaluate(() => navigator.clipboard.readText())
  expect(key).toMatch(/^pillar_upload_[0-9A-Za-z]{49}$/)
  await keys.getByRole('button', { name: 'Replace key' }).click()
  await dialog(page, 'Replace key').getByRole('button', { name: 'Replace' }).click()
  await expect(page.getByText('The current key works for 7 more days.')).toBeVisible()
  await confirm(page, 'Replace key')
  const opened = keys.locator('code').filter({ hasText: /^pillar_upload_[0-9A-Za-z]{49}$/ })
  await expect(opened).toHaveCount(2)
  await expect(opened.filter({ hasText: key })).toHaveCount(1)
  await expectAccessible(page, 'an opened pharmacy')
})

test('a pharmacy is imported from another company after a preview of what moves', async ({ page }) => {
  const name = unique('Kestrel Lane Pharmacy')
  await openCompany(page, 'Kestrel Health Group')
  await page.getByRole('button', { name: 'Create Pharmacy' }).click()
  const form = dialog(page, 'Create pharmacy')
  await form.getByLabel('Name', { exact: true }).fill(name)
  await form.getByLabel('Find the suburb').fill('3350')
  await page.getByRole('option', { name: 'Eureka VIC 3350' }).click()
  await form.getByRole('button', { name: 'Create' }).click()
  await confirm(page, 'Create pharmacy')
  await expect(page.getByText('Pharmacy Created Successfully')).toBeVisible()
  await find(page, 'Find a company', 'Mallee Chemists')
  await page.getByRole('button', { name: 'Details of Mallee Chemists' }).click()
  await page.getByRole('button', { name: 'Import Pharmacy From Other Company' }).click()
  const dialogOf = dialog(page, 'Import Pharmacy From Other Company')
  await expect(dialogOf).toContainText(
    'This will only transfer the pharmacy and its logins. The templates, campaigns, and other data will not be transferred.',
  )
  await dialogOf.getByRole('button', { name: 'Import' }).click()
  await expect(dialogOf.getByRole('alert')).toHaveText('Please select a pharmacy.')
  await dialogOf.getByLabel('Pharmacy', { exact: true }).fill(name)
  await page.getByRole('option', { name: `${name}, Kestrel Health Group` }).click()
  await expect(dialogOf.getByText('Nothing is running')).toBeVisible()
  await expectAccessible(page, 'the import', OPENED)
  await dialogOf.getByRole('button', { name: 'Import' }).click()
  const question = dialog(page, `Import ${name} to Mallee Chemists?`)
  await expect(question).toContainText('It leaves Kestrel Health Group.')
  await expect(question).toContainText('Nothing is running or waiting there.')
  await confirm(page, 'Import pharmacy')
  await expect(page.getByText('Pharmacy Imported Successfully')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Pharmacies' }).getByRole('row', { name })).toBeVisible()
})

test('modules and acts that a country does not have cannot be selected in an opened pharmacy either', async ({
  page,
}) => {
  await page.route('**/api/company/*/locations', async (route) => {
    const answer = await route.fetch()
    const { data, ...rest } = (await answer.json()) as { data: object[] }
    await route.fulfill({ response: answer, json: { ...rest, data: data.map((one) => ({ ...one, country: 'GB' })) } })
  })
  await openCompany(page, 'Saltbush Pharmacy Group')
  await page
    .getByRole('region', { name: 'Pharmacies' })
    .getByRole('button', { name: /^Details of/ })
    .first()
    .click()
  await page.getByRole('button', { name: 'Actions' }).click()
  await expect(page.getByRole('menuitem', { name: '60 Day Dispensing Report' })).toBeDisabled()
  await expect(page.getByRole('menuitem', { name: 'Message History Report' })).toBeEnabled()
})

test('the forms of a company in the United States ask for what exists there', async ({ page }) => {
  const company = unique('Corner Drugs')
  await addPharmacy(company, 'Main Street', '02139', '--country', 'US')
  await openCompany(page, company)
  await page.getByRole('button', { name: 'Create Pharmacy' }).click()
  const form = dialog(page, 'Create pharmacy')
  await form.getByRole('button', { name: 'Create' }).click()
  await expect(form.getByRole('alert')).toHaveText('Please enter a pharmacy name, enter a city, and enter a ZIP code.')
  await expect(form.getByLabel('Beta')).toBeVisible()
  await expect(form.getByText(/guild|Schedule 8/i)).toHaveCount(0)
  await form.getByRole('button', { name: 'Cancel' }).click()

  await page.getByRole('button', { name: `More about ${company}` }).click()
  await page.getByRole('menuitem', { name: 'Sending rules' }).click()
  const rules = dialog(page, `Sending rules: ${company}`)
  await rules.getByLabel('Sender number').fill('CORNERDRUG')
  await expect(rules.getByLabel('The name is registered')).toHaveCount(0)
  await rules.getByRole('button', { name: 'Save' }).click()
  await expect(rules.getByRole('alert')).toHaveText(
    'Please enter a number, such as +12025550123: no phone network in the United States delivers texts from a name.',
  )
  await rules.getByLabel('Sender number').fill('+12025550123')
  await rules.getByRole('button', { name: 'Save' }).click()
  await confirm(page, 'Save rules')
  await expect(page.getByText('Sending rules saved')).toBeVisible()
})
